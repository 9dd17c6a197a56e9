import JSON
import SceneModel
import ScenePlatform

/// How a line goes: what it says is done, and then all that comes of it.
extension Stage {
  /// How much of the timeline is shown with a failure.
  private static let shownRows = 12

  /// Does what a line says. When it returns, nothing of it is under way any more.
  package func line(
    _ role: ScriptVerb.Role, mustFail: Bool = false, ceiling: Int64? = nil,
    _ action: () throws(StepFailure) -> Void
  ) throws(StepFailure) {
    deadline = SystemClock.monotonic() + (ceiling ?? settings.ceiling)
    finding = nil
    if role == .acts {
      reason = nil
      for player in allPlayers { player.beginWindow() }
    }
    forgetMetDoom()
    do throws(StepFailure) {
      try action()
    } catch {
      // What it asked of a broker that was to die may have come to nothing.
      guard role == .acts, !mustFail, seesDoom() else { throw error }
    }
    switch role {
    case .acts: try comeToRestOrDoom()
    case .waits: try comeToRest()
    case .looks: break
    }
  }

  private func comeToRestOrDoom() throws(StepFailure) {
    do throws(StepFailure) {
      try comeToRest()
    } catch {
      guard seesDoom() else { throw error }
      try comeToRest()
    }
  }

  // MARK: - When it fails

  /// What happened last, as the timeline draws it.
  package func lastRows() -> [String] {
    // What has come meanwhile belongs to it.
    hearStory()
    guard !story.isEmpty else { return [] }
    let rows = timelineText(title: "").split(separator: "\n").dropFirst()
    return rows.suffix(Self.shownRows).map(String.init)
  }

  /// Writes all that happened into the stage's directory, as brokers told it (`trace.jsonl`) and as a
  /// page for a browser. The page's path; nil if nothing happened, or it cannot be written.
  package func keepStory(title: String, remarks: [String] = []) -> String? {
    let story = story[..<(chronicle.end ?? story.endIndex)]
    guard !story.isEmpty else { return nil }
    var lines: ContiguousArray<UInt8> = []
    for entry in story {
      var writer = JSONWriter()
      entry.write(to: &writer)
      lines += writer.bytes + [UInt8(ascii: "\n")]
    }
    var timeline = Timeline(TraceStory(Array(story)))
    // All but our own coming was told.
    timeline.isWhole = true
    let page = TimelinePage(timeline, title: title, remarks: remarks)
    let path = directory + "/timeline.html"
    do throws(SystemError) {
      try File.write(lines, to: directory + "/trace.jsonl")
      try File.write(page.html.utf8, to: path)
      return path
    } catch {
      return nil
    }
  }

  /// All that happened, as it draws it.
  package func timelineText(title: String) -> String {
    TimelineText(Timeline(TraceStory(story))).text(title: title)
  }
}
