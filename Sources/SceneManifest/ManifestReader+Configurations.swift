import CommandLine
import SceneModel

/// The configurations, by role.
extension ManifestReader {
  mutating func roles(_ place: ManifestPlace) -> [RoleConfigurations] {
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

  /// A configuration as the file has it. Its name is empty if the file gives none.
  private struct DraftConfiguration {
    var configuration = SceneConfiguration(name: "")
    var launch: LaunchCommand?
    let place: ManifestPlace
  }

  /// Gives each configuration without a name one by its role and its position. Xcode's templates have
  /// such configurations for a second role.
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

  /// Any name is a role; but one that is meant to be UIKit's has to be.
  private mutating func role(_ name: String, _ place: ManifestPlace) -> Role? {
    if name.isEmpty {
      note(place.flaw("a role must not be empty"))
      return nil
    }
    if name.utf8.count > SceneConfiguration.textByteLimit {
      note(place.flaw("a role may have \(SceneConfiguration.textByteLimit) bytes"))
      return nil
    }
    if let role = Self.rolesOfPropertyLists[name] { return role }
    guard !name.hasPrefix("UIWindowSceneSessionRole") else {
      let names = Self.rolesOfPropertyLists.keys.sorted()
      note(
        place.flaw(
          "UIKit has no such role\(suggestion(for: name, among: names)); it has "
            + names.joined(separator: ", ")))
      return nil
    }
    return Role(rawValue: name)
  }

  private mutating func add(_ place: ManifestPlace, to role: inout DraftRole) {
    var draft = DraftConfiguration(place: place)
    var name: ManifestPlace?
    each(place, [.name, .delegateClass, .sceneClass, .storyboard, .kind, .launch]) {
      reader, key, place in
      switch key {
      case .name:
        name = place
        draft.configuration.name = reader.text(place) ?? ""
      case .delegateClass: draft.configuration.delegateClass = reader.text(place)
      case .sceneClass: draft.configuration.sceneClass = reader.text(place)
      case .storyboard: draft.configuration.storyboard = reader.text(place)
      case .kind: draft.configuration.kind = reader.kind(place)
      default: draft.launch = reader.launch(place)
      }
    }
    guard place.members != nil else { return }
    if let name {
      let text = draft.configuration.name
      guard !text.isEmpty else { return }
      if role.configurations.contains(where: { $0.configuration.name == text }) {
        return note(name.flaw("another configuration of this role is called \"\(text)\""))
      }
    }
    role.configurations.append(draft)
  }

  /// A kind that this version does not know counts as `group`.
  private mutating func kind(_ place: ManifestPlace) -> ConfigurationKind {
    guard let text = text(place) else { return .group }
    if let kind = ConfigurationKind(rawValue: text) { return kind }
    warn(
      place.flaw(
        complaint(text, isNoneOf: ConfigurationKind.self) + "; the broker treats it as group"))
    return .group
  }

  /// The words alone, or an object that has them.
  private mutating func launch(_ place: ManifestPlace) -> LaunchCommand? {
    if place.elements != nil { return words(place).map { LaunchCommand(words: $0) } }
    guard place.members != nil else {
      note(place.expected("an array: the program and its arguments"))
      return nil
    }
    var words: [String]?
    var environment: [String]?
    each(place, [.command, .environment]) { reader, key, place in
      if key == .command {
        words = reader.words(place)
      } else {
        environment = reader.variables(place)
      }
    }
    if place.node.member(ManifestKey.command.short) == nil {
      note(place.flaw("has no command"))
    }
    return words.map { LaunchCommand(words: $0, environment: environment ?? []) }
  }

  /// The names of variables.
  private mutating func variables(_ place: ManifestPlace) -> [String]? {
    guard let elements = place.elements else {
      note(place.expected("an array of strings"))
      return nil
    }
    return elements.compactMap { variable($0) }
  }

  private mutating func variable(_ place: ManifestPlace) -> String? {
    guard let name = text(place, limit: SceneConfiguration.textByteLimit) else { return nil }
    if name.contains("=") || name.dropLast().contains("*") {
      note(place.flaw("must be the name of a variable, or how some begin with a * behind"))
    } else if name.hasPrefix("SCENE_") {
      note(place.flaw("what begins with SCENE_ is for the broker to say"))
    }
    return name
  }

  /// A shell among the words may read `${NAME}` by itself.
  private mutating func words(_ place: ManifestPlace) -> [String]? {
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
