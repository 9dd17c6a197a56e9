package import ScenePlatform

/// The outcome of one case.
package struct ConformOutcome: Sendable {
  package enum Result: Equatable, Sendable {
    case passed
    /// The actual behavior, and the last messages.
    case failed(String, messages: [String])
    /// A message that no client can send in any case, and the last messages.
    case protocolViolation(String, messages: [String])
    /// The reason why the case does not apply.
    case skipped(String)
  }

  package var test: ConformCase
  package var result: Result
  package var nanoseconds: Int64
  /// Set if the command could not be started.
  package var startError: SystemError?

  /// Whether the outcome counts as success: a failed `may` case does, a protocol violation does
  /// not.
  package var passed: Bool {
    switch result {
    case .passed, .skipped: true
    case .failed: test.demand == .may
    case .protocolViolation: false
    }
  }
}
