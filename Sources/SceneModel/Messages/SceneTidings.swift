/// Tells the application delegate that a client has become the scene of a session.
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

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("isNew", &isNew)
    try visitor.required("reason", &reason)
  }
}

/// Tells the application delegate that a scene is no more; the session may come back.
package struct SceneDisconnected: JSONStructure, Equatable, Sendable {
  package var session: SessionIdentifier = .none
  package var reason: DisconnectReason = .connectionLost
  /// The callback that was not answered in time, where that was the reason.
  package var callback: String?

  package init() {}

  package init(session: SessionIdentifier, end: SessionEnd) {
    self.session = session
    reason = end.reason
    callback = end.callback
  }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("reason", &reason)
    try visitor.optional("callback", &callback)
  }
}

/// The application delegate has not answered in time, and nothing waits for this answer any more.
package struct DelegateOverrun: JSONStructure, Equatable, Sendable {
  package var callback = ""
  /// The number under which it was asked.
  package var id: Int64 = 0

  package init() {}

  package init(callback: DelegateCallbackKind, id: Int64) {
    self.callback = callback.rawValue
    self.id = id
  }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("callback", &callback)
    try visitor.required("id", &id)
  }
}
