/// A discarded session whose discard can be undone.
package struct TrashedSession: Equatable, Sendable {
  package let session: StoredSession
  /// The record of the discard. With a report, the application delegate is told of the end.
  package let discard: Discard

  /// The end of the time in the trash, in milliseconds since 1970.
  package var until: Int64 { discard.until ?? 0 }
}

/// The discarded sessions that the broker still stores. Most applications have none, so
/// ``StoredState`` needs one reference for all of them.
struct DiscardedSessions: Equatable, Sendable {
  var reports: [DiscardedSession] = []
  /// The size of `reports`.
  var reportByteCount = 0
  var trash: [SessionIdentifier: TrashedSession] = [:]
  /// The size of `trash`.
  var trashByteCount = 0
}

/// The limits of the trash.
package enum Trash {
  /// The most sessions in the trash.
  package static let mostSessions = 1000
  /// The part of `storedBytes` that the trash can have.
  package static let fraction = 4
  /// The time in the trash without a policy and without an application delegate.
  package static let standardTime = Interval.seconds(86_400)
}

extension StoredSession {
  /// The session in the trash: no process holds it or waits for it.
  func trashed() -> StoredSession {
    guard hold.holder != nil || hold.previousHolder != nil else { return self }
    var hold = hold
    if hold.holder != nil {
      (hold.end, hold.lastEnd) = (DisconnectOutcome(reason: .discarded), nil)
    }
    (hold.holder, hold.previousHolder) = (nil, nil)
    return StoredSession(attributes: attributes, generations: generations, hold: hold)
  }
}

extension Collection<TrashedSession> {
  /// The sessions in the order in which they leave the trash.
  package var inOrderOfEnd: [TrashedSession] {
    sorted {
      ($0.until, $0.session.attributes.identifier) < ($1.until, $1.session.attributes.identifier)
    }
  }
}
