package import SceneModel

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
