/// Replaces a session's userInfo.
package struct SetUserInfo: RequestMessage {
  package static var method: StaticString { "session/setUserInfo" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }
  package var lastWords: LastWords { .of(session) }

  package var session: SessionIdentifier = .none
  package var userInfo: OpaqueObject = .empty

  package init() {}

  package init(session: SessionIdentifier, userInfo: OpaqueObject) {
    self.session = session
    self.userInfo = userInfo
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("userInfo", &userInfo)
  }
}
