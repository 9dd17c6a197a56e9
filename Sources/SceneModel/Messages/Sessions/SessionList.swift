/// Lists sessions in the order of their identifiers, in pages.
package struct SessionList: RequestMessage {
  package static var method: StaticString { "session/list" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package var state: ActivationState?
  package var role: Role?
  package var configuration: String?
  /// The name of the client that holds the session.
  package var client: String?
  /// Whether the session has no scene and its user did not close the last one.
  package var wasOpen: Bool?
  /// Members that the userInfo must have.
  package var matching: OpaqueObject?
  /// The `next` of the previous page.
  package var after: SessionIdentifier?
  /// Sessions on a page, at most 1000.
  package var limit: Int?

  package init() {}

  package init(
    state: ActivationState? = nil, role: Role? = nil, configuration: String? = nil,
    client: String? = nil, wasOpen: Bool? = nil, matching: OpaqueObject? = nil,
    after: SessionIdentifier? = nil,
    limit: Int? = nil
  ) {
    self.state = state
    self.role = role
    self.configuration = configuration
    self.client = client
    self.wasOpen = wasOpen
    self.matching = matching
    self.after = after
    self.limit = limit
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("state", &state)
    try visitor.optional("role", &role)
    try visitor.optional("configuration", &configuration)
    try visitor.optional("client", &client)
    try visitor.optional("wasOpen", &wasOpen)
    try visitor.optional("where", &matching)
    try visitor.optional("after", &after)
    try visitor.optional("limit", &limit)
  }

  /// One page.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var sessions: [SessionSummary] = []
    /// The `after` of the next page; absent on the last page.
    package var next: SessionIdentifier?

    package init() {}

    package init(sessions: [SessionSummary] = [], next: SessionIdentifier? = nil) {
      self.sessions = sessions
      self.next = next
    }

    package mutating func visitMembers<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.required("sessions", &sessions)
      try visitor.optional("next", &next)
    }
  }
}
