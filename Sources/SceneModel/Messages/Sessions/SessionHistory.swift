/// Returns the stored activities, and the trace entries that explain the session's state.
package struct SessionHistory: RequestMessage {
  package static var method: StaticString { "session/history" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package var session: SessionIdentifier = .none

  package init() {}

  package init(session: SessionIdentifier) {
    self.session = session
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
  }

  /// Generations and reasons in order, the newest last.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var generations: [Generation] = []
    package var reasons: [TraceEntry] = []
    /// The generation that is or was withheld, and can be restored.
    package var withheld: Withholding?
    /// How the last scene ended, while the session has no scene.
    package var end: DisconnectOutcome?

    package init() {}

    package init(
      generations: [Generation] = [], reasons: [TraceEntry] = [], withheld: Withholding? = nil,
      end: DisconnectOutcome? = nil
    ) {
      self.generations = generations
      self.reasons = reasons
      self.withheld = withheld
      self.end = end
    }

    package mutating func visitMembers<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.required("generations", &generations)
      try visitor.required("reasons", &reasons)
      try visitor.optional("withheld", &withheld)
      try visitor.optional("end", &end)
    }
  }
}
