package import SceneJSON

/// Asks the application delegate for the configuration of a new session. The session's record has
/// the configuration that the manifest would choose.
package struct ConfigurationForConnecting: CallbackMessage {
  package var sceneSession = SceneSessionRecord()
  package var options: ConnectionOptions = .none

  package init() {}

  package init(sceneSession: SceneSessionRecord, options: ConnectionOptions) {
    self.sceneSession = sceneSession
    self.options = options
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("sceneSession", &sceneSession)
    try visitor.required("options", &options)
  }

  /// The delegate's choice. The manifest or the client determines absent members.
  package struct Answer: JSONStructure, Equatable, Sendable {
    package var configuration: ConfigurationChoice?
    package var userInfo: OpaqueObject?

    package init() {}

    package init(configuration: ConfigurationChoice?, userInfo: OpaqueObject? = nil) {
      self.configuration = configuration
      self.userInfo = userInfo
    }

    package mutating func visitMembers<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.optional("configuration", &configuration)
      try visitor.optional("userInfo", &userInfo)
    }
  }
}

/// A configuration in a delegate's answer.
package enum ConfigurationChoice: Equatable, Sendable {
  /// A configuration of the manifest.
  case named(String)
  case described(ConfigurationDescription)
}

/// A configuration described by its members. Absent members come from the manifest's configuration
/// with this name, or without a name from the default of the role.
package struct ConfigurationDescription: JSONStructure, Equatable, Sendable {
  package var name: String?
  /// The role, if the delegate gives one.
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

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("name", &name)
    try visitor.optional("role", &role)
    try visitor.optional("delegateClass", &delegateClass)
    try visitor.optional("sceneClass", &sceneClass)
    try visitor.optional("storyboard", &storyboard)
    try visitor.optional("kind", &kind)
  }

  /// The configuration, with absent members taken from `known`.
  package func applied(to known: SceneConfiguration) -> SceneConfiguration {
    SceneConfiguration(
      name: name ?? known.name, delegateClass: delegateClass ?? known.delegateClass,
      sceneClass: sceneClass ?? known.sceneClass, storyboard: storyboard ?? known.storyboard,
      kind: kind?.kind ?? known.kind, retry: known.retry)
  }
}

/// A kind in a delegate's answer.
package struct ConfigurationKindName: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static var expectation: String { ConfigurationKind.expectation }

  package var isKnown: Bool { ConfigurationKind(rawValue: rawValue) != nil }

  /// An unknown kind counts as `group`.
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
