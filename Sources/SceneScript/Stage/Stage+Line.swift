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

  /// All that happened, as it draws it.
  package func timelineText(title: String) -> String {
    TimelineText(Timeline(TraceStory(story))).text(title: title)
  }
}
