package import SceneClient
package import SceneCommandLine
import SceneModel

extension ExitCode {
  /// The exit status for an error.
  package init(_ error: SceneError) {
    if error.code == .brokerUnavailable || error.code == .wrongApplication {
      self = .noBroker
    } else if error.code == .noDelegateClass {
      self = .badConfiguration
    } else {
      let outcome = ErrorOutcome(reason: error.name, retry: error.retry)
      self = ExitCode(rawValue: outcome.rawValue) ?? .fault
    }
  }
}
