package import SceneJSON

/// The number of sessions of a configuration, and whether they are restored.
package enum ConfigurationKind: String, Sendable, CaseIterable {
  /// Any number.
  case group
  /// At most one.
  case window
  /// At most one, which is not restored.
  case settings

  package var hasOneSession: Bool { self != .group }
}

/// The configuration of a scene.
package struct SceneConfiguration: Equatable, Sendable {
  package var name: String
  /// The delegate class that the client must host.
  package var delegateClass: String?
  package var sceneClass: String?
  /// A reference to initial content that only the client understands.
  package var storyboard: String?
  package var kind: ConfigurationKind
  /// Seconds until `scene` runs a program again after a failure; nil if it does not.
  package var retry: Double?

  /// The most bytes of each text. Every reply about a session has all of them.
  package static let textByteLimit = 256

  package init(
    name: String, delegateClass: String? = nil, sceneClass: String? = nil,
    storyboard: String? = nil, kind: ConfigurationKind = .group, retry: Double? = nil
  ) {
    self.name = name
    self.delegateClass = delegateClass
    self.sceneClass = sceneClass
    self.storyboard = storyboard
    self.kind = kind
    self.retry = retry
  }
}

extension ConfigurationKind: JSONCodable {
  package static var expectation: String { "a kind (group, window or settings)" }

  /// An unknown kind counts as `group`.
  package init(reading value: JSONValue) throws(MemberError) {
    guard value.kind == .string else { throw .expected(Self.self, found: value) }
    self = Self(rawValue: try String(reading: value)) ?? .group
  }
}

extension SceneConfiguration: JSONStructure {
  package init() { self.init(name: "") }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("name", &name)
    try visitor.optional("delegateClass", &delegateClass)
    try visitor.optional("sceneClass", &sceneClass)
    try visitor.optional("storyboard", &storyboard)
    try visitor.optional("kind", &kind, otherwise: .group)
    try visitor.optional("retry", &retry)
  }
}
