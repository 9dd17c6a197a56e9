/// Returns which session a target content identifier selects, and why. It opens nothing.
package struct ApplicationRoute: RequestMessage {
  package static var method: StaticString { "application/route" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package var targetContentIdentifier = ""

  package init() {}

  package init(targetContentIdentifier: String) {
    self.targetContentIdentifier = targetContentIdentifier
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("targetContentIdentifier", &targetContentIdentifier)
  }

  /// The candidates, in the order in which the broker would take them.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var candidates: [RouteCandidate] = []
    /// Whether the reply has no room for more candidates.
    package var more = false
    /// Nil if the broker would make a new session.
    package var chosen: SessionIdentifier?

    package init() {}

    package init(
      candidates: [RouteCandidate], more: Bool = false, chosen: SessionIdentifier? = nil
    ) {
      self.candidates = candidates
      self.more = more
      self.chosen = chosen
    }

    package mutating func visitMembers<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.required("candidates", &candidates)
      try visitor.optional("more", &more, otherwise: false)
      try visitor.optional("chosen", &chosen)
    }
  }
}

/// A session that could show the content.
package struct RouteCandidate: JSONStructure, Equatable, Sendable {
  package var session: SessionIdentifier = .none
  package var name: String?
  package var state: ActivationState = .unattached
  package var prefers = false
  package var can = false
  /// Milliseconds since 1970: the last use, or now for an active scene.
  package var lastActive: Int64 = 0
  /// Nil for the default conditions.
  package var activationConditions: ActivationConditionTexts?

  package init() {}

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("name", &name)
    try visitor.required("state", &state)
    try visitor.required("prefers", &prefers)
    try visitor.required("can", &can)
    try visitor.required("lastActive", &lastActive)
    try visitor.optional("activationConditions", &activationConditions)
  }
}
