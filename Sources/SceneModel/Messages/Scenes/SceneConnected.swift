/// Tells the application delegate that a scene has connected.
package struct SceneConnected: JSONStructure, Equatable, Sendable {
  package var session: SessionIdentifier = .none
  package var isNew = false
  package var reason: ConnectReason = .launch

  package init() {}

  package init(session: SessionIdentifier, isNew: Bool, reason: ConnectReason) {
    self.session = session
    self.isNew = isNew
    self.reason = reason
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("isNew", &isNew)
    try visitor.required("reason", &reason)
  }
}
