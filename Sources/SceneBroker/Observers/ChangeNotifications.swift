import SceneModel

/// Notifications of changed sessions, of the phase and of the room on the disk.
extension Broker {
  mutating func observe(_ requester: Requester) {
    reply(requester, .empty, about: nil)
    changes.observers.insert(requester.connection)
  }

  /// The summary of a session has changed. Observers get it once, when the iteration ends.
  mutating func markChanged(_ session: SessionIdentifier) { changes.markChanged(session) }

  /// Sends the changes of sessions to the observers.
  mutating func publishChanges() {
    for identifier in changes.flush() { publishChange(of: identifier) }
  }

  /// Sends also changes that would wait for the disk, for a reply that must follow all changes.
  mutating func publishAllChanges() {
    for identifier in changes.flushAll() { publishChange(of: identifier) }
  }

  private mutating func publishChange(of identifier: SessionIdentifier) {
    let notification: BrokerNotification =
      store.listed(identifier).map { .sessionChanged(summary(of: $0)) }
      ?? .sessionDiscarded(identifier)
    for observer in changes.observers.sorted() {
      send(.notification(notification), to: observer, about: identifier)
    }
    changes.announced(identifier, waitingFor: store.barrier(identifier))
  }

  /// Traces the room on the disk, if it has changed.
  mutating func publishRoom() {
    guard let (room, problem) = store.takeUnpublishedRoom() else { return }
    trace(.storage) { ($0.reason, $0.detail) = (room.rawValue, problem) }
  }

  /// Sends the phase to every client, if it has changed.
  mutating func publishPhaseIfChanged() {
    if changes.update(ApplicationPhase(highest: scenes.highestState)) {
      notifyAll(.phaseChanged(phase))
    }
  }

  mutating func notifyAll(_ notification: BrokerNotification) {
    for connection in clients.initialized {
      send(.notification(notification), to: connection, about: nil)
    }
  }
}
