package import SceneJSON

/// A request: its parameters, its method and its reply.
package protocol RequestMessage: JSONStructure, Equatable, Sendable {
  associatedtype Reply: ReplyContent = Empty
  static var method: StaticString { get }
  static var permission: Permission { get }
  /// Whether the reply or the effect depends on the scenes.
  static var concernsScenes: Bool { get }
  /// Whether a client can send the request again after it lost the connection, because a second
  /// execution does no harm.
  var isIdempotent: Bool { get }
  /// Whether the broker records the process of the client, or compares it with other processes.
  var concernsProcess: Bool { get }
  /// The scene whose state the request saves or whose time it extends. A client that stops still
  /// sends the request.
  var lastWords: LastWords { get }
  /// Reads the parameters. Absent parameters are the same as an empty object.
  static func read(_ params: JSONValue?) throws(MemberError) -> Self
}

/// The result of a request.
package typealias ReplyContent = JSONCodable & Equatable & Sendable

extension RequestMessage {
  package static var concernsScenes: Bool { true }
  package var isIdempotent: Bool { false }
  package var concernsProcess: Bool { false }
  package var lastWords: LastWords { .none }

  package static func read(_ params: JSONValue?) throws(MemberError) -> Self {
    if let params { return try Self(reading: params) }
    var message = Self()
    var absent = MemberReader(object: nil)
    try message.visitMembers(&absent)
    return message
  }

  package static func readReply(_ result: JSONValue) throws(MemberError) -> BrokerReply {
    BrokerReply(try Reply(reading: result))
  }

  /// Whether both are requests of the same method with the same parameters.
  package func equals(_ other: any RequestMessage) -> Bool { other as? Self == self }
}

package protocol ParameterlessRequest: RequestMessage {}

extension ParameterlessRequest {
  package mutating func visitMembers(_ visitor: inout some MemberVisitor) {}
}

/// Whether a client that stops still sends a request: the last callbacks of a scene save its state
/// and extend their time.
package enum LastWords: Sendable {
  case none
  /// While the client has a scene of the session.
  case of(SessionIdentifier)
  /// While the client has any scene.
  case ofAnyScene
}

/// The clients that can send a request.
package enum Permission: String, Sendable {
  /// All clients.
  case anyone
  /// Scenes, controls and the application delegate, which can change sessions.
  case changers
  /// Only controls: the request acts on the application or the broker.
  case controls
}

/// The result of a request of any type.
package struct BrokerReply: Equatable, Sendable {
  package let content: any ReplyContent

  package init(_ content: any ReplyContent) { self.content = content }

  package static let empty = BrokerReply(Empty())

  package static func == (one: Self, other: Self) -> Bool {
    func equals<Content: ReplyContent>(_ content: Content) -> Bool {
      other.content as? Content == content
    }
    return equals(one.content)
  }
}

/// An empty object: no parameters, or an empty reply.
package struct Empty: CallbackMessage {
  package init() {}
  package mutating func visitMembers(_ visitor: inout some MemberVisitor) {}
}

extension JSONCodable where Self == Empty {
  package static var empty: Self { Empty() }
}

/// The first request of a connection: the protocol versions and the client.
package struct Initialize: RequestMessage {
  package static var method: StaticString { "initialize" }
  package static var permission: Permission { .anyone }
  package static var concernsScenes: Bool { false }
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

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
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

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
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

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
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

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
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

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
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

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
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

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("frameBytes", &frameBytes)
    try visitor.required("activityBytes", &activityBytes)
  }
}

/// Gets an empty reply.
package struct Ping: ParameterlessRequest {
  package static var method: StaticString { "broker/ping" }
  package static var permission: Permission { .anyone }
  package static var concernsScenes: Bool { false }
  package var isIdempotent: Bool { true }

  package init() {}
}

/// Returns all methods, limits and errors of this broker.
package struct Describe: ParameterlessRequest {
  package static var method: StaticString { "broker/describe" }
  package static var permission: Permission { .anyone }
  package static var concernsScenes: Bool { false }
  package var isIdempotent: Bool { true }

  package init() {}

  package typealias Reply = OpaqueObject
}

/// Gets the error with this name, so that a client can test how it handles the error.
package struct ReturnError: RequestMessage {
  package static var method: StaticString { "broker/returnError" }
  package static var permission: Permission { .anyone }
  package static var concernsScenes: Bool { false }
  package var isIdempotent: Bool { true }

  package var reason: String = ""

  package init() {}

  package init(reason: String) {
    self.reason = reason
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("reason", &reason)
  }
}
