/// The first request of a connection: the protocol versions and the client.
package struct Initialize: RequestMessage {
  package static var method: StaticString { "initialize" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }
  package var concernsProcess: Bool {
    launch != nil || kind == .scene || kind == .applicationDelegate
  }

  package var protocolRange = ProtocolRange()
  package var client = ClientName()
  package var kind: ClientKind = .scene
  /// The delegate classes that the client hosts; `*` for any.
  package var hosts: [String] = []
  /// The value of ``launchVariable`` in a process that the broker started. It selects the session
  /// for which the broker started the process.
  package var launch: String?

  package init() {}

  package init(
    client: ClientName, as kind: ClientKind, hosts: [String] = [], launch: String? = nil
  ) {
    self.client = client
    self.kind = kind
    self.hosts = hosts
    self.launch = launch
  }

  /// The environment variable with the token of a launched process.
  package static let launchVariable = "SCENE_LAUNCH"

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("protocol", &protocolRange)
    try visitor.required("client", &client)
    try visitor.optional("as", &kind, otherwise: .scene)
    try visitor.optional("hosts", &hosts, otherwise: [])
    try visitor.optional("launch", &launch)
  }

  /// The chosen version, and the broker.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var version: Int64 = 0
    package var broker = BrokerIdentity()
    package var application = ApplicationSummary()
    package var limits = PublishedLimits()
    /// The names of the variables that an activation sends; nil for the standard ones.
    package var environment: [String]?

    package init() {}

    package mutating func visitMembers<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.required("protocol", &version)
      try visitor.required("broker", &broker)
      try visitor.required("application", &application)
      try visitor.required("limits", &limits)
      try visitor.optional("environment", &environment)
    }
  }
}

/// The protocol versions that a peer supports.
package struct ProtocolRange: JSONStructure, Equatable, Sendable {
  package var min: Int64
  package var max: Int64

  /// The only version.
  package static let spoken = ProtocolRange()

  package init() { (min, max) = (1, 1) }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("min", &min)
    try visitor.required("max", &max)
  }

  /// The newest version that both peers support.
  package func newest(with other: ProtocolRange) -> Int64? {
    let newest = Swift.min(max, other.max)
    return newest >= Swift.max(min, other.min) ? newest : nil
  }
}

/// The name of a client program.
package struct ClientName: JSONStructure, Hashable, Sendable {
  package var name = ""
  package var version = ""

  package init() {}

  package init(name: String, version: String) {
    self.name = name
    self.version = version
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("name", &name)
    try visitor.optional("version", &version, otherwise: "")
  }
}

/// The kind of a client, which determines its permissions.
package enum ClientKind: String, Sendable, CaseIterable, JSONCodable {
  /// The client has scenes.
  case scene
  /// The client acts on all scenes, on the application and on the broker.
  case control
  /// The client only reads.
  case observer
  /// The application delegate; at most one is connected.
  case applicationDelegate
}

package struct BrokerIdentity: JSONStructure, Equatable, Sendable {
  package var name = "scened"
  package var version = ""
  /// Each start of a broker has another value.
  package var instance = ""
  package var pid: Int64 = 0

  package init() {}

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("name", &name)
    try visitor.required("version", &version)
    try visitor.required("instance", &instance)
    try visitor.required("pid", &pid)
  }
}

package struct ApplicationSummary: JSONStructure, Equatable, Sendable {
  package var name = ""
  package var phase: ApplicationPhase = .background
  package var classic = false
  /// The application's display name and version from the manifest.
  package var bundleName: String?
  package var bundleVersion: String?

  package init() {}

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("name", &name)
    try visitor.required("phase", &phase)
    try visitor.required("classic", &classic)
    try visitor.optional("bundleName", &bundleName)
    try visitor.optional("bundleVersion", &bundleVersion)
  }
}

/// The limits that a client must know.
package struct PublishedLimits: JSONStructure, Equatable, Sendable {
  package var frameBytes = 0
  package var activityBytes = 0

  package init() {}

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("frameBytes", &frameBytes)
    try visitor.required("activityBytes", &activityBytes)
  }
}
