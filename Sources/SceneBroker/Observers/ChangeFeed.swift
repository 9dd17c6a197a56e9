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
