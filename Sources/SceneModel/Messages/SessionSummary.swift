/// The short properties of a session, for lists.
package struct SessionSummary: JSONStructure, Equatable, Sendable {
  package var session: SessionIdentifier
  package var name: String?
  package var title: String?
  package var role: Role
  package var configuration: String
  package var state: ActivationState
  package var target: ActivationState
  package var client: ClientReference?
  /// Milliseconds since 1970.
  package var lastUsed: Int64
  /// Milliseconds since 1970; nil from an older broker.
  package var created: Int64?
  package var generation: Int64
  /// How the last scene ended, while the session has no scene.
  package var disconnect: DisconnectOutcome?
  /// The restarts of a crashed program, while the session has no scene.
  package var restart: SessionRestart?
  /// The activity that the broker withholds from the session's scenes.
  package var withheld: Withholding?
  package var program: SessionProgram?
  /// The place of the window. See ``ScenePlacement``.
  package var placement: OpaqueObject?
  /// The host that has the session; nil if the session is present.
  package var away: SessionAway?
  /// The number of the last move of a present session.
  package var fence: Int64?
  /// The end of the session's time in the trash, in milliseconds since 1970.
  package var until: Int64?

  /// Whether the session is present without a scene and its user did not close the last one. A
  /// kept terminal whose window was closed counts too.
  package var wasOpen: Bool {
    client?.terminal?.lostWindow == true
      || state == .unattached && away == nil && disconnect?.isByUser == false
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("name", &name)
    try visitor.required("title", &title)
    try visitor.required("role", &role)
    try visitor.required("configuration", &configuration)
    try visitor.required("state", &state)
    try visitor.required("target", &target)
    try visitor.optional("client", &client)
    try visitor.required("lastUsed", &lastUsed)
    try visitor.optional("created", &created)
    try visitor.required("generation", &generation)
    try visitor.optional("disconnect", &disconnect)
    try visitor.optional("restart", &restart)
    try visitor.optional("withheld", &withheld)
    try visitor.optional("program", &program)
    try visitor.optional("placement", &placement)
    try visitor.optional("away", &away)
    try visitor.optional("fence", &fence)
    try visitor.optional("until", &until)
  }
}

// These initializers fill all members at once. A value that is filled member by member is copied
// once more at the end.
extension SessionSummary {
  package init() {
    self.init(
      session: .none, role: .windowApplication, configuration: "", state: .unattached,
      target: .unattached, lastUsed: 0, generation: 0)
  }

  package init(_ stored: StoredSession, scene: SceneStatus?, restart: SessionRestart? = nil) {
    self.init(
      session: stored.attributes.identifier, name: stored.attributes.name,
      title: stored.shownTitle, role: stored.attributes.role,
      configuration: stored.attributes.configuration.name,
      state: scene?.state ?? .unattached, target: scene?.target ?? .unattached,
      client: scene?.client, lastUsed: stored.hold.used, created: stored.attributes.created,
      generation: stored.generation, disconnect: scene == nil ? stored.hold.end : nil,
      restart: restart,
      withheld: stored.withheldOrPinned, program: stored.attributes.program,
      placement: stored.attributes.placement, away: stored.attributes.away,
      fence: stored.attributes.fence)
  }
}

/// The restarts of a session's program, which has crashed.
package struct SessionRestart: JSONStructure, Equatable, Sendable {
  /// The number of restarts in a row.
  package var count: Int64 = 0
  /// The time of the next one, in milliseconds since 1970; nil if there is none.
  package var next: Int64?

  package init() {}

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("count", &count)
    try visitor.optional("next", &next)
  }
}

/// The state of a session's scene, and its client.
package struct SceneStatus: Sendable {
  package var state: ActivationState
  package var target: ActivationState
  package var client: ClientReference?

  package init(state: ActivationState, target: ActivationState, client: ClientReference?) {
    self.state = state
    self.target = target
    self.client = client
  }
}

