/// Saves an earlier activity again, as the newest generation.
package struct RestoreActivity: RequestMessage {
  package static var method: StaticString { "session/restore" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }

  package var session: SessionIdentifier = .none
  /// A generation of the session's history.
  package var generation: Int64 = 0

  package init() {}

  package init(session: SessionIdentifier, generation: Int64) {
    self.session = session
    self.generation = generation
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("generation", &generation)
  }

  package typealias Reply = SaveActivity.Reply
}
