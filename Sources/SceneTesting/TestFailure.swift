import ScenePlatform
import SceneScript

/// A failed action or expectation of a test, with the last events before the failure.
///
/// The failure is thrown, so every test framework reports it.
public struct TestFailure: Error, Sendable {
  /// The stable name of the error, such as `no` or `noSession`, if a request was refused or an
  /// expectation does not hold. Nil for other failures, such as a timeout.
  public let reason: String?
  /// The expected and the actual state.
  public let message: String
  /// The last rows of `scenectl timeline`.
  public let timeline: [String]
  /// The file of the test.
  public let file: String
  /// The line in the file.
  public let line: UInt

  init(
    _ message: String, reason: String? = nil, timeline: [String] = [], _ location: TestLocation
  ) {
    self.reason = reason
    self.message = message
    self.timeline = timeline
    file = location.file
    line = location.line
  }

  init(
    _ failure: StepFailure, on environment: ScriptEnvironment, ceiling: Duration,
    _ location: TestLocation
  ) {
    let reason: String? = if case .mismatch(let name) = failure.kind { name } else { nil }
    var message = failure.message
    if SystemClock.monotonic() >= environment.deadline {
      message += "\nThe timeout is \(ceiling)."
    }
    self.init(message, reason: reason, timeline: environment.lastRows(), location)
  }
}

extension TestFailure: CustomStringConvertible {
  /// The location, the message and the last events.
  public var description: String {
    var lines = ["\(file):\(line): \(message)"]
    if !timeline.isEmpty { lines += ["last events:"] + timeline.map { "  " + $0 } }
    return lines.joined(separator: "\n")
  }
}
