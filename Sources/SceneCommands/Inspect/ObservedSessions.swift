import SceneModel

/// The current sessions, in no order.
struct ObservedSessions {
  private var summaries: [SessionIdentifier: SessionSummary] = [:]

  var sessions: some Collection<SessionSummary> { summaries.values }

  mutating func add(_ summaries: [SessionSummary]) {
    for summary in summaries { self.summaries[summary.session] = summary }
  }

  mutating func remove(_ session: SessionIdentifier) { summaries[session] = nil }
}
