import SceneModel

/// The newest event of each topic, as brokers have told that it was posted.
///
/// A durable topic goes on with the next broker where it was. Any other begins anew, and its
/// positions are of another origin then.
struct TopicHeads {
  private var posted: [String: EventPosition] = [:]
  /// What brokers before this one have posted to topics that were durable then and are now.
  private var inherited: [String: EventPosition] = [:]
  /// The same of all brokers, by the directory in which it is kept.
  private var kept: [String: [String: EventPosition]] = [:]
  private var state: String?
  private var durable: Set<String> = []

  mutating func begin(_ life: StagedStory.Life) {
    if let state {
      let newest = inherited.merging(posted) { $1 }.filter { durable.contains($0.key) }
      kept[state, default: [:]].merge(newest) { $1 }
    }
    (posted, state, durable) = ([:], life.state, life.declared.durableTopics)
    inherited = life.state.flatMap { kept[$0] }?.filter { durable.contains($0.key) } ?? [:]
  }

  /// The newest there must be; nil where nobody has told of any.
  subscript(topic: String) -> EventPosition? { posted[topic] ?? inherited[topic] }

  /// Takes one that was posted; what is wrong about its place.
  mutating func take(_ position: EventPosition, of topic: String) -> String? {
    defer { posted[topic] = position }
    guard let before = self[topic] else { return nil }
    let isNext =
      if position.origin != before.origin {
        !durable.contains(topic)
      } else if posted[topic] == nil {
        // Of what the last broker kept, it may not have told before it died.
        position.number > before.number
      } else {
        position.number == before.number + 1
      }
    return isNext ? nil : "the event \(position) of \(topic) was posted behind \(before)"
  }

  /// What is wrong about where somebody begins to observe.
  func problem(withBeginning position: EventPosition, of topic: String) -> String? {
    guard let before = self[topic], durable.contains(topic), position.origin != before.origin
    else { return nil }
    return "\(topic) is observed from \(position) on, and \(before) was posted to it"
  }
}
