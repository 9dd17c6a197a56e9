import ScenePlatform
import SceneScript

/// Why something that a test wanted did not come about: what was expected, what was there, and what
/// had happened before.
///
/// It is thrown, so that any test framework shows it.
public struct TestFailure: Error, Sendable {
  /// The stable name of the reason, such as `no` or `noSession`, where something was refused or is
  /// not so; nil where it came to nothing.
  public let reason: String?
  /// What was expected, and what was there.
  public let message: String
  /// What happened last, a line each, as `scenectl timeline` draws it.
  public let timeline: [String]
  /// The file of the test that wanted it.
  public let file: String
  /// The line in that file.
  public let line: UInt

  init(
    _ message: String, reason: String? = nil, timeline: [String] = [], _ place: TestPlace
  ) {
    self.reason = reason
    self.message = message
    self.timeline = timeline
    file = place.file
    line = place.line
  }

  init(_ failure: StepFailure, on stage: Stage, ceiling: Duration, _ place: TestPlace) {
    let reason: String? = if case .no(let name) = failure.kind { name } else { nil }
    var message = failure.message
    if SystemClock.monotonic() >= stage.deadline {
      message += "\nIt was given up after \(ceiling)."
    }
    self.init(message, reason: reason, timeline: stage.lastRows(), place)
  }
}

extension TestFailure: CustomStringConvertible {
  /// All of it, for people.
  public var description: String {
    var lines = ["\(file):\(line): \(message)"]
    if !timeline.isEmpty { lines += ["what happened last:"] + timeline.map { "  " + $0 } }
    return lines.joined(separator: "\n")
  }
}

/// Where a test stands that wants something.
struct TestPlace: Sendable {
  let file: String
  let line: UInt

  init(_ file: StaticString, _ line: UInt) {
    self.file = "\(file)"
    self.line = line
  }
}
