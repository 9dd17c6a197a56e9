import Synchronization

/// The one thing that the owner and the journal's thread share.
final class JournalShared: Sendable {
  private let handover = Mutex(JournalHandover())
  private let batchByteLimit: Int
  private let wakeOwner: @Sendable () -> Void

  init(
    batchByteLimit: Int, counts: JournalCounts, wakeOwner: @escaping @Sendable () -> Void
  ) {
    self.batchByteLimit = batchByteLimit
    self.wakeOwner = wakeOwner
    handover.withLock { $0.news.counts = counts }
  }

  var news: JournalNews { handover.withLock { $0.news } }

  func submit(_ records: JournalRecords, through number: UInt64) {
    handover.withLock { handover in
      handover.submit(records, through: number, batchByteLimit: batchByteLimit)
    }
  }

  /// Returns whether more is set aside than before, so that there is something to do.
  func setAside(_ count: Int) -> Bool {
    handover.withLock { handover in
      defer { handover.setAside = count }
      return count > handover.setAside
    }
  }

  /// Returns whether nobody has wished for it since it was looked for.
  func wishForRoom() -> Bool {
    handover.withLock { handover in
      defer { handover.wishesForRoom = true }
      return !handover.wishesForRoom
    }
  }

  var isRoomWishedFor: Bool { handover.withLock { $0.wishesForRoom } }

  func forgetWish() {
    handover.withLock { $0.wishesForRoom = false }
  }

  func requestStop() {
    handover.withLock { $0.isStopping = true }
  }

  /// What the next turn is about.
  func take(
    withUnit: Bool
  ) -> (unit: JournalHandover.Unit?, setAside: Int, isStopping: Bool) {
    handover.withLock { handover in
      (withUnit ? handover.takeUnit() : nil, handover.setAside, handover.isStopping)
    }
  }

  func putBack(_ unit: JournalHandover.Unit) {
    handover.withLock { $0.putBack(unit) }
  }

  /// Changes the news and wakes the owner, if they are news.
  func publish(_ change: (inout JournalNews) -> Void) {
    let isNews = handover.withLock { handover in
      let before = handover.news
      change(&handover.news)
      return handover.news.isWorthTelling(after: before)
    }
    if isNews { wakeOwner() }
  }
}

extension JournalNews {
  /// Counts alone wake nobody.
  fileprivate func isWorthTelling(after before: JournalNews) -> Bool {
    syncedThrough != before.syncedThrough || storage != before.storage
      || missingRoom != before.missingRoom
      || failure != before.failure || hasEnded != before.hasEnded
      || compactionFailure != before.compactionFailure
  }
}
