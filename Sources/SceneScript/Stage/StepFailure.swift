import CommandLine
package import ScenePlatform

/// Why a line did not do what it says.
package struct StepFailure: Error, Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// It was refused, or is not so: what `!` before a line expects. The name of the reason, for
    /// `error`.
    case no(reason: String)
    /// It came to nothing: a ceiling, a process that is gone, the system.
    case broken
  }

  package var kind: Kind
  /// What happened; lines are broken where it is to be broken.
  package var message: String
  /// Whether whoever was told the line did not understand it, so that it was hardly meant so.
  var isMisuse = false

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// It is not so.
  package static func no(_ message: String, reason: String = "no") -> StepFailure {
    StepFailure(.no(reason: reason), message)
  }

  /// It was not understood: a word that nobody knows, or one too many.
  static func misuse(_ message: String, reason: String = misuse) -> StepFailure {
    var failure = no(message, reason: reason)
    failure.isMisuse = true
    return failure
  }

  /// What `error` calls a command line that is wrong.
  static let misuse = "\(ExitCode.usage)"

  package static func broken(_ message: String) -> StepFailure { StepFailure(.broken, message) }

  package init(_ error: SystemError) { self = .broken(error.description) }
}

/// What a call of the system throws becomes the line's failure.
func step<Result: ~Copyable>(
  _ body: () throws(SystemError) -> Result
) throws(StepFailure) -> Result {
  do throws(SystemError) {
    return try body()
  } catch {
    throw StepFailure(error)
  }
}
