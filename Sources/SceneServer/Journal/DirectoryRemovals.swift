import SceneModel

/// Directories of discarded sessions, which may be removed only when the discard is durable.
struct DirectoryRemovals {
  /// In the order of the records.
  private var pending: [(session: SessionIdentifier, after: UInt64)] = []

  mutating func add(_ session: SessionIdentifier, after record: UInt64) {
    pending.append((session, record))
  }

  /// Removes and returns the sessions whose discard is durable.
  mutating func takeReady(durable: UInt64) -> [SessionIdentifier] {
    guard !pending.isEmpty else { return [] }
    let ready = pending.prefix { $0.after <= durable }.map(\.session)
    pending.removeFirst(ready.count)
    return ready
  }
}
