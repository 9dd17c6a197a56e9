import SceneModel

/// The position of each observer, from the messages on each wire. An observer gets each event of a
/// topic once and in order, and learns of each gap.
struct TopicWatch {
  private struct Observer: Hashable {
    let wire: Int
    let topic: String
    let session: SessionIdentifier?
  }

  /// The last position of each observer. An observer has none before the reply to its first
  /// request.
  private var positions: [Observer: EventPosition] = [:]
  /// The payload at each position, which must be the same for all observers.
  private var payloads: [String: [EventPosition: OpaqueObject]] = [:]

  mutating func begin(
    _ message: EventObserve, _ reply: EventObserve.Reply, on wire: Int
  ) -> String? {
    positions[Observer(wire: wire, topic: message.topic, session: message.session)] =
      reply.position
    guard let after = message.after, reply.position != after, !reply.gap else { return nil }
    return "begins at \(reply.position) instead of \(after), and the reply has no gap"
  }

  mutating func take(_ event: EventPosted, on wire: Int) -> String? {
    let observer = Observer(wire: wire, topic: event.topic, session: event.session)
    guard let before = positions.updateValue(event.position, forKey: observer) else {
      return "gets \(event.position), which it does not observe"
    }
    let payload = payloads[event.topic, default: [:]][event.position]
    payloads[event.topic, default: [:]][event.position] = event.payload
    if let payload, payload != event.payload {
      return "\(event.position) was \(payload.json), and is \(event.payload.json)"
    }
    let isNext =
      before.origin == event.position.origin && before.number + 1 == event.position.number
    return isNext || event.gap
      ? nil : "\(event.position) follows \(before), and the event has no gap"
  }
}
