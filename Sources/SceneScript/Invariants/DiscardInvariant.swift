import SceneModel

/// Each discard is reported once, and a session that was not discarded still exists.
struct DiscardInvariant: Invariant {
  private var discarded: Set<SessionIdentifier> = []
  /// The part of `discarded` that can return.
  private var trash: Set<SessionIdentifier> = []
  /// The sessions that the trace or a client knows, by state directory.
  private var known: [String: Set<SessionIdentifier>] = [:]
  /// The sessions with an acknowledged save.
  private var noted: Set<SessionIdentifier> = []
  private var state = Self.nowhere

  /// The state directory of a broker that stores nothing.
  private static let nowhere = ""

  mutating func begin(_ run: RunHistory.BrokerRun) {
    note(run.acknowledged)
    state = run.state ?? Self.nowhere
    if state == Self.nowhere { known[state] = [] }
  }

  /// An acknowledgment proves that the session existed in the current state directory.
  private mutating func note(_ acknowledged: [SessionIdentifier: Int64]) {
    let news = Set(acknowledged.keys).subtracting(noted)
    noted.formUnion(news)
    known[state, default: []].formUnion(news)
  }

  mutating func check(_ entry: TraceEntry) -> String? {
    switch entry.event {
    case .discarded:
      guard let session = entry.session else { return "a discard has no session identifier" }
      let isNew = discarded.insert(session).inserted || trash.contains(session)
      if entry.reason == "trash" { trash.insert(session) } else { trash.remove(session) }
      return isNew ? nil : "the session was discarded twice"
    case .undiscarded:
      guard let session = entry.session, discarded.remove(session) != nil,
        trash.remove(session) != nil
      else { return "a session left the trash that was not there" }
      return nil
    case .created, .connected, .saved:
      guard let session = entry.session else { return nil }
      known[state, default: []].insert(session)
      return discarded.contains(session) ? "the session exists again after its discard" : nil
    default:
      return nil
    }
  }

  func checkEnd(_ sessions: [SessionSummary], _ history: RunHistory) -> [SessionProblem] {
    var rule = self
    rule.note(history.acknowledged)
    let listed = Set(sessions.map(\.session))
    let undead = listed.intersection(discarded)
      .map { ($0, "the session still exists after its discard") }
    let lost = rule.known[state, default: []]
      .subtracting(discarded).subtracting(listed).subtracting(history.unconfirmedDiscards)
      .map { session in
        let saved =
          history.acknowledged[session].map { "; generation \($0) was acknowledged" } ?? ""
        return (session, "the session is gone, but no discard was reported\(saved)")
      }
    return (undead + lost).sorted { $0.0 < $1.0 }.map { ($0, $1) }
  }
}
