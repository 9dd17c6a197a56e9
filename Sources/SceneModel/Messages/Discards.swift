/// Discards sessions. The broker answers when their scenes have ended.
package struct RequestDestruction: RequestMessage {
  package static var method: StaticString { "application/requestSceneSessionDestruction" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }

  package var sessions: [SessionIdentifier] = []
  /// Whether the sessions stay that a client holds or waits for.
  package var unattached = false
  /// Whether the sessions do not go to the trash, and leave the trash.
  package var now = false
  /// The user's decision, for the delegates of the scenes.
  package var dismissalAnimation: DismissalAnimation?

  package init() {}

  package init(
    sessions: [SessionIdentifier] = [], unattached: Bool = false, now: Bool = false,
    dismissalAnimation: DismissalAnimation? = nil
  ) {
    self.sessions = sessions
    self.unattached = unattached
    self.now = now
    self.dismissalAnimation = dismissalAnimation
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("sessions", &sessions)
    try visitor.optional("unattached", &unattached, otherwise: false)
    try visitor.optional("now", &now, otherwise: false)
    try visitor.optional("dismissalAnimation", &dismissalAnimation)
  }

  package struct Reply: JSONStructure, Equatable, Sendable {
    /// The end of the time in the trash, in milliseconds since 1970; nil if no session is there.
    package var until: Int64?

    package init() {}

    package init(until: Int64?) { self.until = until }

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.optional("until", &until)
    }
  }
}

/// Takes a session out of the trash. The broker answers when that is durable.
package struct SessionUndiscard: RequestMessage {
  package static var method: StaticString { "session/undiscard" }
  package static var permission: Permission { .controls }

  package var session: SessionIdentifier = .none
  /// Another name for the session.
  package var name: String?

  package init() {}

  package init(session: SessionIdentifier, name: String? = nil) {
    self.session = session
    self.name = name
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.optional("name", &name)
  }

  package struct Reply: JSONStructure, Equatable, Sendable {
    package var session: SessionIdentifier = .none
    package var name: String?

    package init() {}

    package init(session: SessionIdentifier, name: String?) {
      self.session = session
      self.name = name
    }

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("session", &session)
      try visitor.required("name", &name)
    }
  }
}
