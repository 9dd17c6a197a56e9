import SceneModel

/// The changes of sessions that observers have not got, and the phase of the application.
///
/// One notification of each session at a time waits for the disk. Changes that come meanwhile go
/// out in one notification when the disk has the first.
struct ChangeFeed {
  private struct Announcement {
    /// The record that the notification waits for.
    let record: UInt64
    /// Whether the session has changed since.
    var isOutdated = false
  }

  /// The phase that clients know.
  private(set) var phase = ApplicationPhase.background
  var observers: Set<ConnectionIdentifier> = []
  private var changed: [SessionIdentifier] = []
  private var announcements: [SessionIdentifier: Announcement] = [:]

  mutating func markChanged(_ session: SessionIdentifier) {
    guard !observers.isEmpty, changed.last != session else { return }
    changed.append(session)
  }

  /// Returns whether clients must get the phase.
  mutating func update(_ phase: ApplicationPhase) -> Bool {
    defer { self.phase = phase }
    return phase != self.phase
  }

  /// The disk has all records up to this number.
  mutating func synced(upTo number: UInt64) { changed += removeAnnouncements(upTo: number) }

  /// The sessions to announce now, in the order of their first change.
  mutating func flush() -> [SessionIdentifier] {
    guard !changed.isEmpty else { return [] }
    var seen: Set<SessionIdentifier> = []
    let due = changed.filter { seen.insert($0).inserted && !markOutdated($0) }
    changed.removeAll(keepingCapacity: true)
    return due
  }

  /// The same, with the changes that wait for the disk.
  mutating func flushAll() -> [SessionIdentifier] {
    changed += removeAnnouncements(upTo: .max)
    return flush()
  }

  /// The observers get the notification. It waits for this record, if it is not 0.
  mutating func announced(_ session: SessionIdentifier, waitingFor record: UInt64) {
    if record > 0 { announcements[session] = Announcement(record: record) }
  }

  /// Returns false if no notification of the session waits for the disk.
  private mutating func markOutdated(_ session: SessionIdentifier) -> Bool {
    guard let index = announcements.index(forKey: session) else { return false }
    announcements.values[index].isOutdated = true
    return true
  }

  /// Removes the notifications that the disk does not delay any more. Returns the sessions that
  /// have changed since.
  private mutating func removeAnnouncements(upTo number: UInt64) -> [SessionIdentifier] {
    guard !announcements.isEmpty else { return [] }
    let sent = announcements.filter { $0.value.record <= number }
    for session in sent.keys { announcements[session] = nil }
    return sent.filter { $0.value.isOutdated }.keys.sorted()
  }

  // MARK: - Invariants

  /// The records that notifications wait for.
  var awaitedRecords: [UInt64] { announcements.values.map(\.record) }
}

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

/// `application/memoryWarning` and `application/significantTimeChange`: every client gets the
/// notification.
extension Broker {
  /// Disconnects also the scenes in the background, as far as no assertion keeps them.
  mutating func warnOfMemory(_ message: MemoryWarning, _ requester: Requester) {
    guard !message.pressure else { return requestPressureStep(requester) }
    notifyAll(.memoryWarning)
    reclaim(withoutAssertion(atRestInBackground), for: requester, .empty)
  }

  mutating func announceTimeChange(_ requester: Requester) {
    notifyAll(.significantTimeChange)
    reply(requester, .empty, about: nil)
  }
}
