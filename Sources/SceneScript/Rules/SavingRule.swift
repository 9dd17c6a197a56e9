import SceneModel

/// Generations only grow, and a session comes back with what was saved last, as far as anybody was
/// told that it is.
struct SavingRule: StandingRule {
  /// The newest that somebody was told of.
  private var newest: [SessionIdentifier: Int64] = [:]
  /// What this broker has; what a killed one kept last, nobody may have been told.
  private var current: [SessionIdentifier: Int64] = [:]

  mutating func begin(_ life: StagedStory.Life) {
    newest.merge(life.acknowledged) { max($0, $1) }
    current = [:]
  }

  mutating func take(_ entry: TraceEntry) -> String? {
    guard let session = entry.session, let generation = entry.generation else { return nil }
    switch entry.event {
    case .saved:
      defer { note(generation, session) }
      guard let before = newest[session], generation <= before else { return nil }
      return "generation \(generation) was saved after generation \(before)"
    case .connected:
      defer { note(generation, session) }
      return problem(with: generation, of: session, "it came back with")
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
      return "\(beginning) generation \(generation); saved last was \(current)"
    }
    guard let newest = newest[session], generation < newest else { return nil }
    return "\(beginning) generation \(generation); generation \(newest) was acknowledged"
  }

  func conclude(
    _ sessions: [SessionSummary], _ story: StagedStory
  ) -> [(SessionIdentifier, String)] {
    var rule = self
    rule.newest.merge(story.acknowledged) { max($0, $1) }
    return sessions.compactMap { session in
      rule.problem(with: session.generation, of: session.session, "in the end it has")
        .map { (session.session, $0) }
    }
  }
}
