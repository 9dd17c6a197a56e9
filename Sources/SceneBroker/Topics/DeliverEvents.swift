import SceneModel

/// Sends the events of topics to their observers.
///
/// An observer has a position in its topic. So a slow or paused observer costs no memory. If the
/// topic has dropped events that the observer did not get, the next event reports a gap.
extension Broker {
  /// Delivers the events that are on disk, up to this record.
  mutating func deliverSynced(upTo number: UInt64) {
    while let event = topics.takeSynced(upTo: number) { deliver(event) }
  }

  /// Delivers a new event, which its topic need not keep.
  mutating func deliver(_ event: TopicEvent) {
    deliver(event.topic, including: event, to: .all)
  }

  /// Delivers the events that a connection has not got.
  mutating func catchUp(_ name: String, only connection: ConnectionIdentifier) {
    deliver(name, to: .connection(connection))
  }

  /// Delivers the events that a scene missed while it was paused.
  mutating func catchUp(_ session: SessionIdentifier) {
    guard let holder = scenes[session]?.holder else { return }
    for name in topics.names(of: holder, with: session) {
      deliver(name, to: .scene(holder, session))
    }
  }

  /// The connection has read everything.
  mutating func drained(_ connection: ConnectionIdentifier) {
    guard clients[connection] != nil else { return }
    topics.drained(connection)
    for name in topics.names(of: connection) { catchUp(name, only: connection) }
    for session in (clients[connection]?.held ?? []) { endReplay(session) }
  }

  /// Ends the replay of a scene in the background that has all events.
  mutating func endReplay(_ session: SessionIdentifier) {
    guard topics.isReplaying(session), let holder = scenes[session]?.holder else { return }
    let isBehind = topics.names(of: holder, with: session).contains { name in
      topic(name).map { topics.isBehind(holder, session, in: $0) } ?? false
    }
    if !isBehind { topics.endReplay(session) }
  }

  private mutating func deliver(
    _ name: String, including event: TopicEvent? = nil, to receivers: EventReceivers
  ) {
    guard let topic = topic(name) else { return }
    // A scene in the background is paused.
    let due = topics.deliveries(
      of: topic, including: event, to: receivers, byteLimit: limits.slowReaderBytes / 2
    ) { [scenes] in scenes[$0]?.isInForeground != true }
    effects.commands += due.drains.map(BrokerCommand.drain)
    for delivery in due.deliveries { send(delivery) }
  }

  private mutating func send(_ delivery: EventDelivery) {
    if delivery.hasGap || delivery.observers.count == 1 || traceBuffer.showsEachDelivery {
      for observer in delivery.observers { send(delivery, to: observer) }
    } else {
      send(delivery, to: nil)
    }
  }

  /// Sends an event to all its observers, or to one of them.
  private mutating func send(_ delivery: EventDelivery, to observer: EventObserver?) {
    var delivery = delivery
    if let observer { delivery.observers = [observer] }
    effects.append(delivery)
    trace(.delivered, observer?.session, client: observer?.connection) {
      if delivery.hasGap { $0.reason = "gap" }
      ($0.topic, $0.kind) = (delivery.event.topic, delivery.event.kind)
      $0.position = delivery.position
      if observer == nil { $0.observers = Int64(delivery.observers.count) }
    }
  }
}
