/// Names a session; null removes the name.
package struct SetName: RequestMessage {
  package static var method: StaticString { "session/setName" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }
  package var lastWords: LastWords { .of(session) }

  package var session: SessionIdentifier = .none
  package var name: String?

  package init() {}

  package init(session: SessionIdentifier, name: String? = nil) {
    self.session = session
    self.name = name
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("name", &name)
  }
}
