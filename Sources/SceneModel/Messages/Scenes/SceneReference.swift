/// The parameters of a callback that has only a session.
package struct SceneReference: CallbackMessage {
  package var session: SessionIdentifier = .none

  package init() {}

  package init(session: SessionIdentifier) { self.session = session }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
  }
}
