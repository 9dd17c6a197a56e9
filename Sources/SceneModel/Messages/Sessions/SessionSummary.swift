package import SceneJSON

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
  /// The activity that the broker withholds from the session's scenes.
  package var withheld: Withholding?
  package var program: SessionProgram?
  /// The place of the window. See ``ScenePlacement``.
  package var placement: OpaqueObject?

  /// Whether the session has no scene and its user did not close the last one.
  package var wasOpen: Bool { state == .unattached && disconnect?.isByUser == false }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
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
    try visitor.optional("withheld", &withheld)
    try visitor.optional("program", &program)
    try visitor.optional("placement", &placement)
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

  package init(_ stored: StoredSession, scene: SceneStatus?) {
    self.init(
      session: stored.attributes.identifier, name: stored.attributes.name,
      title: stored.attributes.shownTitle, role: stored.attributes.role,
      configuration: stored.attributes.configuration.name,
      state: scene?.state ?? .unattached, target: scene?.target ?? .unattached,
      client: scene?.client, lastUsed: stored.hold.used, created: stored.attributes.created,
      generation: stored.generation, disconnect: scene == nil ? stored.hold.end : nil,
      withheld: stored.withheldOrPinned, program: stored.attributes.program,
      placement: stored.attributes.placement)
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
  /// same number. Only a summary has it, if it is known.
  package var startTime: UInt64?

  package init() {}

  package init(name: String, pid: Int64) {
    self.name = name
    self.pid = pid
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("name", &name)
    try visitor.required("pid", &pid)
    try visitor.optional("started", &startTime)
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

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
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
      title: session.attributes.shownTitle, subtitle: session.attributes.subtitle,
      activationConditions: ActivationConditionTexts(session.attributes.activationConditions),
      program: session.attributes.program, placement: session.attributes.placement)
  }
}

/// All properties of a session: the record, and the summary.
///
/// A value moves several times before it is written. Until then it refers to the stored session,
/// which does not change.
package struct SessionDetails: Equatable, Sendable {
  private var content: Content

  private enum Content: Sendable {
    case unattached(StoredSession)
    indirect case attached(StoredSession, SceneStatus)
    indirect case members(Members)
  }

  fileprivate struct Members: Equatable, Sendable {
    var sceneSession: SceneSessionRecord
    var summary: SessionSummary
    var snapshot: String?
  }

  package init(_ stored: StoredSession, scene: SceneStatus?) {
    content = scene.map { .attached(stored, $0) } ?? .unattached(stored)
  }

  package init(sceneSession: SceneSessionRecord, summary: SessionSummary, snapshot: String?) {
    content = .members(
      Members(sceneSession: sceneSession, summary: summary, snapshot: snapshot))
  }

  private var members: Members {
    switch content {
    case .members(let members): members
    case .unattached(let stored): Members(stored, scene: nil)
    case .attached(let stored, let scene): Members(stored, scene: scene)
    }
  }

  package var sceneSession: SceneSessionRecord { members.sceneSession }
  package var summary: SessionSummary { members.summary }
  package var snapshot: String? { members.snapshot }

  package static func == (one: Self, other: Self) -> Bool { one.members == other.members }
}

extension SessionDetails: JSONStructure {
  package init() {
    self.init(sceneSession: SceneSessionRecord(), summary: SessionSummary(), snapshot: nil)
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    var members = self.members
    try members.visitMembers(&visitor)
    content = .members(members)
  }

  package func write(to writer: inout JSONWriter) {
    switch content {
    case .members(let members): members.write(to: &writer)
    case .unattached(let stored): stored.writeDetails(nil, to: &writer)
    case .attached(let stored, let scene): stored.writeDetails(scene, to: &writer)
    }
  }

  /// A message lends its members to the writer. `visitMembers` would replace the lent content and
  /// free it while the message still uses it.
  package mutating func writeInPlace(to writer: inout JSONWriter) { write(to: &writer) }
}

// `session/show` is the most frequent request, so these functions write the stored session in
// place. A `SceneSessionRecord` and a `SessionSummary` would copy every string. The JSON is the
// same. Writing in place is a formal mutation; safe because only the loop's thread encodes.
extension StoredSession {
  fileprivate func writeDetails(_ scene: SceneStatus?, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("sceneSession")
    writeRecord(to: &writer)
    writeSummary(scene, to: &writer)
    writer.optional("snapshot", &attributes.snapshot)
    writer.endObject()
  }

  private func writeRecord(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("persistentIdentifier", &attributes.identifier)
    writer.required("name", &attributes.name)
    writer.member("role", &attributes.role)
    writer.member("configuration", &attributes.configuration)
    writer.member("userInfo", &attributes.userInfo)
    writer.name("stateRestorationActivity")
    if let activity { activity.write(to: &writer) } else { writer.null() }
    writeTitle(to: &writer)
    writer.optional("subtitle", &attributes.subtitle)
    if attributes.activationConditions != .standard {
      writer.member("activationConditions", &attributes.activationConditions)
    }
    writer.optional("program", &attributes.program)
    writer.optional("placement", &attributes.placement)
    writer.endObject()
  }

  private func writeSummary(_ scene: SceneStatus?, to writer: inout JSONWriter) {
    writer.member("session", &attributes.identifier)
    writer.required("name", &attributes.name)
    writeTitle(to: &writer)
    writer.member("role", &attributes.role)
    writer.member("configuration", &attributes.configuration.name)
    writer.name("state")
    (scene?.state ?? .unattached).write(to: &writer)
    writer.name("target")
    (scene?.target ?? .unattached).write(to: &writer)
    if var client = scene?.client { writer.member("client", &client) }
    writer.member("lastUsed", &hold.used)
    writer.member("created", &attributes.created)
    writer.name("generation")
    writer.integer(generation)
    if scene == nil { writer.optional("disconnect", &hold.end) }
    if var withheldOrPinned { writer.member("withheld", &withheldOrPinned) }
    writer.optional("program", &attributes.program)
    writer.optional("placement", &attributes.placement)
  }

  private func writeTitle(to writer: inout JSONWriter) {
    guard attributes.title == nil, var title = attributes.shownTitle else {
      return writer.required("title", &attributes.title)
    }
    writer.member("title", &title)
  }
}

extension SessionDetails.Members {
  fileprivate init(_ stored: StoredSession, scene: SceneStatus?) {
    self.init(
      sceneSession: SceneSessionRecord(stored), summary: SessionSummary(stored, scene: scene),
      snapshot: stored.attributes.snapshot)
  }
}

extension SessionDetails.Members: JSONStructure {
  init() { self.init(sceneSession: SceneSessionRecord(), summary: SessionSummary()) }

  mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("sceneSession", &sceneSession)
    try summary.visitMembers(&visitor)
    try visitor.optional("snapshot", &snapshot)
  }
}
