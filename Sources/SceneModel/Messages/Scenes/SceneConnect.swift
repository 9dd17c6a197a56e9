/// Connects the client as the scene of a session: a named one, a new one, or the best match.
package struct SceneConnect: RequestMessage {
  package static var method: StaticString { "scene/connect" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { !new }
  package var concernsProcess: Bool { true }

  package var session: SessionIdentifier?
  package var name: String?
  package var new: Bool = false
  /// Resumes a scene whose client lost only the connection.
  package var resume: Resume?
  /// Disconnects the present holder of the session.
  package var takeOver: Bool = false
  /// Whether the scene stays in the background.
  package var background: Bool = false
  package var role: Role?
  package var configuration: String?
  package var title: String?
  package var program: SessionProgram?
  /// For a new session only.
  package var userInfo: OpaqueObject?
  /// With `resume`: the activity that the broker saves first.
  package var activity: Activity?
  package var options: ConnectionOptions?

  package init() {}

  package init(
    session: SessionIdentifier? = nil, name: String? = nil, new: Bool = false,
    resume: Resume? = nil, takeOver: Bool = false, background: Bool = false, role: Role? = nil,
    configuration: String? = nil, title: String? = nil, program: SessionProgram? = nil,
    userInfo: OpaqueObject? = nil, activity: Activity? = nil, options: ConnectionOptions? = nil
  ) {
    self.session = session
    self.name = name
    self.new = new
    self.resume = resume
    self.takeOver = takeOver
    self.background = background
    self.role = role
    self.configuration = configuration
    self.title = title
    self.program = program
    self.userInfo = userInfo
    self.activity = activity
    self.options = options
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("session", &session)
    try visitor.optional("name", &name)
    try visitor.optional("new", &new, otherwise: false)
    try visitor.optional("resume", &resume)
    try visitor.optional("takeOver", &takeOver, otherwise: false)
    try visitor.optional("background", &background, otherwise: false)
    try visitor.optional("role", &role)
    try visitor.optional("configuration", &configuration)
    try visitor.optional("title", &title)
    try visitor.optional("program", &program)
    try visitor.optional("userInfo", &userInfo)
    try visitor.optional("activity", &activity)
    try visitor.optional("options", &options)
  }

  /// The session of the scene. The callbacks follow.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var session: SessionIdentifier = .none
    package var isNew: Bool = false
    package var reason: ConnectReason = .launch
    /// The number that the client presents when it resumes.
    package var hold: Int64 = 0

    package init() {}

    package init(
      session: SessionIdentifier, isNew: Bool = false, reason: ConnectReason, hold: Int64
    ) {
      self.session = session
      self.isNew = isNew
      self.reason = reason
      self.hold = hold
    }

    package mutating func visitMembers<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.required("session", &session)
      try visitor.required("isNew", &isNew)
      try visitor.required("reason", &reason)
      try visitor.required("hold", &hold)
    }
  }
}

/// The state of a scene that resumes.
package struct Resume: JSONStructure, Equatable, Sendable {
  package var state: ActivationState = .background
  /// The hold from the reply to the connect.
  package var hold: Int64 = 0

  package init() {}

  package init(state: ActivationState, hold: Int64) {
    self.state = state
    self.hold = hold
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("state", &state)
    try visitor.required("hold", &hold)
  }
}
