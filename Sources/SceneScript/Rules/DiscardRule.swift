import SceneModel

/// Every discard is reported once, with the identifier of what was discarded; and what was not
/// discarded is there, however many brokers have died since.
struct DiscardRule: StandingRule {
  private var discarded: Set<SessionIdentifier> = []
  /// Those that somebody was told of, by the directory in which they are kept.
  private var known: [String: Set<SessionIdentifier>] = [:]
  /// Those of which a client was told that something is saved.
  private var noted: Set<SessionIdentifier> = []
  private var state = Self.nowhere

  /// Of a broker that keeps nothing.
  private static let nowhere = ""

  mutating func begin(_ life: StagedStory.Life) {
    note(life.acknowledged)
    state = life.state ?? Self.nowhere
    if state == Self.nowhere { known[state] = [] }
  }

  /// Who was told that something is saved was told by the broker that there was.
  private mutating func note(_ acknowledged: [SessionIdentifier: Int64]) {
    let news = Set(acknowledged.keys).subtracting(noted)
    noted.formUnion(news)
    known[state, default: []].formUnion(news)
  }

  mutating func take(_ entry: TraceEntry) -> String? {
    switch entry.event {
    case .discarded:
      guard let session = entry.session else { return "a discard without an identifier" }
      return discarded.insert(session).inserted ? nil : "it was reported as discarded twice"
    case .created, .connected, .saved:
      guard let session = entry.session else { return nil }
      known[state, default: []].insert(session)
      return discarded.contains(session) ? "it was discarded, and is there again" : nil
    default:
      return nil
    }
  }

  func conclude(
    _ sessions: [SessionSummary], _ story: StagedStory
  ) -> [(SessionIdentifier, String)] {
    var rule = self
    rule.note(story.acknowledged)
    let listed = Set(sessions.map(\.session))
    let undead = listed.intersection(discarded).map { ($0, "it was discarded, and is there still") }
    let lost = rule.known[state, default: []]
      .subtracting(discarded).subtracting(listed).subtracting(story.untoldDiscards)
      .map { session in
        let saved = story.acknowledged[session].map { "; generation \($0) was acknowledged" } ?? ""
        return (session, "it has gone, and nobody was told that it was discarded\(saved)")
      }
    return (undead + lost).sorted { $0.0 < $1.0 }
  }
}
