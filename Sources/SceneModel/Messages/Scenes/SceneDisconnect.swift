/// Disconnects a scene at once, without callbacks. The session stays.
package struct SceneDisconnect: RequestMessage {
  package static var method: StaticString { "scene/disconnect" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }

  package var session: SessionIdentifier = .none
  /// The activity that the broker saves first; null clears the stored one.
  package var activity: Patch<Activity> = .absent
  /// Why the client ends, if the user did not close the scene.
  package var cause: DisconnectCause?
  /// How the program of the scene failed. The scene ends as if the connection was lost.
  package var exit: ClientExit?

  package init() {}

  package init(
    session: SessionIdentifier, activity: Patch<Activity> = .absent, exit: ClientExit? = nil
  ) {
    self.session = session
    self.activity = activity
    self.exit = exit
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.optional("activity", &activity)
    try visitor.optional("cause", &cause)
    try visitor.optional("exit", &exit)
  }
}
