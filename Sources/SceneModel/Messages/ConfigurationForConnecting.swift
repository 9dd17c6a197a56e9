package import JSON

/// Asks the application delegate what a session that is being made is to be made from. Its record has
/// the configuration that the manifest would choose.
package struct ConfigurationForConnecting: JSONStructure, Equatable, Sendable {
  package var sceneSession = SceneSessionRecord()
  package var options: ConnectionOptions = .none

  package init() {}

  package init(sceneSession: SceneSessionRecord, options: ConnectionOptions) {
    self.sceneSession = sceneSession
    self.options = options
  }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("sceneSession", &sceneSession)
    try visitor.required("options", &options)
  }

  /// What the delegate chose; what it leaves out is the manifest's, or the client's.
  package struct Answer: JSONStructure, Equatable, Sendable {
    package var configuration: ConfigurationChoice?
    package var userInfo: CarriedObject?

    package init() {}

    package init(configuration: ConfigurationChoice?, userInfo: CarriedObject? = nil) {
      self.configuration = configuration
      self.userInfo = userInfo
    }

    package mutating func members<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.optional("configuration", &configuration)
      try visitor.optional("userInfo", &userInfo)
    }
  }
}

/// A configuration as the application delegate says it.
package enum ConfigurationChoice: Equatable, Sendable {
  /// One of the manifest's.
  case named(String)
  case described(ConfigurationDescription)
}

/// A configuration by its members. The manifest's configuration of that name has those that are left
/// out; without a name, the default of the role does.
package struct ConfigurationDescription: JSONStructure, Equatable, Sendable {
  package var name: String?
  /// Which role it is for, where the delegate says so.
  package var role: Role?
  package var delegateClass: String?
  package var sceneClass: String?
  package var storyboard: String?
  package var kind: ConfigurationKindName?

  package init() {}

  package init(
    name: String?, role: Role? = nil, delegateClass: String? = nil, sceneClass: String? = nil,
    storyboard: String? = nil, kind: ConfigurationKind? = nil
  ) {
    self.name = name
    self.role = role
    self.delegateClass = delegateClass
    self.sceneClass = sceneClass
    self.storyboard = storyboard
    self.kind = kind.map { ConfigurationKindName(rawValue: $0.rawValue) }
  }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("name", &name)
    try visitor.optional("role", &role)
    try visitor.optional("delegateClass", &delegateClass)
    try visitor.optional("sceneClass", &sceneClass)
    try visitor.optional("storyboard", &storyboard)
    try visitor.optional("kind", &kind)
  }

  /// The same configuration of which nothing is left out, as `known` has it.
  package func applied(to known: SceneConfiguration) -> SceneConfiguration {
    SceneConfiguration(
      name: name ?? known.name, delegateClass: delegateClass ?? known.delegateClass,
      sceneClass: sceneClass ?? known.sceneClass, storyboard: storyboard ?? known.storyboard,
      kind: kind?.kind ?? known.kind)
  }
}

/// A kind as a delegate names it.
package struct ConfigurationKindName: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static var expectation: String { ConfigurationKind.expectation }

  package var isKnown: Bool { ConfigurationKind(rawValue: rawValue) != nil }

  /// A kind that this version does not know counts as `group`.
  package var kind: ConfigurationKind { ConfigurationKind(rawValue: rawValue) ?? .group }
}

extension ConfigurationChoice: JSONCodable {
  package static var expectation: String { "a configuration's name, or an object" }

  package init(reading value: JSONValue) throws(MemberError) {
    switch value.kind {
    case .string: self = .named(try String(reading: value))
    case .object: self = .described(try ConfigurationDescription(reading: value))
    case .null, .bool, .number, .array: throw .expected(Self.self, found: value)
    }
  }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .named(let name): writer.string(name)
    case .described(let description): description.write(to: &writer)
    }
  }
}