/// The process that holds a session.
package struct ClientReference: JSONStructure, Equatable, Sendable {
  package var name = ""
  package var pid: Int64 = 0
  /// The start time of the process in the kernel's units, which distinguishes processes with the
  /// same number. Only a summary and the entry `connected` have it, if it is known.
  package var startTime: UInt64?
  /// The process of the program that the client runs for the session, as the client states. The
  /// name is the program's then.
  package var program: Int64?
  /// The windows of the program's terminal, if it is a kept one. Only a summary has them.
  package var terminal: KeptTerminal?
  /// Whether the client has not answered a ping of the scene. Only a summary has it.
  package var isUnresponsive = false

  package init() {}

  package init(name: String, pid: Int64) {
    self.name = name
    self.pid = pid
  }

  /// The process that a user knows, with its name. Not escaped.
  package var label: String { "\(name) \(shownPID)" }

  /// The client's own process, which a user does not know if it runs a program. Not escaped.
  package var processLabel: String {
    program == nil ? label : "process \(pid), which runs \(label),"
  }

  /// The process with a shorter name, without what only a summary has.
  package func clipped(to byteCount: Int) -> ClientReference {
    var clipped = ClientReference(name: name.clipped(to: byteCount), pid: pid)
    (clipped.startTime, clipped.program) = (startTime, program)
    return clipped
  }

  /// Whether both can be the same process: the numbers are equal, and no start times differ.
  package func canBe(_ other: ClientReference) -> Bool {
    pid == other.pid && (startTime ?? other.startTime) == (other.startTime ?? startTime)
  }

  /// The program's process, or else the client's.
  package var shownPID: Int64 { program ?? pid }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("name", &name)
    try visitor.required("pid", &pid)
    try visitor.optional("started", &startTime)
    try visitor.optional("program", &program)
    try visitor.optional("terminal", &terminal)
    try visitor.optional("unresponsive", &isUnresponsive, otherwise: false)
  }
}

/// The session in callbacks.
package struct SceneSessionRecord: JSONStructure, Equatable, Sendable {
  package var persistentIdentifier: SessionIdentifier
  package var name: String?
  package var role: Role
  package var configuration: SceneConfiguration
  package var userInfo: OpaqueObject
  package var stateRestorationActivity: Activity?
  package var title: String?
  package var subtitle: String?
  /// Nil for the default conditions.
  package var activationConditions: ActivationConditionTexts?
  package var program: SessionProgram?
  /// The place of the window. See ``ScenePlacement``.
  package var placement: OpaqueObject?

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("persistentIdentifier", &persistentIdentifier)
    try visitor.required("name", &name)
    try visitor.required("role", &role)
    try visitor.required("configuration", &configuration)
    try visitor.required("userInfo", &userInfo)
    try visitor.required("stateRestorationActivity", &stateRestorationActivity)
    try visitor.required("title", &title)
    try visitor.optional("subtitle", &subtitle)
    try visitor.optional("activationConditions", &activationConditions)
    try visitor.optional("program", &program)
    try visitor.optional("placement", &placement)
  }
}

extension SceneSessionRecord {
  package init() {
    self.init(
      persistentIdentifier: .none, role: .windowApplication,
      configuration: SceneConfiguration(), userInfo: .empty)
  }

  package init(_ session: StoredSession) {
    self.init(
      persistentIdentifier: session.attributes.identifier, name: session.attributes.name,
      role: session.attributes.role, configuration: session.attributes.configuration,
      userInfo: session.attributes.userInfo, stateRestorationActivity: session.activity,
      title: session.shownTitle, subtitle: session.attributes.subtitle,
      activationConditions: ActivationConditionTexts(session.attributes.activationConditions),
      program: session.attributes.program, placement: session.attributes.placement)
  }
}

/// All properties of a session: the record, and the summary.
package struct SessionDetails: JSONStructure, Equatable, Sendable {
  package var sceneSession: SceneSessionRecord
  package var summary: SessionSummary
  package var snapshot: String?
  /// The name of the client program that created the session.
  package var maker: String?
  /// The end of the scene before, while the session has a scene.
  package var lastEnd: LastEnd?

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("sceneSession", &sceneSession)
    try summary.visitMembers(&visitor)
    try visitor.optional("snapshot", &snapshot)
    try visitor.optional("maker", &maker)
    try visitor.optional("lastEnd", &lastEnd)
  }
}

extension SessionDetails {
  package init() { self.init(sceneSession: SceneSessionRecord(), summary: SessionSummary()) }

  package init(_ stored: StoredSession, scene: SceneStatus?, restart: SessionRestart? = nil) {
    self.init(
      sceneSession: SceneSessionRecord(stored),
      summary: SessionSummary(stored, scene: scene, restart: restart),
      snapshot: stored.attributes.snapshot, maker: stored.attributes.maker,
      lastEnd: stored.hold.lastEnd)
  }
}
