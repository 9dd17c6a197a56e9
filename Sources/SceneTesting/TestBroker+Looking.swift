public import SceneClient
import SceneControl
import SceneModel
import ScenePlatform
import SceneScript

extension TestBroker {
  // MARK: - Conditions

  /// Conditions hold now, as `scenectl is` would say: `WHO [STATE] [PATH=VALUE]…`, such as
  /// `packing unattached disconnect.reason=reclaimed`.
  ///
  /// - Throws: ``TestFailure`` with each condition and how things are instead.
  public func expect(
    _ conditions: String..., file: StaticString = #filePath, line: UInt = #line
  ) throws(TestFailure) {
    let place = TestPlace(file, line)
    let conditions = try Self.conditions(conditions, place)
    try act(place, as: .looks) { (stage) throws(StepFailure) in try stage.expect(conditions) }
  }

  /// Waits until conditions hold at once, as `scenectl wait` does.
  ///
  /// What this broker was asked for is over when it returns. This is for what others do: a command
  /// that was started, or a task.
  ///
  /// - Parameters:
  ///   - conditions: as for ``expect(_:file:line:)``.
  ///   - ceiling: how long it may take before it fails instead; nil for as long as anything else.
  ///   - file: whose failure it is.
  ///   - line: where in the file.
  /// - Throws: ``TestFailure`` at the ceiling, with how things were last.
  public func wait(
    for conditions: String..., within ceiling: Duration? = nil, file: StaticString = #filePath,
    line: UInt = #line
  ) throws(TestFailure) {
    let place = TestPlace(file, line)
    let conditions = try Self.conditions(conditions, place)
    try act(place, as: .waits, within: ceiling) { (stage) throws(StepFailure) in
      try stage.wait(for: conditions)
    }
  }

  private static func conditions(
    _ words: [String], _ place: TestPlace
  ) throws(TestFailure) -> [Condition] {
    do throws(ConditionArgumentError) {
      return try ConditionArguments.conditions(words)
    } catch {
      throw TestFailure(error.description, place)
    }
  }

  // MARK: - Sessions

  /// The session that people call so, by its name, its identifier or the beginning of one; nil if
  /// there is none.
  public func session(
    _ word: String, file: StaticString = #filePath, line: UInt = #line
  ) throws(TestFailure) -> TestSession? {
    try look(TestPlace(file, line)) { (stage) throws(StepFailure) -> TestSession? in
      try stage.find(word).map(TestSession.init)
    }
  }

  // MARK: - What happened

  /// All that happened since the beginning, whatever broker told it; with a session's name only
  /// what happened to that.
  public func trace(
    of session: String? = nil, file: StaticString = #filePath, line: UInt = #line
  ) throws(TestFailure) -> [TraceLine] {
    try look(TestPlace(file, line)) { stage in
      stage.hearStory()
      return stage.story.filter { session == nil || $0.name == session }.map(TraceLine.init)
    }
  }

  /// All that happened since the beginning, drawn with a lane for each process.
  public func timeline(
    file: StaticString = #filePath, line: UInt = #line
  ) throws(TestFailure) -> String {
    try look(TestPlace(file, line)) { stage in
      stage.hearStory()
      return stage.timelineText(title: "what happened")
    }
  }
}

/// A session, as it was when it was looked at.
public struct TestSession: Sendable {
  /// What is kept of it.
  public let session: SceneSession
  /// Where its scene is; unattached if there is none.
  public let activationState: Scene.ActivationState
  /// How its last scene ended, while there is none.
  public let disconnectReason: Scene.DisconnectReason?
  /// How many activities have been kept for it.
  public let generation: Int
  /// The process that has its scene.
  public let pid: Int32?

  init(_ found: FoundSession) {
    let summary = found.details.summary
    session = SceneSession(
      found.details.sceneSession, withheld: found.details.summary.withheld)
    activationState = Scene.ActivationState(summary.state)
    disconnectReason = summary.disconnect.map {
      Scene.DisconnectReason(rawValue: $0.reason.rawValue)
    }
    generation = Int(summary.generation)
    pid = summary.client.flatMap { Int32(exactly: $0.pid) }
  }
}

/// Something that happened: a line of the application's story.
public struct TraceLine: Hashable, Sendable, CustomStringConvertible {
  /// What kind of thing, such as `connected`, `callback`, `acknowledged` or `saved`.
  public let event: String
  /// The name of the session to which it happened, where it has one.
  public let session: String?
  /// The process to which it happened.
  public let pid: Int32?
  /// Which callback, such as `willConnect`.
  public let callback: String?
  /// Why.
  public let reason: String?
  /// Which generation was saved.
  public let generation: Int?
  /// All of it as a sentence, safe to show.
  public let description: String

  init(_ entry: TraceEntry) {
    event = entry.event.rawValue
    session = entry.name
    pid = entry.client.flatMap { Int32(exactly: $0.pid) }
    callback = entry.callback
    reason = entry.reason
    generation = entry.generation.map { Int($0) }
    description = entry.sentence
  }
}
