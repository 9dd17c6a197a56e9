import SceneModel

/// The observers of one topic, in the order of their connections.
struct TopicObservers {
  private(set) var all: [Observation] = []
  /// The number of observations that were looked at for a delivery.
  private(set) var visitCount = 0

  // MARK: - Observations

  /// Adds an observation. An observation of the same connection and scene begins again.
  mutating func insert(_ observation: Observation) {
    remove(observation.connection, observation.session)
    all.insert(observation, at: range(of: observation.connection).upperBound)
  }

  mutating func remove(_ connection: ConnectionIdentifier, _ session: SessionIdentifier?) {
    guard let index = range(of: connection).first(where: { all[$0].session == session }) else {
      return
    }
    all.remove(at: index)
  }

  /// The places of these observers.
  private func range(of receivers: EventReceivers) -> Range<Int> {
    receivers.connection.map(range) ?? all.indices
  }

  /// The places of the observations of a connection, or the place for its first one.
  private func range(of connection: ConnectionIdentifier) -> Range<Int> {
    var (begin, end) = (0, all.count)
    while begin < end {
      let middle = (begin + end) / 2
      if all[middle].connection < connection { begin = middle + 1 } else { end = middle }
    }
    while end < all.count, all[end].connection == connection { end += 1 }
    return begin..<end
  }

  // MARK: - Delivery

  /// Whether one of these observers has not got all events.
  func areBehind(_ receivers: EventReceivers, _ events: AvailableEvents) -> Bool {
    all[range(of: receivers)].contains {
      receivers.includes($0.session) && events.next(after: $0.position) != nil
    }
  }

  /// The events that are due to these observers, and not to paused scenes. Moves the observers on.
  mutating func deliver(
    _ events: AvailableEvents, to receivers: EventReceivers, byteLimit: Int,
    counting flows: inout [ConnectionIdentifier: EventFlow],
    isPaused: (SessionIdentifier) -> Bool
  ) -> DueEvents {
    var due = DueEvents()
    let range = range(of: receivers)
    visitCount += range.count
    // A span gives access to an element in place. The array would copy it.
    var observations = all.mutableSpan
    for index in range {
      let session = observations[index].session
      guard receivers.includes(session) else { continue }
      if let session, isPaused(session) { continue }
      while let next = events.next(after: observations[index].position) {
        let connection = observations[index].connection
        var flow = flows[connection] ?? EventFlow()
        defer { flows[connection] = flow }
        guard flow.byteCount == 0 || flow.byteCount < byteLimit else {
          if !flow.isDraining { due.drains.append(connection) }
          flow.isDraining = true
          break
        }
        let observer = EventObserver(connection: connection, session: session)
        flow.byteCount += due.add(next, of: events, to: observer)
        observations[index].position.number = next.number
        if next.hasGap { observations[index].position.origin = events.topic.attributes.origin }
        if next.number == events.newest { break }
      }
    }
    return due
  }

  // MARK: - Invariants

  /// Every invariant of this part that does not hold, as a sentence.
  var flaws: [String] {
    var flaws: [String] = []
    if all.isEmpty { flaws.append("a topic without an observer is kept") }
    if zip(all, all.dropFirst()).contains(where: { $0.connection > $1.connection }) {
      flaws.append("the observers of a topic are not in the order of their connections")
    }
    return flaws
  }
}

/// The observation of a topic by a connection, or by one of its scenes.
struct Observation: Equatable {
  let connection: ConnectionIdentifier
  /// The scene that the observation ends with.
  let session: SessionIdentifier?
  /// The position of the last event that the observer got.
  var position: EventPosition
}

/// The events that a connection may not have read.
struct EventFlow {
  var byteCount = 0
  /// Whether the event loop is to report when the connection has read everything.
  var isDraining = false
}

/// The observers that get their events now.
enum EventReceivers {
  case all
  case connection(ConnectionIdentifier)
  case scene(ConnectionIdentifier, SessionIdentifier)

  /// The only connection that gets events.
  var connection: ConnectionIdentifier? {
    switch self {
    case .all: nil
    case .connection(let connection), .scene(let connection, _): connection
    }
  }

  /// Whether observations of this scene, or of no scene, get events.
  func includes(_ session: SessionIdentifier?) -> Bool {
    switch self {
    case .all, .connection: true
    case .scene(_, let scene): scene == session
    }
  }
}
