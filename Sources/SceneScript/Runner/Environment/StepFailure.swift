import SceneCommandLine
package import ScenePlatform

/// The reason why a line of a script, an action of a test or a case of the conformance kit failed.
package struct StepFailure: Error, Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// The broker refused a request, or an expectation does not hold. A line with `!` expects this
    /// kind; `error` names the reason.
    case mismatch(reason: String)
    /// The line could not run: a timeout, an exited process or an error of the system.
    case unrunnable
    /// A case of the conformance kit does not apply to the client.
    case notApplicable
  }

  package var kind: Kind
  /// Can have several lines.
  package var message: String
  /// Whether a command line was invalid. A line with `!` then fails too, unless `error` names the
  /// reason.
  var isUsageError = false

  package static func mismatch(_ message: String, reason: String = "no") -> StepFailure {
    StepFailure(kind: .mismatch(reason: reason), message: message)
  }

  /// An invalid command line.
  static func usageError(_ message: String, reason: String = usageError) -> StepFailure {
    var failure = mismatch(message, reason: reason)
    failure.isUsageError = true
    return failure
  }

  /// The reason of an invalid command line, as `error` names it.
  static let usageError = "\(ExitCode.usage)"

  package static func unrunnable(_ message: String) -> StepFailure {
    StepFailure(kind: .unrunnable, message: message)
  }

  static func notApplicable(_ message: String) -> StepFailure {
    StepFailure(kind: .notApplicable, message: message)
  }
}

extension StepFailure {
  package init(_ error: SystemError) { self = .unrunnable(error.description) }
}

/// The value of a system call. Its error becomes the failure of the line.
package func step<Value: ~Copyable>(
  _ value: @autoclosure () throws(SystemError) -> Value
) throws(StepFailure) -> Value {
  do throws(SystemError) {
    return try value()
  } catch {
    throw StepFailure(error)
  }
}
