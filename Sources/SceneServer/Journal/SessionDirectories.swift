import SceneBroker
import SceneModel

/// The data directories of sessions. The loop makes a directory at once, and removes it when the
/// discard of its session is durable.
struct SessionDirectories {
  /// Nil for a broker without data directories.
  private let keeper: (any DataDirectoryKeeper)?
  /// The directories of discarded sessions, in the order of the records.
  private var removals: [(session: SessionIdentifier, after: UInt64)] = []
  /// Those whose scenes have not ended.
  private(set) var marks: [(session: SessionIdentifier, after: UInt64)] = []

  init(_ keeper: (any DataDirectoryKeeper)?) { self.keeper = keeper }

  /// The sessions that have directories at the start.
  func takeFound() -> [SessionIdentifier] { keeper?.takeFound() ?? [] }

  /// The directory of a discarded session that arrived again is still to be removed.
  func make(_ session: SessionIdentifier) -> DataDirectoryOutcome {
    guard !removals.contains(where: { $0.session == session }) else {
      return .refused(
        .sessionInUse, "the files of the discarded session are not removed yet; try again")
    }
    return keeper?.make(session)
      ?? .refused(.requestDenied, "this broker has no data directories for sessions")
  }

  /// Marks the directory when the record of the discard is durable.
  mutating func mark(_ session: SessionIdentifier, after record: UInt64) {
    marks.append((session, record))
  }

  /// Removes the directory when the record of the discard is durable.
  mutating func remove(_ session: SessionIdentifier, after record: UInt64) {
    marks.removeAll { $0.session == session }
    removals.append((session, record))
  }

  /// Marks and removes the directories of the sessions whose discard is durable.
  mutating func removeReady(durable: UInt64) {
    while let (session, after) = marks.first, after <= durable {
      keeper?.mark(session)
      marks.removeFirst()
    }
    guard !removals.isEmpty else { return }
    let count = removals.prefix { $0.after <= durable }.count
    guard count > 0 else { return }
    keeper?.remove(removals.prefix(count).map(\.session))
    removals.removeFirst(count)
  }
}
