import SceneModel

/// Generations only grow, and a session is restored with the last acknowledged generation.
struct DurabilityInvariant: Invariant {
  /// The newest generation that the trace or a client knows.
  private var newest: [SessionIdentifier: Int64] = [:]
  /// The generation in this broker. A killed broker may have stored a newer one without an
  /// acknowledgment.
  private var current: [SessionIdentifier: Int64] = [:]

  mutating func begin(_ run: RunHistory.BrokerRun) {
    newest.merge(run.acknowledged) { max($0, $1) }
    current = [:]
  }

  mutating func check(_ entry: TraceEntry) -> String? {
    guard let session = entry.session, let generation = entry.generation else { return nil }
    switch entry.event {
    case .saved:
      defer { note(generation, session) }
      guard let before = newest[session], generation <= before else { return nil }
      return "generation \(generation) was saved after generation \(before)"
    case .connected:
      defer { note(generation, session) }
      return problem(with: generation, of: session, "the session was restored with")
    default:
      return nil
    }
  }

  private mutating func note(_ generation: Int64, _ session: SessionIdentifier) {
    current[session] = generation
    newest[session] = max(generation, newest[session] ?? 0)
  }

  private func problem(
    with generation: Int64, of session: SessionIdentifier, _ beginning: String
  ) -> String? {
    if let current = current[session], generation != current {
      return "\(beginning) generation \(generation), but the last save was generation \(current)"
    }
    guard let newest = newest[session], generation < newest else { return nil }
    return "\(beginning) generation \(generation), but generation \(newest) was acknowledged"
  }

  func checkEnd(_ sessions: [SessionSummary], _ history: RunHistory) -> [SessionProblem] {
    var rule = self
    rule.newest.merge(history.acknowledged) { max($0, $1) }
    return sessions.compactMap { session in
      rule.problem(with: session.generation, of: session.session, "the session finally has")
        .map { (session.session, $0) }
    }
  }
}
