/// What a list says of a session: everything small.
package struct SessionSummary: JSONStructure, Equatable, Sendable {
  package var session: SessionIdentifier = .none
  package var name: String?
  package var title: String?
  package var role: Role = .windowApplication
  package var configuration = ""
  package var state: ActivationState = .unattached
  package var target: ActivationState = .unattached
  package var client: ClientReference?
  /// Milliseconds since 1970.
  package var lastUsed: Int64 = 0
  package var generation: Int64 = 0
  /// How the last scene ended, while there is no new one.
  package var disconnect: SessionEnd?

  package init() {}

  /// At most so many bytes it takes as JSON.
  package var jsonByteCount: Int {
    let texts = [
      name, title, role.rawValue, configuration, client?.name, disconnect?.reason.rawValue,
      disconnect?.callback,
    ]
    return texts.reduce(400) { $0 + ($1?.jsonByteCount ?? 0) }
  }

  package mutating func members<Visitor: MemberVisitor>(
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
    try visitor.required("generation", &generation)
    try visitor.optional("disconnect", &disconnect)
  }
}

/// The process that holds a session.
package struct ClientReference: JSONStructure, Equatable, Sendable {
  package var name = ""
  package var pid: Int64 = 0

  package init() {}

  package init(name: String, pid: Int64) {
    self.name = name
    self.pid = pid
  }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("name", &name)
    try visitor.required("pid", &pid)
  }
}

/// A session as its scene is told of it.
package struct SceneSessionRecord: JSONStructure, Equatable, Sendable {
  package var persistentIdentifier: SessionIdentifier = .none
  package var name: String?
  package var role: Role = .windowApplication
  package var configuration = SceneConfiguration()
  package var userInfo: CarriedObject = .empty
  package var stateRestorationActivity: Activity?
  package var title: String?
  package var subtitle: String?

  package init() {}

  package init(_ session: StoredSession) {
    persistentIdentifier = session.attributes.identifier
    name = session.attributes.name
    role = session.attributes.role
    configuration = session.attributes.configuration
    userInfo = session.attributes.userInfo
    stateRestorationActivity = session.activity
    title = session.attributes.title
    subtitle = session.attributes.subtitle
  }

  package mutating func members<Visitor: MemberVisitor>(
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
  }
}

/// All there is to know of a session: the record, and what a list says of it.
package struct SessionDetails: JSONStructure, Equatable, Sendable {
  package var sceneSession = SceneSessionRecord()
  package var summary = SessionSummary()
  package var snapshot: String?

  package init() {}

  package init(sceneSession: SceneSessionRecord, summary: SessionSummary, snapshot: String?) {
    self.sceneSession = sceneSession
    self.summary = summary
    self.snapshot = snapshot
  }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("sceneSession", &sceneSession)
    try summary.members(&visitor)
    try visitor.optional("snapshot", &snapshot)
  }
}
