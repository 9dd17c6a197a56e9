package import JSON

/// What an application's scenes may be: its configurations by role, and how much time their
/// callbacks have.
package struct Manifest: Equatable, Sendable {
  package var supportsMultipleScenes: Bool
  package var roles: [RoleConfigurations]
  package var budgets: Budgets

  package init(
    supportsMultipleScenes: Bool = false, roles: [RoleConfigurations], budgets: Budgets = Budgets()
  ) {
    self.supportsMultipleScenes = supportsMultipleScenes
    self.roles = roles
    self.budgets = budgets
  }

  /// What applies without a manifest file: one configuration, any number of windows, so that a
  /// first try just works.
  package static let builtIn = Manifest(
    supportsMultipleScenes: true,
    roles: [
      RoleConfigurations(
        role: .windowApplication,
        configurations: [SceneConfiguration(name: "Default Configuration")])
    ])

  /// The configurations of a role; the first is its default.
  package func configurations(for role: Role) -> [SceneConfiguration] {
    roles.first { $0.role == role }?.configurations ?? []
  }

  package func configuration(named name: String, for role: Role) -> SceneConfiguration? {
    configurations(for: role).first { $0.name == name }
  }

  /// A session's configuration as it is here now. If there is none of that name any more, its role's
  /// default takes its place.
  package func currentConfiguration(
    of attributes: SessionAttributes
  ) -> (configuration: SceneConfiguration, isLost: Bool) {
    let made = attributes.configuration
    if let same = configuration(named: made.name, for: attributes.role) { return (same, false) }
    return (configurations(for: attributes.role).first ?? made, true)
  }

  /// The role that has a configuration of this name, if any has.
  package func role(ofConfigurationNamed name: String) -> Role? {
    roles.first { $0.configurations.contains { $0.name == name } }?.role
  }
}

package struct RoleConfigurations: Equatable, Sendable {
  package var role: Role
  package var configurations: [SceneConfiguration]

  package init(role: Role, configurations: [SceneConfiguration]) {
    self.role = role
    self.configurations = configurations
  }
}

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

  package init(reading value: JSONValue) throws(MemberError) {
    guard let kind = Self(rawValue: try String(reading: value)) else {
      throw .expected(Self.self, found: value)
    }
    self = kind
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

/// How long a client may take over a callback before its scene is taken for hung.
package struct Budgets: Equatable, Sendable {
  package var connect: Interval
  package var standard: Interval
  /// By the callback's name, where it differs.
  package var special: [String: Interval]

  package init(
    connect: Interval = .seconds(20), standard: Interval = .seconds(5),
    special: [String: Interval] = [:]
  ) {
    self.connect = connect
    self.standard = standard
    self.special = special
  }
}
