package import JSON

/// How many sessions a configuration may have, and whether they are restored.
package enum ConfigurationKind: String, Sendable, CaseIterable {
  /// Any number.
  case group
  /// At most one.
  case window
  /// At most one, and it starts afresh each time.
  case settings
}

/// What a scene is made from.
package struct SceneConfiguration: Equatable, Sendable {
  package var name: String
  /// The class of delegate that a client must host to be given such a scene.
  package var delegateClass: String?
  package var sceneClass: String?
  /// A reference to initial content that only the client understands.
  package var storyboard: String?
  package var kind: ConfigurationKind

  /// Bytes that each of its texts may have: all of them stand in every reply about a session.
  package static let textByteLimit = 256

  package init(
    name: String, delegateClass: String? = nil, sceneClass: String? = nil,
    storyboard: String? = nil, kind: ConfigurationKind = .group
  ) {
    self.name = name
    self.delegateClass = delegateClass
    self.sceneClass = sceneClass
    self.storyboard = storyboard
    self.kind = kind
  }
}

extension ConfigurationKind: JSONCodable {
  package static var expectation: String { "a kind (group, window or settings)" }

  /// A kind that this version does not know is read as `group`.
  package init(reading value: JSONValue) throws(MemberError) {
    guard value.kind == .string else { throw .expected(Self.self, found: value) }
    self = Self(rawValue: try String(reading: value)) ?? .group
  }
}

extension SceneConfiguration: JSONStructure {
  package init() { self.init(name: "") }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("name", &name)
    try visitor.optional("delegateClass", &delegateClass)
    try visitor.optional("sceneClass", &sceneClass)
    try visitor.optional("storyboard", &storyboard)
    try visitor.optional("kind", &kind, otherwise: .group)
  }
}
