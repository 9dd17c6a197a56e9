import SceneCommandLine
import SceneModel

/// The configurations of each role.
extension ManifestReader {
  mutating func roles(_ place: ManifestLocation) -> [RoleConfigurations] {
    var roles: [DraftRole] = []
    eachNamed(place) { reader, name, place in
      let role = try reader.role(name, place)
      guard let elements = place.elements else {
        throw place.expected("an array of configurations")
      }
      // A property list has two names for external displays.
      let known = roles.firstIndex { $0.role == role }
      let index = known ?? roles.endIndex
      if known == nil { roles.append(DraftRole(role: role)) }
      for element in elements { reader.add(element, to: &roles[index]) }
    }
    nameUnnamed(in: &roles)
    return roles.map(\.finished)
  }

  private struct DraftRole {
    let role: Role
    var configurations: [DraftConfiguration] = []

    var finished: RoleConfigurations {
      var launches: [String: LaunchCommand] = [:]
      for draft in configurations { launches[draft.configuration.name] = draft.launch }
      return RoleConfigurations(
        role: role, configurations: configurations.map(\.configuration), launches: launches)
    }
  }

  /// A configuration of the file. The name is empty if the file has none.
  private struct DraftConfiguration {
    var configuration = SceneConfiguration(name: "")
    var launch: LaunchCommand?
    let place: ManifestLocation
  }

  /// Gives each configuration without a name one by its role and its position. Xcode's templates
  /// have such configurations for a second role.
  private mutating func nameUnnamed(in roles: inout [DraftRole]) {
    var taken = Set(roles.flatMap { $0.configurations.map(\.configuration.name) })
    for role in roles.indices {
      for index in roles[role].configurations.indices
      where roles[role].configurations[index].configuration.name.isEmpty {
        let start = "\(roles[role].role.rawValue.clipped(to: 200))-\(index + 1)"
        var name = start
        var number = 2
        while !taken.insert(name).inserted {
          name = "\(start)-\(number)"
          number += 1
        }
        roles[role].configurations[index].configuration.name = name
        let key = self.name(of: .name)
        warn(
          roles[role].configurations[index].place
            .flaw("has no \(key), so the broker names it \"\(name)\"; give it a \(key)"))
      }
    }
  }

  private static let rolesOfPropertyLists: [String: Role] = [
    "UIWindowSceneSessionRoleApplication": .windowApplication,
    "UIWindowSceneSessionRoleExternalDisplay": .windowExternalDisplay,
    "UIWindowSceneSessionRoleExternalDisplayNonInteractive": .windowExternalDisplay,
    "UIWindowSceneSessionRoleVolumetricApplication": Role(
      rawValue: "windowApplicationVolumetric"),
  ]

  /// Accepts any role, but rejects an unknown name that begins like UIKit's.
  private func role(_ name: String, _ place: ManifestLocation) throws -> Role {
    if name.isEmpty { throw place.flaw("a role must not be empty") }
    if name.utf8.count > SceneConfiguration.textByteLimit {
      throw place.flaw("a role may have at most \(SceneConfiguration.textByteLimit) bytes")
    }
    if let role = Self.rolesOfPropertyLists[name] { return role }
    guard !name.hasPrefix("UIWindowSceneSessionRole") else {
      let names = Self.rolesOfPropertyLists.keys.sorted()
      throw place.flaw(
        "unknown UIKit role; expected one of \(names.joined(separator: ", "))"
          + suggestion(for: name, among: names))
    }
    return Role(rawValue: name)
  }

  private mutating func add(_ place: ManifestLocation, to role: inout DraftRole) {
    var draft = DraftConfiguration(place: place)
    var name: ManifestLocation?
    var restart: (place: ManifestLocation, policy: RestartPolicy)?
    each(
      place,
      [
        (
          .name,
          {
            name = $1
            draft.configuration.name = try $0.text($1)
          }
        ),
        (.delegateClass, { draft.configuration.delegateClass = try $0.text($1) }),
        (.sceneClass, { draft.configuration.sceneClass = try $0.text($1) }),
        (.storyboard, { draft.configuration.storyboard = try $0.text($1) }),
        (.kind, { draft.configuration.kind = try $0.kind($1) }),
        (.reopen, { draft.configuration.retry = $0.reopen($1) }),
        (.restart, { restart = ($1, try $0.choice($1)) }),
        (.launch, { draft.launch = try $0.launch($1) }),
      ])
    guard place.members != nil else { return }
    if let restart {
      if place.node.member(ManifestKey.launch.rawValue) == nil {
        note(restart.place.flaw("needs a launch, because the broker restarts what it launched"))
      }
      draft.launch?.restart = restart.policy
    }
    if let name {
      let text = draft.configuration.name
      guard !text.isEmpty else { return }
      if role.configurations.contains(where: { $0.configuration.name == text }) {
        return note(name.flaw("duplicate configuration name \"\(text)\" in this role"))
      }
    }
    role.configurations.append(draft)
  }

