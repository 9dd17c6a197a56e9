/// Tells which activities are kept, and the chain of what happened to a session and why.
package struct SessionHistory: RequestMessage {
  package static var method: StaticString { "session/history" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package var session: SessionIdentifier = .none

  package init() {}

  package init(session: SessionIdentifier) {
    self.session = session
  }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
  }

  /// The newest last.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var generations: [Generation] = []
    package var reasons: [TraceEntry] = []
    /// Which of the generations is kept from the session's scenes, or was, and can be given back.
    package var withheld: Withholding?
    /// How the last scene ended, while there is no new one.
    package var end: SessionEnd?

    package init() {}

    package init(
      generations: [Generation] = [], reasons: [TraceEntry] = [], withheld: Withholding? = nil,
      end: SessionEnd? = nil
    ) {
      self.generations = generations
      self.reasons = reasons
      self.withheld = withheld
      self.end = end
    }

    package mutating func members<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.required("generations", &generations)
      try visitor.required("reasons", &reasons)
      try visitor.optional("withheld", &withheld)
      try visitor.optional("end", &end)
    }
  }
}
