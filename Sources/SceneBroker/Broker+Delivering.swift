import SceneModel

/// How events come to those who observe a topic: each from where it is, so that who is slow or
/// paused costs no memory, and is told of a gap if it has come too late.
extension Broker {
  /// Everything up to this record is on disk, and may be told of.
  mutating func deliverSynced(upTo number: UInt64) {
    while let event = topics.takeSynced(upTo: number) { deliver(event) }
  }

  /// Sends a new event, which need not be kept any more, to everybody whose turn it is.
  mutating func deliver(_ event: TopicEvent) {
    for observation in topics.observers(of: event.topic) {
      deliver(event.topic, to: observation, besides: event)
    }
  }

  /// Sends a connection what it has not had, or what one of its scenes has not.
  mutating func catchUp(
    _ name: String, only connection: ConnectionIdentifier, _ session: SessionIdentifier? = nil
  ) {
    for observation in topics.observers(of: name)
    where observation.connection == connection
      && (session == nil || observation.session == session)
    {
      deliver(name, to: observation)
    }
  }

  /// A scene listens again: it is sent what it has missed.
  mutating func catchUp(_ session: SessionIdentifier) {
    guard let holder = scenes[session]?.holder, let observed = peers[holder]?.observed,
      !observed.isEmpty
    else { return }
    for topic in observed.filter({ $0.session == session }).map(\.name).sorted() {
      catchUp(topic, only: holder, session)
    }
  }

  /// A connection has taken everything that it was sent.
  mutating func goOnDelivering(to connection: ConnectionIdentifier) {
    guard let peer = peers[connection] else { return }
    peers[connection]?.eventBytes = 0
    peers[connection]?.isDraining = false
    for topic in Set(peer.observed.map(\.name)).sorted() { catchUp(topic, only: connection) }
    for session in peer.held { endCatchingUp(session) }
  }

  /// A scene in the background that was refreshed listens until it has what it missed.
  mutating func endCatchingUp(_ session: SessionIdentifier) {
    guard let scene = scenes[session], scene.catchesUp else { return }
    let isBehind = peers[scene.holder]?.observed.contains { observed in
      observed.session == session
        && topics.observers(of: observed.name).contains {
          $0.isOf(scene.holder, session)
            && next(of: observed.name, after: $0.position, besides: nil) != nil
        }
    }
    if isBehind != true { scenes[session]?.catchesUp = false }
  }

  private mutating func deliver(
    _ name: String, to observation: Observation, besides event: TopicEvent? = nil
  ) {
    guard !isPaused(observation) else { return }
    var observation = observation
    while let (next, gap) = next(of: name, after: observation.position, besides: event) {
      guard mayTake(next, observation.connection) else { return }
      observation.position = next.position
      topics.advance(
        observation.connection, observation.session, of: name, to: next.position)
      send(next.event, at: next.position, to: observation, gap: gap)
    }
  }

  /// What comes behind a position, if somebody may be told of it already.
  private func next(
    of name: String, after position: EventPosition, besides event: TopicEvent?
  ) -> (next: (event: TopicEvent, position: EventPosition), gap: Bool)? {
    guard let topic = topic(name) else { return nil }
    let newest = topic.last - Int64(topics.unsyncedCount(of: name))
    let isKnown = position.origin == topic.attributes.origin && position.number <= topic.last
    let number = (isKnown ? position.number : topic.attributes.after) + 1
    guard number <= newest else { return nil }
    if let event = topic.event(number) ?? (event?.number == number ? event : nil) {
      return ((event, topic.position(number)), !isKnown)
    }
    // Those in between were let go.
    let oldest = topic.attributes.after + 1
    guard oldest <= newest, let event = topic.event(oldest) else { return nil }
    return ((event, topic.position(oldest)), true)
  }

  /// A scene that is in the background, or about to be, is sent nothing but what a refresh brings.
  private func isPaused(_ observation: Observation) -> Bool {
    guard let session = observation.session else { return false }
    guard let scene = scenes[session] else { return true }
    return !scene.isListening
  }

  /// Events alone never make a connection a slow reader: from some bytes on it is sent more when it
  /// has taken those.
  private mutating func mayTake(
    _ next: (event: TopicEvent, position: EventPosition), _ connection: ConnectionIdentifier
  ) -> Bool {
    guard let peer = peers[connection], !peer.isLeft else { return false }
    if peer.eventBytes >= limits.slowReaderBytes / 2, peer.eventBytes > 0 {
      if !peer.isDraining {
        peers[connection]?.isDraining = true
        effects.drains.append(connection)
      }
      return false
    }
    peers[connection]?.eventBytes += next.event.byteCount
    return true
  }

  private mutating func send(
    _ event: TopicEvent, at position: EventPosition, to observation: Observation, gap: Bool
  ) {
    var message = EventPosted()
    message.topic = event.topic
    message.kind = event.kind
    message.payload = event.payload
    message.position = position
    message.session = observation.session
    message.gap = gap
    send(.notification(.posted(message)), to: observation.connection, about: nil)
    tell(
      .delivered, observation.session, client: observation.connection,
      reason: gap ? "gap" : nil, event: event, position: position)
  }
}
