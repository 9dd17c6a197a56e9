/// Discards sessions. The broker answers when they are gone.
package struct RequestDestruction: RequestMessage {
  package static var method: StaticString { "application/requestSceneSessionDestruction" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }

  package var sessions: [SessionIdentifier] = []

  package init() {}

  package init(sessions: [SessionIdentifier] = []) {
    self.sessions = sessions
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("sessions", &sessions)
  }
}
