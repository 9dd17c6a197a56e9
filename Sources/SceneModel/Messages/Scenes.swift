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

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
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

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
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

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("state", &state)
    try visitor.required("hold", &hold)
  }
}

/// Disconnects a scene at once, without callbacks. The session stays.
package struct SceneDisconnect: RequestMessage {
  package static var method: StaticString { "scene/disconnect" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }

  package var session: SessionIdentifier = .none
  /// The activity that the broker saves first; null clears the stored one.
  package var activity: Patch<Activity> = .absent
  /// Why the client ends, if the user did not close the scene.
  package var cause: DisconnectCause?
  /// How the program of the scene failed. The scene ends as if the connection was lost.
  package var exit: ClientExit?

  package init() {}

  package init(
    session: SessionIdentifier, activity: Patch<Activity> = .absent, exit: ClientExit? = nil
  ) {
    self.session = session
    self.activity = activity
    self.exit = exit
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.optional("activity", &activity)
    try visitor.optional("cause", &cause)
    try visitor.optional("exit", &exit)
  }
}

/// Moves a scene to another state. The broker answers when the scene has reached it or was
/// diverted.
package struct SceneTransition: RequestMessage {
  package static var method: StaticString { "scene/transition" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }

  package var session: SessionIdentifier = .none
  package var to: ActivationState = .background
  /// The reason of a move to unattached.
  package var reason: DisconnectReason?
  /// Why the client ends, if the user did not close the scene.
  package var cause: DisconnectCause?
  /// With `windowClosed`: the number of the hold that ended.
  package var hold: Int64?
  /// With `handedOff`: the host that gets the session.
  package var host: String?

  package init() {}

  package init(
    session: SessionIdentifier, to: ActivationState, reason: DisconnectReason? = nil,
    cause: DisconnectCause? = nil, hold: Int64? = nil, host: String? = nil
  ) {
    self.session = session
    self.to = to
    self.reason = reason
    self.cause = cause
    self.hold = hold
    self.host = host
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("to", &to)
    try visitor.optional("reason", &reason)
    try visitor.optional("cause", &cause)
    try visitor.optional("hold", &hold)
    try visitor.optional("host", &host)
  }

  /// The state of the scene.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var state: ActivationState = .unattached

    package init() {}

    package init(state: ActivationState) {
      self.state = state
    }

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("state", &state)
    }
  }
}

/// Changes the properties that lists show, the activation conditions, the program and the
/// placement; null removes a member.
package struct SceneUpdate: RequestMessage {
  package static var method: StaticString { "scene/update" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }
  package var lastWords: LastWords { .of(session) }

  package var session: SessionIdentifier = .none
  package var title: Patch<String> = .absent
  package var subtitle: Patch<String> = .absent
  /// The text that shows the scene in the switcher.
  package var snapshot: Patch<String> = .absent
  package var activationConditions: Patch<ActivationConditionTexts> = .absent
  package var program: Patch<SessionProgram> = .absent
  /// The place of the window. See ``ScenePlacement``.
  package var placement: Patch<OpaqueObject> = .absent
  /// The running process of the program. The broker keeps it until
  /// the connection ends, or gets another scene.
  package var process: Patch<ProgramProcess> = .absent
  /// A problem of the scene, for the trace and the log. The broker does not store it.
  package var problem: String?

  package init() {}

  package init(
    session: SessionIdentifier, title: Patch<String> = .absent,
    subtitle: Patch<String> = .absent, snapshot: Patch<String> = .absent,
    activationConditions: Patch<ActivationConditionTexts> = .absent,
    program: Patch<SessionProgram> = .absent, placement: Patch<OpaqueObject> = .absent,
    process: Patch<ProgramProcess> = .absent, problem: String? = nil
  ) {
    self.session = session
    self.title = title
    self.subtitle = subtitle
    self.snapshot = snapshot
    self.activationConditions = activationConditions
    self.program = program
    self.placement = placement
    self.process = process
    self.problem = problem
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.optional("title", &title)
    try visitor.optional("subtitle", &subtitle)
    try visitor.optional("snapshot", &snapshot)
    try visitor.optional("activationConditions", &activationConditions)
    try visitor.optional("program", &program)
    try visitor.optional("placement", &placement)
    try visitor.optional("process", &process)
    try visitor.optional("problem", &problem)
  }
}

/// The process of the program that a client runs for a session.
package struct ProgramProcess: JSONStructure, Equatable, Sendable {
  package var name = ""
  package var pid: Int64 = 0
  /// The windows of a kept terminal; nil for a program with the terminal of its window.
  package var terminal: KeptTerminal?

  package init() {}

  package init(name: String, pid: Int64, terminal: KeptTerminal? = nil) {
    self.name = name
    self.pid = pid
    self.terminal = terminal
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("name", &name)
    try visitor.required("pid", &pid)
    try visitor.optional("terminal", &terminal)
  }
}

/// Extends the budget of the running callback.
package struct SceneExtend: RequestMessage {
  package static var method: StaticString { "scene/extend" }
  package static var permission: Permission { .changers }
  package var lastWords: LastWords { .of(session) }

  package var session: SessionIdentifier = .none
  /// The time from now.
  package var seconds: Double = 0

  package init() {}

  package init(session: SessionIdentifier, seconds: Double) {
    self.session = session
    self.seconds = seconds
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("seconds", &seconds)
  }
}

/// Begins an assertion: the broker does not reclaim the scene while it is in the background. The
/// name states the purpose.
package struct BeginAssertion: RequestMessage {
  package static var method: StaticString { "scene/beginAssertion" }
  package static var permission: Permission { .changers }
  package var lastWords: LastWords { .of(session) }

  package var session: SessionIdentifier = .none
  package var name: String = ""
  /// The duration after which the assertion ends by itself, at most a day.
  package var seconds: Double = 0

  package init() {}

  package init(session: SessionIdentifier, name: String, seconds: Double) {
    self.session = session
    self.name = name
    self.seconds = seconds
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("name", &name)
    try visitor.required("seconds", &seconds)
  }

  package struct Reply: JSONStructure, Equatable, Sendable {
    /// Unique in the life of one broker.
    package var assertion: Int64 = 0

    package init() {}

    package init(assertion: Int64) { self.assertion = assertion }

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("assertion", &assertion)
    }
  }
}

/// Ends an assertion early.
package struct EndAssertion: RequestMessage {
  package static var method: StaticString { "scene/endAssertion" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }
  package var lastWords: LastWords { .ofAnyScene }

  package var assertion: Int64 = 0

  package init() {}

  package init(assertion: Int64) { self.assertion = assertion }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("assertion", &assertion)
  }
}

/// Sends a signal to the process that holds a session. The trace and the end of the scene then name
/// the sender.
package struct SceneSignal: RequestMessage {
  package static var method: StaticString { "scene/signal" }
  package static var permission: Permission { .controls }

  package var session: SessionIdentifier = .none
  /// The name, such as "TERM", or the number.
  package var signal = "KILL"
  /// The expected process. If another one holds the session, the broker sends nothing.
  package var pid: Int64?

  package init() {}

  package init(session: SessionIdentifier, signal: String, pid: Int64? = nil) {
    self.session = session
    self.signal = signal
    self.pid = pid
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.optional("signal", &signal, otherwise: "KILL")
    try visitor.optional("pid", &pid)
  }
}
