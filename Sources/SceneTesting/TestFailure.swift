import ScenePlatform
import SceneScript

/// A failed action or expectation of a test, with the last events before the failure.
///
/// The failure is thrown, so every test framework reports it. In a test of the library Testing,
/// ``withBroker(clock:options:ceiling:at:_:)`` records it at its place.
public struct TestFailure: Error, Sendable {
  /// The stable name of the error, such as `no` or `noSession`, if a request was refused or an
  /// expectation does not hold. Nil for other failures, such as a timeout.
  public let reason: String?
  /// The expected and the actual state.
  public let message: String
  /// The last rows of `scenectl timeline`.
  public let timeline: [String]
  /// The place in the test.
  public let location: SourceLocation

  init(
    _ message: String, reason: String? = nil, timeline: [String] = [], _ location: SourceLocation
  ) {
    self.reason = reason
    self.message = message
    self.timeline = timeline
    self.location = location
  }

  init(
    _ failure: StepFailure, on environment: ScriptEnvironment, ceiling: Duration,
    _ location: SourceLocation
  ) {
    let reason: String? = if case .mismatch(let name) = failure.kind { name } else { nil }
    var message = failure.message
    if SystemClock.monotonic() >= environment.deadline {
      message += "\nThe timeout is \(ceiling)."
    }
    self.init(message, reason: reason, timeline: environment.lastRows(), location)
  }
}

extension TestFailure {
  /// Makes the failure an issue of the test that runs. Returns whether there is one.
  func isRecorded() -> Bool {
    #if canImport(Testing)
      guard Test.current != nil else { return false }
      Issue.record(self, sourceLocation: location)
      return true
    #else
      return false
    #endif
  }
}

extension TestFailure: CustomStringConvertible {
  /// The location, the message and the last events.
  public var description: String {
    var lines = ["\(location.filePath):\(location.line): \(message)"]
    if !timeline.isEmpty { lines += ["last events:"] + timeline.map { "  " + $0 } }
    return lines.joined(separator: "\n")
  }
}
