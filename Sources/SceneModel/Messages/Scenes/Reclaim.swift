/// Disconnects scenes in the background, the least recently used first. The broker answers when
/// they are unattached.
package struct Reclaim: RequestMessage {
  package static var method: StaticString { "application/reclaim" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { true }

  /// Nil for the scenes that exceed the policy, or all without a policy.
  package var sessions: [SessionIdentifier]?
  /// Whether the broker only lists the scenes.
  package var dryRun: Bool = false

  package init() {}

  package init(sessions: [SessionIdentifier]? = nil, dryRun: Bool = false) {
    self.sessions = sessions
    self.dryRun = dryRun
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("sessions", &sessions)
    try visitor.optional("dryRun", &dryRun, otherwise: false)
  }

  /// The sessions of these scenes.
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
