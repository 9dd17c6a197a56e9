import CommandLine
import SceneModel

/// The configurations, by role.
extension ManifestReader {
  mutating func roles(_ place: ManifestPlace) -> [RoleConfigurations] {
    var roles: [RoleConfigurations] = []
    eachNamed(place) { reader, name, place in
      guard let role = reader.role(name, place) else { return }
      var entry = RoleConfigurations(role: role, configurations: [])
      guard let elements = place.elements else {
        return reader.note(place.expected("an array of configurations"))
      }
      // A property list has two names for external displays.
      let index = roles.firstIndex { $0.role == role }
      if let index { entry = roles[index] }
      for element in elements { reader.add(element, to: &entry) }
      if let index { roles[index] = entry } else { roles.append(entry) }
    }
    return roles
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

  private mutating func add(_ place: ManifestPlace, to role: inout RoleConfigurations) {
    var configuration = SceneConfiguration(name: "")
    var launch: LaunchCommand?
    var name: ManifestPlace?
    each(place, [.name, .delegateClass, .sceneClass, .storyboard, .kind, .launch]) {
      reader, key, place in
      switch key {
      case .name:
        name = place
        configuration.name = reader.text(place) ?? ""
      case .delegateClass: configuration.delegateClass = reader.text(place)
      case .sceneClass: configuration.sceneClass = reader.text(place)
      case .storyboard: configuration.storyboard = reader.text(place)
      case .kind: configuration.kind = reader.choice(place) ?? .group
      default: launch = reader.launch(place)
      }
    }
    guard place.members != nil else { return }
    guard let name else {
      return note(place.flaw("has no \(dialect.name(.name)), by which it would be known"))
    }
    guard !configuration.name.isEmpty else { return }
    if role.configurations.contains(where: { $0.name == configuration.name }) {
      return note(
        name.flaw("another configuration of this role is called \"\(configuration.name)\""))
    }
    role.configurations.append(configuration)
    role.launches[configuration.name] = launch
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

  private mutating func words(_ place: ManifestPlace) -> [String]? {
    guard let words = texts(place, limit: Self.longestWord), !words.isEmpty else {
      if place.elements?.isEmpty == true { note(place.flaw("must name a program")) }
      return nil
    }
    return words
  }

  private static let longestWord = 1 << 16
}
