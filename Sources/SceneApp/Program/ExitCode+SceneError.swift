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
      let retry = Retry(rawValue: error.retry.rawValue) ?? .never
      let outcome = ErrorOutcome(reason: error.name, retry: retry)
      self = ExitCode(rawValue: outcome.rawValue) ?? .fault
    }
  }
}
