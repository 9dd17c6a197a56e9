/// Disconnects scenes that are in the background, least recently used first; answered when they are
/// unattached.
package struct Reclaim: RequestMessage {
  package static var method: StaticString { "application/reclaim" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { true }

  /// When it is not said, those that the policy does not let stay, or all where there is none.
  package var sessions: [SessionIdentifier]?
  /// Only tells which would be disconnected.
  package var dryRun: Bool = false

  package init() {}

  package init(sessions: [SessionIdentifier]? = nil, dryRun: Bool = false) {
    self.sessions = sessions
    self.dryRun = dryRun
  }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("sessions", &sessions)
    try visitor.optional("dryRun", &dryRun, otherwise: false)
  }

  /// Which sessions it took.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var sessions: [SessionIdentifier] = []

    package init() {}

    package init(sessions: [SessionIdentifier] = []) {
      self.sessions = sessions
    }

    package mutating func members<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.required("sessions", &sessions)
    }
  }
}
