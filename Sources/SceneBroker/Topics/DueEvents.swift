package import SceneModel

/// The deliveries of one topic, in order, and the connections to drain before they get more.
///
/// Observers of the same event share a delivery. Several events of one observer stay in order.
struct DueEvents {
  private(set) var deliveries: [EventDelivery] = []
  var drains: [ConnectionIdentifier] = []
  /// The size of the event of the last delivery.
  private var lastByteCount = 0

  /// Adds an observer to the last delivery, or to a new one if the last has another event. Returns
  /// the size of the event.
  mutating func add(
    _ next: AvailableEvents.Next, of events: AvailableEvents, to observer: EventObserver
  ) -> Int {
    let last = deliveries.count - 1
    if last >= 0, deliveries[last].position.number == next.number,
      deliveries[last].hasGap == next.hasGap
    {
      deliveries[last].observers.append(observer)
    } else if let event = events.event(next.number) {
      lastByteCount = event.byteCount
      deliveries.append(
        EventDelivery(
          event: event, position: events.topic.position(next.number), hasGap: next.hasGap,
          observers: [observer]))
    }
    return lastByteCount
  }
}

/// The events of a topic that the disk has.
struct AvailableEvents {
  let topic: Topic
  /// The newest event, which the topic need not keep.
  private let latest: TopicEvent?
  /// The number of the newest event that the disk has.
  let newest: Int64

  /// The next event of an observer.
  struct Next {
    let number: Int64
    /// Whether the topic has dropped events before it.
    let hasGap: Bool
  }

  init(_ topic: Topic, latest: TopicEvent?, unsyncedCount: Int) {
    self.topic = topic
    self.latest = latest
    newest = topic.last - Int64(unsyncedCount)
  }

  func event(_ number: Int64) -> TopicEvent? {
    topic.event(number) ?? (latest?.number == number ? latest : nil)
  }

  /// The event behind a position.
  func next(after position: borrowing EventPosition) -> Next? {
    let isKnown = position.number <= topic.last && position.origin == topic.attributes.origin
    let oldest = topic.attributes.after + 1
    let number = isKnown ? position.number + 1 : oldest
    guard number <= newest else { return nil }
    if number >= oldest || number == latest?.number {
      return Next(number: number, hasGap: !isKnown)
    }
    // The topic has dropped the events in between.
    return oldest <= newest ? Next(number: oldest, hasGap: true) : nil
  }
}

/// An event that is due to its observers.
package struct EventDelivery: Equatable, Sendable {
  package let event: TopicEvent
  package let position: EventPosition
  /// Whether the observers missed events before this one.
  package let hasGap: Bool
  /// In the order in which they get the event.
  package var observers: [EventObserver]
  /// The number of messages of the same effects that leave before the event.
  package var precedingMessageCount = 0

  package init(
    event: TopicEvent, position: EventPosition, hasGap: Bool, observers: [EventObserver]
  ) {
    self.event = event
    self.position = position
    self.hasGap = hasGap
    self.observers = observers
  }
}

/// An observer of an event: a connection, or one of its scenes.
package struct EventObserver: Equatable, Sendable {
  package let connection: ConnectionIdentifier
  package let session: SessionIdentifier?
}
