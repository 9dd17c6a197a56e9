import SceneCommandLine
import SceneModel

/// The configurations of each role.
extension ManifestReader {
  mutating func roles(_ place: ManifestLocation) -> [RoleConfigurations] {
    var roles: [DraftRole] = []
    eachNamed(place) { reader, name, place in
      guard let role = reader.role(name, place) else { return }
      guard let elements = place.elements else {
        return reader.note(place.expected("an array of configurations"))
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
        let key = dialect.name(.name)
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
  private mutating func role(_ name: String, _ place: ManifestLocation) -> Role? {
    if name.isEmpty {
      note(place.flaw("a role must not be empty"))
      return nil
    }
    if name.utf8.count > SceneConfiguration.textByteLimit {
      note(place.flaw("a role may have at most \(SceneConfiguration.textByteLimit) bytes"))
      return nil
    }
    if let role = Self.rolesOfPropertyLists[name] { return role }
    guard !name.hasPrefix("UIWindowSceneSessionRole") else {
      let names = Self.rolesOfPropertyLists.keys.sorted()
      note(
        place.flaw(
          "unknown UIKit role; expected one of \(names.joined(separator: ", "))"
            + suggestion(for: name, among: names)))
      return nil
    }
    return Role(rawValue: name)
  }

  private mutating func add(_ place: ManifestLocation, to role: inout DraftRole) {
    var draft = DraftConfiguration(place: place)
    var name: ManifestLocation?
    each(
      place,
      [
        (
          .name,
          {
            name = $1
            draft.configuration.name = $0.text($1) ?? ""
          }
        ),
        (.delegateClass, { draft.configuration.delegateClass = $0.text($1) }),
        (.sceneClass, { draft.configuration.sceneClass = $0.text($1) }),
        (.storyboard, { draft.configuration.storyboard = $0.text($1) }),
        (.kind, { draft.configuration.kind = $0.kind($1) }),
        (.reopen, { draft.configuration.retry = $0.reopen($1) }),
        (.launch, { draft.launch = $0.launch($1) }),
      ])
    guard place.members != nil else { return }
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
  private mutating func kind(_ place: ManifestLocation) -> ConfigurationKind {
    guard let text = text(place) else { return .group }
    if let kind = ConfigurationKind(rawValue: text) { return kind }
    warn(
      place.flaw(
        complaint(
          text, isNoneOf: ConfigurationKind.self, consequence: "; the broker uses group")))
    return .group
  }

  private mutating func reopen(_ place: ManifestLocation) -> Double? {
    var retry: Double?
    each(place, [(.retry, { retry = $0.retryTime($1) })])
    return retry
  }

  /// Reads a time with a unit, or a number of seconds as in other members.
  private mutating func retryTime(_ place: ManifestLocation) -> Double? {
    let time: Double?
    if case .string(let text) = place.node.value {
      time = TimeSpan.nanoseconds(text).map { Interval(nanoseconds: $0).seconds }
    } else {
      time = seconds(place)?.seconds
      if time == nil { return nil }
    }
    guard let time, RetryTime.contains(time) else {
      note(place.flaw("expected a time such as \"5s\", or \(RetryTime.expectation)"))
      return nil
    }
    return time
  }

  /// Reads a list of words, or an object with such a list.
  private mutating func launch(_ place: ManifestLocation) -> LaunchCommand? {
    if place.elements != nil { return words(place).map { LaunchCommand(words: $0) } }
    guard place.members != nil else {
      note(place.expected("an array: the program and its arguments"))
      return nil
    }
    var words: [String]?
    var environment: [String]?
    var hasTerminal = false
    each(
      place,
      [
        (.command, { words = $0.words($1) }),
        (.environment, { environment = $0.variables($1) }),
        (.terminal, { hasTerminal = $0.bool($1) ?? false }),
      ])
    if place.node.member(ManifestKey.command.short) == nil {
      note(place.flaw("has no command"))
    }
    return words.map {
      LaunchCommand(words: $0, environment: environment ?? [], hasTerminal: hasTerminal)
    }
  }

  /// The names of variables.
  private mutating func variables(_ place: ManifestLocation) -> [String]? {
    guard let elements = place.elements else {
      note(place.expected("an array of strings"))
      return nil
    }
    return elements.compactMap { variable($0) }
  }

  /// The names of variables, without prefixes.
  mutating func exactVariables(_ place: ManifestLocation) -> [String]? {
    if let elements = place.elements, elements.count > LoginEnvironment.countLimit {
      note(place.flaw("has \(elements.count) names; the limit is \(LoginEnvironment.countLimit)"))
    }
    for element in place.elements ?? [] {
      if case .string(let name) = element.node.value, name.hasSuffix("*") {
        note(element.flaw("must be the name of a variable; a * is not allowed here"))
      }
    }
    return variables(place)
  }

  private mutating func variable(_ place: ManifestLocation) -> String? {
    guard let name = text(place, limit: SceneConfiguration.textByteLimit) else { return nil }
    if name.contains("=") || name.dropLast().contains("*") {
      note(place.flaw("must be a variable name, or a prefix with a * after it"))
    } else if name.hasPrefix("SCENE_") {
      note(place.flaw("names that begin with SCENE_ are reserved for the broker"))
    }
    return name
  }

  /// Keeps `${NAME}`, because a shell among the words may expand it.
  private mutating func words(_ place: ManifestLocation) -> [String]? {
    guard let elements = place.elements else {
      note(place.expected("an array of strings"))
      return nil
    }
    guard !elements.isEmpty else {
      note(place.flaw("must name a program"))
      return nil
    }
    let words = elements.compactMap { text($0, limit: Self.longestWord, readsBraces: false) }
    return words.isEmpty ? nil : words
  }

  private static let longestWord = 1 << 16
}
