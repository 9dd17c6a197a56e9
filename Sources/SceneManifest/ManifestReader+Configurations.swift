import SceneCommandLine
import SceneModel

/// The configurations of each role.
extension ManifestReader {
  mutating func roles(_ place: ManifestLocation) -> [RoleConfigurations] {
    var roles: [DraftRole] = []
    let hasNewerName = place.node.member(Self.externalDisplay + "NonInteractive") != nil
    eachNamed(place) { reader, name, place in
      if hasNewerName, name == Self.externalDisplay { return }
      let role = try reader.role(name, place)
      guard let elements = place.elements else {
        throw place.expected("an array of configurations")
      }
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
      var policies: [String: ConfigurationPolicies] = [:]
      for draft in configurations {
        launches[draft.configuration.name] = draft.launch
        if draft.policies != ConfigurationPolicies() {
          policies[draft.configuration.name] = draft.policies
        }
      }
      return RoleConfigurations(
        role: role, configurations: configurations.map(\.configuration), launches: launches,
        policies: policies)
    }
  }

  /// A configuration of the file. The name is empty if the file has none.
  private struct DraftConfiguration {
    var configuration = SceneConfiguration(name: "")
    var launch: LaunchCommand?
    var policies = ConfigurationPolicies()
    let place: ManifestLocation

    func hasContent(of other: DraftConfiguration) -> Bool {
      (configuration, launch, policies) == (other.configuration, other.launch, other.policies)
    }
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

  /// A property list can have two names for external displays. The newer one has precedence.
  private static let externalDisplay = "UIWindowSceneSessionRoleExternalDisplay"

  /// Accepts any role. Warns about an unknown name that begins like UIKit's.
  private mutating func role(_ name: String, _ place: ManifestLocation) throws -> Role {
    if name.isEmpty { throw place.flaw("a role must not be empty") }
    if name.utf8.contains(0) { throw place.flaw("a role must not contain a zero byte") }
    if name.utf8.count > SceneConfiguration.textByteLimit {
      throw place.flaw("a role may have at most \(SceneConfiguration.textByteLimit) bytes")
    }
    if Role.isUnknownUIKitName(name) {
      warn(place.flaw("unknown UIKit role; scenes request it by this name"))
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
        (.handles, { draft.policies.handles = try $0.predicates($1) }),
        (
          .reopen,
          {
            if case .bool(let reopens) = $1.node.value {
              draft.policies.reopens = reopens
            } else {
              draft.configuration.retry = try $0.reopen($1)
            }
          }
        ),
        (.restart, { restart = ($1, try $0.choice($1)) }),
        (
          .launch,
          {
            draft.launch = try $0.launch($1)
            $0.warnAboutKeeping($1, draft.launch?.words ?? [])
          }
        ),
        (.unresponsive, { draft.policies.unresponsive = $0.unresponsive($1) }),
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
      let same = role.configurations.first { $0.configuration.name == text }
      if let same, !text.isEmpty {
        if isPropertyList, same.hasContent(of: draft) { return }
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

  /// Predicates on target content identifiers.
  private mutating func predicates(_ place: ManifestLocation) throws -> [ActivationPredicate] {
    try strings(place).compactMap { element in
      noting { reader in
        let text = try reader.text(element, limit: Self.longestPredicate)
        do throws(MemberError) {
          return try ActivationPredicate(text)
        } catch {
          throw element.flaw(error.description)
        }
      }
    }
  }

  private static let longestPredicate = 4096

  private mutating func reopen(_ place: ManifestLocation) throws -> Double? {
    guard place.members != nil else { throw place.expected("true, false or an object") }
    var retry: Double?
    each(place, [(.retry, { retry = try $0.retryTime($1) })])
    return retry
  }

  private mutating func unresponsive(_ place: ManifestLocation) -> UnresponsivePolicy {
    var policy = UnresponsivePolicy()
    each(
      place,
      [
        (.after, { policy.after = try $0.seconds($1) }),
        (.then, { policy.action = try $0.choice($1) }),
      ])
    return policy
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

  /// `scene` refuses such a launch.
  private mutating func warnAboutKeeping(_ place: ManifestLocation, _ words: [String]) {
    let options = words.dropFirst().prefix { $0 != "--" }.joined(separator: " ")
    guard words.first?.split(separator: "/").last == "scene",
      options.contains("--keep") || options.contains(/--on-hangup[= ]keep/)
    else { return }
    warn(place.flaw("scene cannot keep a program that the broker launches; omit --keep"))
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
