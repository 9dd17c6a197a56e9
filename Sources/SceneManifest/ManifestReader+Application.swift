import SceneCommandLine
import SceneModel

/// The settings of the application.
extension ManifestReader {
  mutating func policies(_ place: ManifestLocation) -> Policies {
    var policies = Policies()
    each(
      place,
      [
        (.foreground, { policies.foreground = $0.foreground($1) ?? .split }),
        (.reclaim, { policies.reclaim = $0.reclaim($1) }),
      ])
    return policies
  }

  private mutating func foreground(_ place: ManifestLocation) -> ForegroundPolicy? {
    if case .integer = place.node.value {
      return integer(place, in: 1...100_000).map { .atMost($0) }
    }
    guard case .string = place.node.value else {
      note(place.expected("split, exclusive or a number"))
      return nil
    }
    switch choice(place, or: "a number") as ForegroundWord? {
    case .split: return .split
    case .exclusive: return .exclusive
    case nil: return nil
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
        (.count, { policy.count = $0.integer($1, in: 0...1_000_000) }),
        (.age, { policy.age = $0.seconds($1) }),
      ])
    return policy
  }

  mutating func budgets(_ place: ManifestLocation) -> Budgets {
    var budgets = Budgets()
    eachNamed(place) { reader, name, place in
      guard Budgets.names.contains(name) else {
        return reader.note(
          place.flaw(
            "unknown callback; expected one of \(Budgets.names.joined(separator: ", "))"
              + suggestion(for: name, among: Budgets.names)))
      }
      if let time = reader.seconds(place) { budgets[name] = time }
    }
    return budgets
  }

  mutating func topics(_ place: ManifestLocation) -> [String: TopicDeclaration] {
    var topics: [String: TopicDeclaration] = [:]
    eachNamed(place) { reader, name, place in
      guard !name.isEmpty, name.utf8.count <= SceneConfiguration.textByteLimit else {
        return reader.note(
          place.flaw("a topic's name has 1 to \(SceneConfiguration.textByteLimit) bytes"))
      }
      var topic = TopicDeclaration()
      reader.each(
        place,
        [
          (.durable, { topic.isDurable = $0.bool($1) ?? false }),
          (
            .keep,
            {
              topic.keep =
                $0.integer($1, in: TopicDeclaration.keepRange) ?? TopicDeclaration.standardKeep
            }
          ),
        ])
      topics[name] = topic
    }
    return topics
  }
}
