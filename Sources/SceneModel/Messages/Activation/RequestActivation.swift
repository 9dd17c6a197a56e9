/// Activates a session, or makes a new one. The broker answers when the scene has reached the
/// foreground, was diverted or was refused.
package struct RequestActivation: RequestMessage {
  package static var method: StaticString { "application/requestSceneSessionActivation" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { session != nil || name != nil }

  package var session: SessionIdentifier?
  /// The broker makes a session if none has this name.
  package var name: String?
  package var role: Role?
  package var configuration: String?
  package var userActivity: Activity?
  package var options: ActivationOptions?
  /// The variables of the requester's login. Only a control has them.
  package var environment: LoginEnvironment?

  package init() {}

  package init(
    session: SessionIdentifier? = nil, name: String? = nil, role: Role? = nil,
    configuration: String? = nil, userActivity: Activity? = nil, options: ActivationOptions? = nil,
    environment: LoginEnvironment? = nil
  ) {
    self.session = session
    self.name = name
    self.role = role
    self.configuration = configuration
    self.userActivity = userActivity
    self.options = options
    self.environment = environment
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("session", &session)
    try visitor.optional("name", &name)
    try visitor.optional("role", &role)
    try visitor.optional("configuration", &configuration)
    try visitor.optional("userActivity", &userActivity)
    try visitor.optional("options", &options)
    try visitor.optional("environment", &environment)
  }

  /// The activated session.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var session: SessionIdentifier = .none
    package var isNew: Bool = false

    package init() {}

    package init(session: SessionIdentifier, isNew: Bool = false) {
      self.session = session
      self.isNew = isNew
    }

    package mutating func visitMembers<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.required("session", &session)
      try visitor.required("isNew", &isNew)
    }
  }
}

package struct ActivationOptions: JSONStructure, Equatable, Sendable {
  package var requestingScene: SessionIdentifier?
  /// The content to show. Without a named session, the activation conditions select the session.
  package var targetContentIdentifier: String?
  /// Whether the scene stays in the background.
  package var background = false

  package init() {}

  package init(
    requestingScene: SessionIdentifier? = nil, targetContentIdentifier: String? = nil,
    background: Bool = false
  ) {
    self.requestingScene = requestingScene
    self.targetContentIdentifier = targetContentIdentifier
    self.background = background
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("requestingScene", &requestingScene)
    try visitor.optional("targetContentIdentifier", &targetContentIdentifier)
    try visitor.optional("background", &background, otherwise: false)
  }
}
