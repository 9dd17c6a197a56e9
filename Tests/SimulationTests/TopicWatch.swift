import SceneModel

/// Where observers are, by what was sent on each wire: each observer gets all events of a topic in
/// their order, each once, and is told where some are missing.
struct TopicWatch {
  private struct Observer: Hashable {
    let wire: Int
    let topic: String
    let session: SessionIdentifier?
  }

  /// The last that each was sent; nil where a new observation has begun that was not answered yet.
  private var positions: [Observer: EventPosition] = [:]
  /// What was sent for each position: each observer gets the same.
  private var told: [String: [EventPosition: OpaqueObject]] = [:]

  mutating func begin(
    _ message: EventObserve, _ reply: EventObserve.Reply, on wire: Int
  ) -> String? {
    positions[Observer(wire: wire, topic: message.topic, session: message.session)] =
      reply.position
    guard let after = message.after, reply.position != after, !reply.gap else { return nil }
    return "begins at \(reply.position) instead of \(after), and no gap is declared"
  }

  mutating func take(_ event: EventPosted, on wire: Int) -> String? {
    let observer = Observer(wire: wire, topic: event.topic, session: event.session)
    guard let before = positions.updateValue(event.position, forKey: observer) else {
      return "is told of \(event.position), which no scene there observes"
    }
    let payload = told[event.topic, default: [:]][event.position]
    told[event.topic, default: [:]][event.position] = event.payload
    if let payload, payload != event.payload {
      return "\(event.position) was \(payload.json), and is \(event.payload.json)"
    }
    let isNext =
      before.origin == event.position.origin && before.number + 1 == event.position.number
    return isNext || event.gap
      ? nil : "\(event.position) follows \(before), and no gap is declared"
  }
}
