/// Tells scenes that their content has changed, also in the background. The broker answers when
/// they have refreshed.
package struct RequestRefresh: RequestMessage {
  package static var method: StaticString { "application/requestSceneSessionRefresh" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }

  package var sessions: [SessionIdentifier]?
  /// Selects the sessions whose `userInfo` has these members.
  package var matching: OpaqueObject?
  /// Whether sessions without a scene get one for the refresh.
  package var open = false

  package init() {}

  package init(
    sessions: [SessionIdentifier]? = nil, matching: OpaqueObject? = nil, open: Bool = false
  ) {
    self.sessions = sessions
    self.matching = matching
    self.open = open
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("sessions", &sessions)
    try visitor.optional("where", &matching)
    try visitor.optional("open", &open, otherwise: false)
  }

  /// The sessions whose scenes have refreshed.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var sessions: [SessionIdentifier] = []

    package init() {}

    package init(sessions: [SessionIdentifier] = []) {
      self.sessions = sessions
    }

    package mutating func visitMembers<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.required("sessions", &sessions)
    }
  }
}
