package import JSON

/// The first request of a connection: which protocol, and who is asking.
package struct Initialize: RequestMessage {
  package static var method: StaticString { "initialize" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package var protocolRange = ProtocolRange()
  package var client = ClientName()
  package var kind: ClientKind = .scene
  /// The delegate classes it can make scenes of; `*` for any.
  package var hosts: [String] = []
  /// What a process shows that the broker has started, so that it is given the session it was
  /// started for: the value of ``launchVariable``.
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

  /// The variable in which a process that the broker starts finds what it is to show.
  package static let launchVariable = "SCENE_LAUNCH"

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("protocol", &protocolRange)
    try visitor.required("client", &client)
    try visitor.optional("as", &kind, otherwise: .scene)
    try visitor.optional("hosts", &hosts, otherwise: [])
    try visitor.optional("launch", &launch)
  }

  /// What was agreed, and what the broker is.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var version: Int64 = 0
    package var broker = BrokerIdentity()
    package var application = ApplicationSummary()
    package var limits = PublishedLimits()

    package init() {}

    package mutating func members<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.required("protocol", &version)
      try visitor.required("broker", &broker)
      try visitor.required("application", &application)
      try visitor.required("limits", &limits)
    }
  }
}

/// The versions of the protocol that a peer speaks.
package struct ProtocolRange: JSONStructure, Equatable, Sendable {
  package var min: Int64
  package var max: Int64

  /// The one version there is.
  package static let spoken = ProtocolRange()

  package init() { (min, max) = (1, 1) }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("min", &min)
    try visitor.required("max", &max)
  }

  /// The newest version that both speak.
  package func newest(with other: ProtocolRange) -> Int64? {
    let newest = Swift.min(max, other.max)
    return newest >= Swift.max(min, other.min) ? newest : nil
  }
}

/// What a client program calls itself.
package struct ClientName: JSONStructure, Hashable, Sendable {
  package var name = ""
  package var version = ""

  package init() {}

  package init(name: String, version: String) {
    self.name = name
    self.version = version
  }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("name", &name)
    try visitor.optional("version", &version, otherwise: "")
  }
}

/// What a connection is for, and so what it may do.
package enum ClientKind: String, Sendable, CaseIterable {
  /// Makes scenes.
  case scene
  /// The user's hand: acts on scenes that others hold, on the application and on the broker.
  case control
  /// Only looks.
  case observer
  /// Decides and is told for the whole application; there is one at a time.
  case applicationDelegate
}

extension ClientKind: JSONCodable {
  package static var expectation: String { "scene, control, observer or applicationDelegate" }

  package init(reading value: JSONValue) throws(MemberError) {
    guard let kind = Self(rawValue: try String(reading: value)) else {
      throw .expected(oneOf: Self.self, found: value)
    }
    self = kind
  }
}

package struct BrokerIdentity: JSONStructure, Equatable, Sendable {
  package var name = "scened"
  package var version = ""
  /// Another one each time a broker starts.
  package var instance = ""
  package var pid: Int64 = 0

  package init() {}

  package mutating func members<Visitor: MemberVisitor>(
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
  /// The name and the version that the manifest gives the application, for people.
  package var bundleName: String?
  package var bundleVersion: String?

  package init() {}

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("name", &name)
    try visitor.required("phase", &phase)
    try visitor.required("classic", &classic)
    try visitor.optional("bundleName", &bundleName)
    try visitor.optional("bundleVersion", &bundleVersion)
  }
}

/// The limits a client must know to keep within them.
package struct PublishedLimits: JSONStructure, Equatable, Sendable {
  package var frameBytes = 0
  package var activityBytes = 0

  package init() {}

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("frameBytes", &frameBytes)
    try visitor.required("activityBytes", &activityBytes)
  }
}
