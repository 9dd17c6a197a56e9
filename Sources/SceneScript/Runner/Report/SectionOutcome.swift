import ScenePlatform

/// The outcome of one section of a script.
package struct SectionOutcome: Sendable {
  package enum Result: Equatable, Sendable {
    case passed
    case failed(ScriptFailure)
    /// An earlier section failed.
    case notReached
    /// The conditions exclude every line.
    case skipped
  }

  package var title: String
  package var result: Result
  package var nanoseconds: Int64 = 0
}
