import SceneModel

/// Whoever observes a topic is sent its events in their order, each once, and none is missing unless
/// a gap is declared.
struct DeliveryRule: StandingRule {
  private struct Observer: Hashable {
    let process: Int64
    let topic: String
    let session: SessionIdentifier?
  }

  /// Where each observer is; more than one where a process has several connections.
  private var positions: [Observer: [EventPosition]] = [:]
  /// The newest that was posted to each topic.
  private var posted: [String: EventPosition] = [:]

  mutating func begin(_ life: StagedStory.Life) { (positions, posted) = ([:], [:]) }

  mutating func take(_ entry: TraceEntry) -> String? {
    switch entry.event {
    case .disconnected:
      if let session = entry.session { positions = positions.filter { $0.key.session != session } }
    case .left:
      if let pid = entry.client?.pid { positions = positions.filter { $0.key.process != pid } }
    case .posted: return takePosted(entry)
    case .observed, .ceased, .delivered:
      guard let topic = entry.topic, let pid = entry.client?.pid else { return nil }
      return take(entry, Observer(process: pid, topic: topic, session: entry.session))
    default: break
    }
    return nil
  }

  private mutating func takePosted(_ entry: TraceEntry) -> String? {
    guard let topic = entry.topic, let position = entry.position else { return nil }
    defer { posted[topic] = position }
    guard let before = posted[topic], before.origin == position.origin,
      position.number != before.number + 1
    else { return nil }
    return "the event \(position) of \(topic) was posted behind \(before)"
  }

  private mutating func take(_ entry: TraceEntry, _ observer: Observer) -> String? {
    guard let position = entry.position else {
      positions[observer] = nil
      return nil
    }
    var known = positions[observer] ?? []
    defer { positions[observer] = known }
    if entry.event == .observed {
      known.append(position)
      return nil
    }
    let isDeclared = entry.reason == "gap"
    guard !known.isEmpty else {
      return "an event of \(observer.topic) came to who does not observe it"
    }
    if let place = known.firstIndex(where: { position.isNext(after: $0) }) {
      known[place] = position
    } else if isDeclared {
      known = [position]
    } else {
      let last = known[known.count - 1]
      known[known.count - 1] = position
      return
        "the event \(position) of \(observer.topic) came behind \(last), and no gap was declared"
    }
    return nil
  }
}

extension EventPosition {
  fileprivate func isNext(after other: EventPosition) -> Bool {
    origin == other.origin && number == other.number + 1
  }
}
