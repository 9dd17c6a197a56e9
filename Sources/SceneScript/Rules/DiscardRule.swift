import SceneModel

/// Every discard is reported once, with the identifier of what was discarded; and what was not
/// discarded is there.
struct DiscardRule: StandingRule {
  private var discarded: Set<SessionIdentifier> = []
  /// Those that this broker has had.
  private var known: Set<SessionIdentifier> = []

  mutating func begin(_ life: StagedStory.Life) { known = [] }

  mutating func take(_ entry: TraceEntry) -> String? {
    switch entry.event {
    case .discarded:
      guard let session = entry.session else { return "a discard without an identifier" }
      return discarded.insert(session).inserted ? nil : "it was reported as discarded twice"
    case .created, .connected, .saved:
      guard let session = entry.session else { return nil }
      known.insert(session)
      return discarded.contains(session) ? "it was discarded, and is there again" : nil
    default:
      return nil
    }
  }

  func conclude(
    _ sessions: [SessionSummary], _ story: StagedStory
  ) -> [(SessionIdentifier, String)] {
    let listed = Set(sessions.map(\.session))
    let undead = listed.intersection(discarded).map { ($0, "it was discarded, and is there still") }
    let lost = known.subtracting(discarded).subtracting(listed)
      .map { ($0, "it has gone, and nobody was told that it was discarded") }
    return (undead + lost).sorted { $0.0 < $1.0 }
  }
}
