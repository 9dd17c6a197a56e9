/// Returns all properties of one session.
package struct SessionShow: RequestMessage {
  package static var method: StaticString { "session/show" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package var session: SessionIdentifier?
  package var name: String?

  package init() {}

  package init(session: SessionIdentifier? = nil, name: String? = nil) {
    self.session = session
    self.name = name
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("session", &session)
    try visitor.optional("name", &name)
  }

  package typealias Reply = SessionDetails
}
