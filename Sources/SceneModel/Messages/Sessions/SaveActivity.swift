/// Saves the restoration activity. The broker answers when it is as durable as the broker promises.
package struct SaveActivity: RequestMessage {
  package static var method: StaticString { "session/saveActivity" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }

  package var session: SessionIdentifier = .none
  /// Null clears it.
  package var activity: Activity?

  package init() {}

  package init(session: SessionIdentifier, activity: Activity? = nil) {
    self.session = session
    self.activity = activity
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("activity", &activity)
  }

  /// The number of the saved generation.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var generation: Int64 = 0

    package init() {}

    package init(generation: Int64) {
      self.generation = generation
    }

    package mutating func visitMembers<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.required("generation", &generation)
    }
  }
}
