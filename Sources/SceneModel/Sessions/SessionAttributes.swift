/// The attributes of a session.
package struct SessionAttributes: Equatable, Sendable {
  package var identifier: SessionIdentifier
  package var name: String?
  package var role: Role
  package var configuration: SceneConfiguration
  /// Whether the application delegate described the configuration, so that no manifest has it.
  package var isConfiguredByDelegate = false
  package var userInfo: OpaqueObject
  package var title: String?
  package var subtitle: String?
  package var snapshot: String?
  package var program: SessionProgram?
  /// The place of the window. See ``ScenePlacement``.
  package var placement: OpaqueObject?
  package var activationConditions = ActivationConditions.standard
  /// The name of the client program that made the session, or for which it was made.
  package var maker: String
  /// Milliseconds since 1970.
  package var created: Int64
  /// The host that has the session; nil if the session is present.
  package var away: SessionAway?
  /// The number of the last move of a present session.
  package var fence: Int64?

  package init(
    identifier: SessionIdentifier, name: String? = nil, role: Role = .windowApplication,
    configuration: SceneConfiguration, userInfo: OpaqueObject = .empty, title: String? = nil,
    program: SessionProgram? = nil, maker: String = "", created: Int64 = 0
  ) {
    self.identifier = identifier
    self.name = name
    self.role = role
    self.configuration = configuration
    self.userInfo = userInfo
    self.title = title
    self.program = program
    self.maker = maker
    self.created = created
  }

  /// The size of a session without any texts.
  package static let baseByteCount = 200

  /// The size for the limit `storedBytes`.
  package var byteCount: Int {
    Self.baseByteCount + userInfo.byteCount + (snapshot?.utf8.count ?? 0) + (name?.utf8.count ?? 0)
      + (title?.utf8.count ?? 0) + (subtitle?.utf8.count ?? 0) + activationConditions.byteCount
      + (program?.byteCount ?? 0) + (placement?.byteCount ?? 0) + (away?.byteCount ?? 0)
  }
}

extension SessionAttributes: JSONStructure {
  // Another initializer would copy the value once more.
  package init() {
    identifier = .none
    role = .windowApplication
    configuration = SceneConfiguration()
    userInfo = .empty
    maker = ""
    created = 0
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &identifier)
    try visitor.optional("name", &name)
    try visitor.required("role", &role)
    try visitor.required("configuration", &configuration)
    try visitor.optional("configuredByDelegate", &isConfiguredByDelegate, otherwise: false)
    try visitor.optional("userInfo", &userInfo, otherwise: .empty)
    try visitor.optional("title", &title)
    try visitor.optional("subtitle", &subtitle)
    try visitor.optional("snapshot", &snapshot)
    try visitor.optional("program", &program)
    try visitor.optional("placement", &placement)
    try visitor.optional(
      "activationConditions", &activationConditions, otherwise: .standard)
    try visitor.required("maker", &maker)
    try visitor.required("created", &created)
    try visitor.optional("away", &away)
    try visitor.optional("fence", &fence)
  }
}

/// The valid names of sessions.
package enum SessionName {
  /// The problem of a name; nil for a valid name.
  ///
  /// A condition can begin with a name, as in `packing background title=x`, so a name must not look
  /// like another part of a condition.
  package static func problem(with name: String) -> String? {
    let scalars = name.unicodeScalars
    if scalars.allSatisfy(\.properties.isWhitespace) {
      return "must not be blank; omit the name or choose another"
    }
    if scalars.contains(where: { $0.properties.generalCategory == .control }) {
      return "must not contain a control character"
    }
    let other: String? =
      if name == "application" {
        "must not be `application`, which means the application itself in a condition"
      } else if name.hasPrefix("!") {
        "must not begin with `!`, which negates a condition"
      } else if name.hasPrefix("topic:") {
        "must not begin with `topic:`, which means a topic in a condition"
      } else if name.contains("=") {
        "must not contain `=`, which is for comparisons in a condition"
      } else {
        nil
      }
    return other.map { "\($0); choose another name" }
  }
}
