/// What an application's scenes may be: its configurations by role, and what the application does
/// of itself.
package struct Manifest: Equatable, Sendable {
  package var supportsMultipleScenes: Bool
  package var roles: [RoleConfigurations]
  package var budgets: Budgets
  package var policies: Policies
  /// By name.
  package var topics: [String: TopicDeclaration]
  package var applicationDelegate: DelegateParticipation
  /// Made without scenes in mind: one session, and callbacks under their application-level names.
  package var isClassic: Bool
  /// The application's name for people. It names no socket and no directory, as `scened -a` does.
  package var bundleName: String?
  /// The application's version for people.
  package var bundleVersion: String?

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

  /// What applies without a manifest file: one configuration, any number of windows, so that a
  /// first try just works.
  package static let builtIn = Manifest(
    supportsMultipleScenes: true, roles: [.standard])

  /// The application of a property list that says nothing of scenes.
  package static let classic = Manifest(roles: [.standard], isClassic: true)

  /// Which roles there are, behind a word on one that is not; nothing where there are none.
  package var rolesInWords: String {
    let names = roles.filter { !$0.configurations.isEmpty }.map(\.role.rawValue)
    guard !names.isEmpty else { return "" }
    let list = names.prefix(10).map { $0.clipped(to: 100) }.joined(separator: ", ")
    return names.count == 1 ? "; its only role is \(list)" : "; its roles are \(list)"
  }

  /// The configurations of a role; the first is its default.
  package func configurations(for role: Role) -> [SceneConfiguration] {
    roles.first { $0.role == role }?.configurations ?? []
  }

  package func configuration(named name: String, for role: Role) -> SceneConfiguration? {
    configurations(for: role).first { $0.name == name }
  }

  /// A session's configuration as it is here now. If there is none of that name any more, its role's
  /// default takes its place. What the application delegate described is in no manifest, and stays.
  package func currentConfiguration(
    of attributes: SessionAttributes
  ) -> (configuration: SceneConfiguration, isLost: Bool) {
    let made = attributes.configuration
    if attributes.isConfiguredByDelegate { return (made, false) }
    if let same = configuration(named: made.name, for: attributes.role) { return (same, false) }
    return (configurations(for: attributes.role).first ?? made, true)
  }

  /// What starts a client for a session of a configuration, if anything does.
  package func launch(_ configuration: String, for role: Role) -> LaunchCommand? {
    roles.first { $0.role == role }?.launches[configuration]
  }

  /// The role that has a configuration of this name, if any has.
  package func role(ofConfigurationNamed name: String) -> Role? {
    roles.first { $0.configurations.contains { $0.name == name } }?.role
  }
}

package struct RoleConfigurations: Equatable, Sendable {
  package var role: Role
  package var configurations: [SceneConfiguration]
  /// What starts a client for a session of a configuration, by its name.
  package var launches: [String: LaunchCommand]

  package init(
    role: Role, configurations: [SceneConfiguration], launches: [String: LaunchCommand] = [:]
  ) {
    self.role = role
    self.configurations = configurations
    self.launches = launches
  }

  /// Windows, and one kind of them.
  package static let standard = RoleConfigurations(
    role: .windowApplication, configurations: [.standard])
}

extension SceneConfiguration {
  package static let standard = SceneConfiguration(name: "Default Configuration")
}