  /// Reads an unknown kind as `group`.
  private mutating func kind(_ place: ManifestLocation) throws -> ConfigurationKind {
    let text = try text(place)
    if let kind = ConfigurationKind(rawValue: text) { return kind }
    warn(
      place.flaw(
        complaint(
          text, isNoneOf: ConfigurationKind.self, consequence: "; the broker uses group")))
    return .group
  }

  private mutating func reopen(_ place: ManifestLocation) -> Double? {
    var retry: Double?
    each(place, [(.retry, { retry = try $0.retryTime($1) })])
    return retry
  }

  /// Reads a time with a unit, or a number of seconds as in other members.
  private func retryTime(_ place: ManifestLocation) throws -> Double {
    let time =
      if case .string(let text) = place.node.value {
        TimeSpan.nanoseconds(text).map { Interval(nanoseconds: $0).seconds }
      } else {
        try seconds(place).seconds
      }
    guard let time, RetryTime.contains(time) else {
      throw place.flaw("expected a time such as \"5s\", or \(RetryTime.expectation)")
    }
    return time
  }

  /// Reads a list of words, or an object with such a list.
  private mutating func launch(_ place: ManifestLocation) throws -> LaunchCommand {
    if place.elements != nil { return LaunchCommand(words: try words(place)) }
    guard place.members != nil else {
      throw place.expected("an array: the program and its arguments")
    }
    var words: [String] = []
    var environment: [String] = []
    var hasTerminal = false
    each(
      place,
      [
        (.command, { words = try $0.words($1) }),
        (.environment, { environment = try $0.variables($1) }),
        (.terminal, { hasTerminal = try $0.bool($1) }),
      ])
    if place.node.member(ManifestKey.command.rawValue) == nil { throw place.flaw("has no command") }
    return LaunchCommand(words: words, environment: environment, hasTerminal: hasTerminal)
  }

  /// The elements of an array of strings.
  private func strings(_ place: ManifestLocation) throws -> [ManifestLocation] {
    guard let elements = place.elements else { throw place.expected("an array of strings") }
    return elements
  }

  /// The names of variables.
  private mutating func variables(_ place: ManifestLocation) throws -> [String] {
    try strings(place).compactMap { element in noting { try $0.variable(element) } }
  }

  /// The names of variables, without prefixes.
  mutating func exactVariables(_ place: ManifestLocation) throws -> [String] {
    if let elements = place.elements, elements.count > LoginEnvironment.countLimit {
      note(place.flaw("has \(elements.count) names; the limit is \(LoginEnvironment.countLimit)"))
    }
    for element in place.elements ?? [] {
      if case .string(let name) = element.node.value, name.hasSuffix("*") {
        note(element.flaw("must be the name of a variable; a * is not allowed here"))
      }
    }
    return try variables(place)
  }

  private mutating func variable(_ place: ManifestLocation) throws -> String {
    let name = try text(place)
    if name.contains("=") || name.dropLast().contains("*") {
      throw place.flaw("must be a variable name, or a prefix with a * after it")
    } else if name.hasPrefix("SCENE_") {
      throw place.flaw("names that begin with SCENE_ are reserved for the broker")
    }
    return name
  }

  /// Keeps `${NAME}`, because a shell among the words may expand it.
  private mutating func words(_ place: ManifestLocation) throws -> [String] {
    let elements = try strings(place)
    if elements.isEmpty { throw place.flaw("must name a program") }
    return elements.compactMap { element in
      noting { try $0.text(element, limit: Self.longestWord, readsBraces: false) }
    }
  }

  private static let longestWord = 1 << 16
}
