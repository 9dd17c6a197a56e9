/// The configurations of an application by role, and its policies.
package struct Manifest: Equatable, Sendable {
  package var supportsMultipleScenes: Bool
  /// The role of a session whose client names none.
  package var defaultRole = Role.windowApplication
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

  /// The configuration whose `handles` match an identifier of content; nil for the default.
  package func configuration(handling identifier: String, for role: Role) -> SceneConfiguration? {
    let policies = roles.first { $0.role == role }?.policies ?? [:]
    return configurations(for: role).first {
      policies[$0.name]?.handles.contains { $0.matches(identifier) } == true
    }
  }

  /// Whether the window of a session comes back after its client was lost.
  package func reopens(_ attributes: SessionAttributes) -> Bool {
    let configuration = currentConfiguration(of: attributes).configuration
    let policies = roles.first { $0.role == attributes.role }?.policies ?? [:]
    return configuration.kind != .settings && policies[configuration.name]?.reopens != false
  }

  /// When the broker pings a scene of a configuration; nil if it does not.
  package func unresponsive(_ configuration: String, for role: Role) -> UnresponsivePolicy? {
    roles.first { $0.role == role }?.policies[configuration]?.unresponsive
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
  /// By the name of the configuration.
  package var policies: [String: ConfigurationPolicies]

  package init(
    role: Role, configurations: [SceneConfiguration], launches: [String: LaunchCommand] = [:],
    policies: [String: ConfigurationPolicies] = [:]
  ) {
    self.role = role
    self.configurations = configurations
    self.launches = launches
    self.policies = policies
  }

  /// The role of windows, with one configuration.
  package static let standard = RoleConfigurations(
    role: .windowApplication, configurations: [.standard])
}

/// The rules of the broker for a configuration. No client gets these members.
package struct ConfigurationPolicies: Equatable, Sendable {
  /// The content for which the broker makes a new session of the configuration, if no session
  /// shows the content.
  package var handles: [ActivationPredicate] = []
  /// Whether windows come back after a restart.
  package var reopens = true
  /// The pings of scenes in the foreground; nil for none.
  package var unresponsive: UnresponsivePolicy?

  package init() {}
}

extension SceneConfiguration {
  package static let standard = SceneConfiguration(name: "Default Configuration")
}

/// The role of an application delegate in its own process.
package enum DelegateParticipation: String, CaseIterable, Sendable {
  /// The manifest decides. The broker neither asks a connected delegate nor reports discards to it.
  case builtIn
  /// The broker asks a connected delegate. Discards wait for a delegate after the first one
  /// connected.
  case optional
  /// Scenes wait for a delegate at the start.
  case required

  package static let standard = DelegateParticipation.optional
}

/// The policy of a topic.
package struct TopicDeclaration: Equatable, Sendable {
  /// Whether the disk has an event before observers get it.
  package var isDurable: Bool
  /// The number of stored events, for later observers.
  package var keep: Int

  package init(isDurable: Bool = false, keep: Int = Self.standardKeep) {
    self.isDurable = isDurable
    self.keep = keep
  }

  package static let standardKeep = 1000
  /// The range of `keep`.
  package static let keepRange: ClosedRange<Int64> = 1...1_000_000
}

/// The policies of an application.
package struct Policies: Equatable, Sendable {
  package var foreground: ForegroundPolicy
  package var reclaim: ReclaimPolicy
  /// The time of discarded sessions in the trash; nil for the default.
  package var trash: Interval?

  package init(
    foreground: ForegroundPolicy = .split, reclaim: ReclaimPolicy = ReclaimPolicy(),
    trash: Interval? = nil
  ) {
    self.foreground = foreground
    self.reclaim = reclaim
    self.trash = trash
  }
}

/// The number of scenes in the foreground. The least recently activated scene leaves first.
package enum ForegroundPolicy: Equatable, Sendable {
  /// Any number, as in a split view.
  case split
  case atMost(Int)

  /// One scene. An activation moves the others to the background.
  package static let exclusive = ForegroundPolicy.atMost(1)
}

/// The scenes in the background that the broker reclaims by itself.
package struct ReclaimPolicy: Equatable, Sendable {
  /// The number of scenes that stay: those that entered the background last; nil for all.
  package var count: Int?
  /// The time that a scene stays; nil for any time.
  package var age: Interval?
  /// Whether scenes also leave when the system reports memory pressure.
  package var pressure: Bool

  package init(count: Int? = nil, age: Interval? = nil, pressure: Bool = false) {
    self.count = count
    self.age = age
    self.pressure = pressure
  }

  package var hasLimit: Bool { count != nil || age != nil }
}

/// The action of the broker after a scene in the foreground has not answered a ping.
public enum UnresponsiveAction: String, CaseIterable, Sendable {
  /// The broker reports the scene in lists, in the trace and in the log.
  case report
  /// The broker also disconnects the scene.
  case disconnect
}

/// The pings of scenes in the foreground.
package struct UnresponsivePolicy: Equatable, Sendable {
  /// The broker pings a scene whose client has sent nothing for this time.
  package var after: Interval
  package var action: UnresponsiveAction

  package init(after: Interval = Self.standardTime, then action: UnresponsiveAction = .report) {
    self.after = after
    self.action = action
  }

  package static let standardTime = Interval.seconds(30)
}

/// The time that a client has for a callback, before the broker disconnects its scene.
package struct Budgets: Equatable, Sendable {
  package var connect: Interval
  package var standard: Interval
  /// Of the pings of a policy.
  package var ping = Interval.seconds(10)
  /// By the callback's name, if it differs from `standard`.
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

extension Budgets {
  /// The names of budgets: `connect`, `default`, and each callback.
  package static let names =
    ["connect", "default"] + CallbackKind.allCases.map(\.rawValue)

  /// The budget with one of ``names``.
  package subscript(name: String) -> Interval {
    get {
      switch name {
      case "connect": connect
      case "default": standard
      case "ping": ping
      default: special[name] ?? standard
      }
    }
    set {
      switch name {
      case "connect": connect = newValue
      case "default": standard = newValue
      case "ping": ping = newValue
      default: special[name] = newValue
      }
    }
  }
}

/// When the broker starts a launched program again without a request.
public enum RestartPolicy: String, CaseIterable, Sendable {
  /// Only a request starts the program.
  case never
  /// After a crash, with a pause that doubles from 250 ms to 60 s, at most 10 times in a row.
  case onCrash
}

/// The program that the broker starts for a session without a client.
package struct LaunchCommand: Equatable, Sendable {
  /// The program and its arguments, without a shell.
  package var words: [String]
  /// The environment variables that the program inherits from the broker. A name that ends with `*`
  /// is a prefix.
  package var environment: [String]
  /// Whether the program runs in a new terminal window.
  package var hasTerminal: Bool
  /// Whether the broker starts the program again after a crash.
  package var restart = RestartPolicy.never

  /// With more variables than every program inherits.
  package init(words: [String], environment: [String] = [], hasTerminal: Bool = false) {
    self.words = words
    self.hasTerminal = hasTerminal
    let standard = Self.standardEnvironment + (hasTerminal ? Self.terminalEnvironment : [])
    self.environment = standard + environment.filter { !standard.contains($0) }
  }

  /// The variables for a program's files, language and terminal.
  package static let standardEnvironment = [
    "HOME", "LANG", "LC_*", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER",
    "XDG_RUNTIME_DIR",
  ]

  /// The variables by which a program finds the user's desktop or multiplexer.
  package static let terminalEnvironment = [
    "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "STY", "TMUX", "TMUX_TMPDIR", "WAYLAND_DISPLAY",
    "XAUTHORITY",
  ]

  /// The name of the program without its directory, for people.
  package var programName: String {
    let name = words[0].split(separator: "/").last.map(String.init) ?? words[0]
    return name.clipped(to: 100)
  }

  /// The variable with the user's command for a new terminal window.
  package static let openerVariable = "SCENE_OPENER"

  /// Whether the program inherits the variable. The broker sets the variables that begin with
  /// `SCENE_`.
  package func inherits(_ variable: String) -> Bool {
    if variable == Self.openerVariable { return hasTerminal }
    return !variable.hasPrefix("SCENE_")
      && environment.contains { name in
        name.hasSuffix("*") ? variable.hasPrefix(name.dropLast()) : variable == name
      }
  }
}
