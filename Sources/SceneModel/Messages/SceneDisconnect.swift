/// Gives a scene up at once, without callbacks; the session stays.
package struct SceneDisconnect: RequestMessage {
  package static var method: StaticString { "scene/disconnect" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }

  package var session: SessionIdentifier = .none
  /// Saved first; null clears.
  package var activity: Presence<Activity> = .absent

  package init() {}

  package init(session: SessionIdentifier, activity: Presence<Activity> = .absent) {
    self.session = session
    self.activity = activity
  }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.optional("activity", &activity)
  }

  package typealias Reply = Empty
}
