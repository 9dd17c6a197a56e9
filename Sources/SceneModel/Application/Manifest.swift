/// The configurations of an application by role, and its policies.
package struct Manifest: Equatable, Sendable {
  package var supportsMultipleScenes: Bool
  package var roles: [RoleConfigurations]
  package var budgets: Budgets
  package var policies: Policies
  /// By name.
  package var topics: [String: TopicDeclaration]
  package var applicationDelegate: DelegateParticipation
  /// Whether the application is classic: one session, and callbacks with their application-level
  /// names.
  package var isClassic: Bool
  /// The application's display name. It names no socket and no directory, unlike `scened -a`.
  package var bundleName: String?
  /// The application's display version.
  package var bundleVersion: String?
  /// The names of the variables that an activation sends; nil for the standard ones.
  package var updateEnvironment: [String]?

  package init(
    supportsMultipleScenes: Bool = false, roles: [RoleConfigurations],
    budgets: Budgets = Budgets(), policies: Policies = Policies(),
    topics: [String: TopicDeclaration] = [:],
    applicationDelegate: DelegateParticipation = .standard, isClassic: Bool = false,
    bundleName: String? = nil, bundleVersion: String? = nil
  ) {
    self.supportsMultipleScenes = supportsMultipleScenes
    self.roles = roles
    self.budgets = budgets
    self.policies = policies
    self.topics = topics
    self.applicationDelegate = applicationDelegate
    self.isClassic = isClassic
    self.bundleName = bundleName
    self.bundleVersion = bundleVersion
  }

  /// The manifest without a file: one configuration and any number of windows.
  package static let builtIn = Manifest(
    supportsMultipleScenes: true, roles: [.standard])

  /// The manifest of a property list without scenes.
  package static let classic = Manifest(roles: [.standard], isClassic: true)

  /// A phrase with the roles of the manifest, for an error; empty without roles.
  package var rolesInWords: String {
    let names = roles.filter { !$0.configurations.isEmpty }.map(\.role.rawValue)
    guard !names.isEmpty else { return "" }
    let list = names.prefix(10).map { $0.clipped(to: 100) }.joined(separator: ", ")
    return names.count == 1 ? "; its only role is \(list)" : "; its roles are \(list)"
  }

  /// The configurations of a role. The first is the default.
  package func configurations(for role: Role) -> [SceneConfiguration] {
    roles.first { $0.role == role }?.configurations ?? []
  }

  package func configuration(named name: String, for role: Role) -> SceneConfiguration? {
    configurations(for: role).first { $0.name == name }
  }

  /// A session's configuration in this manifest: the one with its name, or the default of its role.
  /// A configuration that the application delegate described stays.
  package func currentConfiguration(
    of attributes: SessionAttributes
  ) -> (configuration: SceneConfiguration, isLost: Bool) {
    let made = attributes.configuration
    if attributes.isConfiguredByDelegate { return (made, false) }
    if let same = configuration(named: made.name, for: attributes.role) { return (same, false) }
    return (configurations(for: attributes.role).first ?? made, true)
  }

  /// The program for sessions of a configuration, if it has one.
  package func launch(_ configuration: String, for role: Role) -> LaunchCommand? {
    roles.first { $0.role == role }?.launches[configuration]
  }

  /// The role with a configuration of this name.
  package func role(ofConfigurationNamed name: String) -> Role? {
    roles.first { $0.configurations.contains { $0.name == name } }?.role
  }
}

package struct RoleConfigurations: Equatable, Sendable {
  package var role: Role
  package var configurations: [SceneConfiguration]
  /// The programs for sessions, by the name of their configuration.
  package var launches: [String: LaunchCommand]

  package init(
    role: Role, configurations: [SceneConfiguration], launches: [String: LaunchCommand] = [:]
  ) {
    self.role = role
    self.configurations = configurations
    self.launches = launches
  }

  /// The role of windows, with one configuration.
  package static let standard = RoleConfigurations(
    role: .windowApplication, configurations: [.standard])
}

extension SceneConfiguration {
  package static let standard = SceneConfiguration(name: "Default Configuration")
}
