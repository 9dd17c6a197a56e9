/// Tells the application delegate that a scene has disconnected. The session stays.
package struct SceneDisconnected: JSONStructure, Equatable, Sendable {
  package var session: SessionIdentifier = .none
  package var reason: DisconnectReason = .connectionLost
  /// The callback that exceeded its budget, if that was the reason.
  package var callback: String?

  package init() {}

  package init(session: SessionIdentifier, end: DisconnectOutcome) {
    self.session = session
    reason = end.reason
    callback = end.callback
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("reason", &reason)
    try visitor.optional("callback", &callback)
  }
}
