import SceneCommandLine
import SceneModel

/// The settings of the application.
extension ManifestReader {
  mutating func policies(_ place: ManifestLocation) -> Policies {
    var policies = Policies()
    each(
      place,
      [
        (.foreground, { policies.foreground = try $0.foreground($1) }),
        (.reclaim, { policies.reclaim = $0.reclaim($1) }),
        (.trash, { policies.trash = try $0.seconds($1, orZero: true) }),
      ])
    return policies
  }

  private mutating func foreground(_ place: ManifestLocation) throws -> ForegroundPolicy {
    switch place.node.value {
    case .integer: return .atMost(try integer(place, in: 1...100_000))
    case .string:
      let word: ForegroundWord = try choice(place, or: "a whole number")
      return word == .split ? .split : .exclusive
    default: throw place.expected("split, exclusive or a whole number")
    }
  }

  private enum ForegroundWord: String, CaseIterable {
    case split, exclusive
  }

  private mutating func reclaim(_ place: ManifestLocation) -> ReclaimPolicy {
    var policy = ReclaimPolicy()
    each(
      place,
      [
        (.count, { policy.count = try $0.integer($1, in: 0...1_000_000) }),
        (.age, { policy.age = try $0.seconds($1) }),
        (.pressure, { policy.pressure = try $0.bool($1) }),
      ])
    return policy
  }

  mutating func budgets(_ place: ManifestLocation) -> Budgets {
    var budgets = Budgets()
    eachNamed(place) { reader, name, place in
      guard Budgets.names.contains(name) else {
        throw place.flaw(
          "unknown callback; expected one of \(Budgets.names.joined(separator: ", "))"
            + suggestion(for: name, among: Budgets.names))
      }
      budgets[name] = try reader.seconds(place)
    }
    return budgets
  }

  mutating func topics(_ place: ManifestLocation) -> [String: TopicDeclaration] {
    var topics: [String: TopicDeclaration] = [:]
    eachNamed(place) { reader, name, place in
      guard !name.isEmpty, name.utf8.count <= SceneConfiguration.textByteLimit else {
        throw place.flaw("a topic's name has 1 to \(SceneConfiguration.textByteLimit) bytes")
      }
      var topic = TopicDeclaration()
      reader.each(
        place,
        [
          (.durable, { topic.isDurable = try $0.bool($1) }),
          (.keep, { topic.keep = try $0.integer($1, in: TopicDeclaration.keepRange) }),
        ])
      topics[name] = topic
    }
    return topics
  }
}
