/// The last callback of a scene. The session stays.
package struct DidDisconnect: CallbackMessage {
  package var session: SessionIdentifier = .none
  package var reason: DisconnectReason = .clientRequest

  package init() {}

  package init(session: SessionIdentifier, reason: DisconnectReason) {
    self.session = session
    self.reason = reason
  }

  package var tracedReason: String? { reason.rawValue }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("reason", &reason)
  }
}
