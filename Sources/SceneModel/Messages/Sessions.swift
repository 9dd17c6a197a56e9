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
  /// Whether the reply has the sessions in the trash instead, the newest first.
  package var discarded = false
  /// Members that the userInfo must have.
  package var matching: OpaqueObject?
  /// The `next` of the previous page.
  package var after: SessionIdentifier?
  /// Sessions on a page, at most 1000.
  package var limit: Int?

  package init() {}

  package init(
    state: ActivationState? = nil, role: Role? = nil, configuration: String? = nil,
    client: String? = nil, wasOpen: Bool? = nil, discarded: Bool = false,
    matching: OpaqueObject? = nil, after: SessionIdentifier? = nil, limit: Int? = nil
  ) {
    self.state = state
    self.role = role
    self.configuration = configuration
    self.client = client
    self.wasOpen = wasOpen
    self.discarded = discarded
    self.matching = matching
    self.after = after
    self.limit = limit
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("state", &state)
    try visitor.optional("role", &role)
    try visitor.optional("configuration", &configuration)
    try visitor.optional("client", &client)
    try visitor.optional("wasOpen", &wasOpen)
    try visitor.optional("discarded", &discarded, otherwise: false)
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

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("sessions", &sessions)
      try visitor.optional("next", &next)
    }
  }
}

/// Returns all properties of one session.
package struct SessionShow: RequestMessage {
  package static var method: StaticString { "session/show" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package var session: SessionIdentifier?
  package var name: String?

  package init() {}

  package init(session: SessionIdentifier? = nil, name: String? = nil) {
    self.session = session
    self.name = name
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("session", &session)
    try visitor.optional("name", &name)
  }

  package typealias Reply = SessionDetails
}

/// Resolves a word that a person typed to a session: a name, an identifier, or a unique prefix of
/// an identifier. A name has precedence.
package struct SessionResolve: RequestMessage {
  package static var method: StaticString { "session/resolve" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package var word: String = ""

  package init() {}

  package init(word: String) { self.word = word }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("word", &word)
  }

  package struct Reply: JSONStructure, Equatable, Sendable {
    /// The session; absent if the word is an ambiguous prefix.
    package var details: SessionDetails?
    /// Other sessions whose identifiers begin with the word: the first one beside `details`, else
    /// at most ``listedMatches``.
    package var matches: [SessionIdentifier] = []
    /// The number of all such sessions.
    package var count: Int = 0

    /// So many identifiers fit the shortest frame.
    package static let listedMatches = 8

    package init() {}

    package init(
      details: SessionDetails? = nil, matches: [SessionIdentifier] = [], count: Int = 0
    ) {
      self.details = details
      self.matches = matches
      self.count = count
    }

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.optional("details", &details)
      try visitor.optional("matches", &matches, otherwise: [])
      try visitor.optional("count", &count, otherwise: 0)
    }
  }
}

/// Returns the stored activities, and the trace entries that explain the session's state.
package struct SessionHistory: RequestMessage {
  package static var method: StaticString { "session/history" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package var session: SessionIdentifier = .none

  package init() {}

  package init(session: SessionIdentifier) {
    self.session = session
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
  }

  /// Generations and reasons in order, the newest last.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var generations: [Generation] = []
    package var reasons: [TraceEntry] = []
    /// The generation that is or was withheld, and can be restored.
    package var withheld: Withholding?
    /// How the last scene ended, while the session has no scene.
    package var end: DisconnectOutcome?
    /// Whether the manifest keeps the window from coming back.
    package var staysClosed = false

    package init() {}

    package init(
      generations: [Generation] = [], reasons: [TraceEntry] = [], withheld: Withholding? = nil,
      end: DisconnectOutcome? = nil, staysClosed: Bool = false
    ) {
      self.generations = generations
      self.reasons = reasons
      self.withheld = withheld
      self.end = end
      self.staysClosed = staysClosed
    }

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("generations", &generations)
      try visitor.required("reasons", &reasons)
      try visitor.optional("withheld", &withheld)
      try visitor.optional("end", &end)
      try visitor.optional("staysClosed", &staysClosed, otherwise: false)
    }
  }
}

/// Saves the restoration activity. The broker answers when it is as durable as the broker promises.
package struct SaveActivity: RequestMessage {
  package static var method: StaticString { "session/saveActivity" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }

  package var session: SessionIdentifier = .none
  /// Null clears it.
  package var activity: Activity?

  package init() {}

  package init(session: SessionIdentifier, activity: Activity? = nil) {
    self.session = session
    self.activity = activity
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("activity", &activity)
  }

  /// The number of the saved generation.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var generation: Int64 = 0

    package init() {}

    package init(generation: Int64) {
      self.generation = generation
    }

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("generation", &generation)
    }
  }
}

/// Saves an earlier activity again, as the newest generation.
package struct RestoreActivity: RequestMessage {
  package static var method: StaticString { "session/restore" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }

  package var session: SessionIdentifier = .none
  /// A generation of the session's history.
  package var generation: Int64 = 0

  package init() {}

  package init(session: SessionIdentifier, generation: Int64) {
    self.session = session
    self.generation = generation
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("generation", &generation)
  }

  package typealias Reply = SaveActivity.Reply
}

/// Returns the directory for files of a session that are too large for an activity. The first
/// request makes the directory. A discard removes it.
package struct DataDirectory: RequestMessage {
  package static var method: StaticString { "session/dataDirectory" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }
  package var lastWords: LastWords { .of(session) }

  package var session: SessionIdentifier = .none

  package init() {}

  package init(session: SessionIdentifier) {
    self.session = session
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
  }

  /// An absolute path.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var path = ""

    package init() {}

    package init(path: String) {
      self.path = path
    }

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("path", &path)
    }
  }
}

/// Names a session; null removes the name.
package struct SetName: RequestMessage {
  package static var method: StaticString { "session/setName" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }
  package var lastWords: LastWords { .of(session) }

  package var session: SessionIdentifier = .none
  package var name: String?

  package init() {}

  package init(session: SessionIdentifier, name: String? = nil) {
    self.session = session
    self.name = name
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("name", &name)
  }
}

/// Replaces a session's userInfo.
package struct SetUserInfo: RequestMessage {
  package static var method: StaticString { "session/setUserInfo" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }
  package var lastWords: LastWords { .of(session) }

  package var session: SessionIdentifier = .none
  package var userInfo: OpaqueObject = .empty

  package init() {}

  package init(session: SessionIdentifier, userInfo: OpaqueObject) {
    self.session = session
    self.userInfo = userInfo
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("userInfo", &userInfo)
  }
}
