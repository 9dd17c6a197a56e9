package import SceneJSON

/// The place of a value in JSON: names and array indices, separated by dots. A name can contain
/// dots; the longest names that lead to a value count.
package struct ValuePath: Equatable, Sendable, CustomStringConvertible {
  package let description: String
  let components: [String]

  /// Nil if a component is empty.
  package init?(_ text: String) {
    components = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    description = text
    guard components.allSatisfy({ !$0.isEmpty }) else { return nil }
  }

  /// The value at this place; nil if there is none.
  package func value(in root: JSONValue) -> JSONValue? { value(in: root, from: 0) }

  private func value(in value: JSONValue, from start: Int) -> JSONValue? {
    guard start < components.count else { return value }
    switch value.kind {
    case .object:
      for end in (start + 1...components.count).reversed() {
        let name = components[start..<end].joined(separator: ".")
        if let member = value.member(named: name), let found = self.value(in: member, from: end) {
          return found
        }
      }
      return nil
    case .array:
      guard let place = Int(components[start]), place >= 0,
        let element = value.elements.dropFirst(place).first(where: { _ in true })
      else { return nil }
      return self.value(in: element, from: start + 1)
    case .null, .bool, .number, .string:
      return nil
    }
  }

  private init(_ components: [String]) {
    self.components = components
    description = components.joined(separator: ".")
  }

  /// The value in a reply to `session/show`. The members of `sceneSession` count as members of the
  /// session, and `activity` is its restoration activity.
  package func value(inSession root: JSONValue) -> JSONValue? {
    if let value = value(in: root) { return value }
    guard let record = root["sceneSession"] else { return nil }
    if components.first == "activity", let activity = record["stateRestorationActivity"] {
      return ValuePath(Array(components.dropFirst())).value(in: activity)
    }
    return value(in: record)
  }
}
