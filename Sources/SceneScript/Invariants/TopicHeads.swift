import SceneModel

/// The newest event of each topic, by the trace.
///
/// A durable topic continues with the next broker. Another topic begins again with a new origin.
struct TopicHeads {
  private var posted: [String: EventPosition] = [:]
  /// The newest events of earlier brokers, for topics that are durable then and now.
  private var inherited: [String: EventPosition] = [:]
  /// The newest events of durable topics, by state directory.
  private var kept: [String: [String: EventPosition]] = [:]
  private var state: String?
  private var durable: Set<String> = []

  mutating func begin(_ run: RunHistory.BrokerRun) {
    if let state {
      let newest = inherited.merging(posted) { $1 }.filter { durable.contains($0.key) }
      kept[state, default: [:]].merge(newest) { $1 }
    }
    (posted, state, durable) = ([:], run.state, run.declared.durableTopics)
    inherited = run.state.flatMap { kept[$0] }?.filter { durable.contains($0.key) } ?? [:]
  }

  /// Nil if the topic has no known event.
  subscript(topic: String) -> EventPosition? { posted[topic] ?? inherited[topic] }

  /// Records a posted event; returns the problem with its position, if any.
  mutating func check(_ position: EventPosition, of topic: String) -> String? {
    defer { posted[topic] = position }
    guard let before = self[topic] else { return nil }
    let isNext =
      if position.origin != before.origin {
        !durable.contains(topic)
      } else if posted[topic] == nil {
        // A killed broker may have stored events without a trace entry.
        position.number > before.number
      } else {
        position.number == before.number + 1
      }
    return isNext ? nil : "event \(position) of \(topic) is not the next event after \(before)"
  }

  /// The problem with the first position of an observer, if any.
  func problem(withBeginning position: EventPosition, of topic: String) -> String? {
    guard let before = self[topic], durable.contains(topic), position.origin != before.origin
    else { return nil }
    return "\(topic) is observed from \(position), but its last event is \(before)"
  }
}
