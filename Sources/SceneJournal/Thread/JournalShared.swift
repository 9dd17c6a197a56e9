import Synchronization

/// The state that the owner and the journal's thread share.
final class JournalShared: Sendable {
  private let queue = Mutex(SubmissionQueue())
  private let batchByteLimit: Int
  private let wakeOwner: @Sendable () -> Void

  init(
    batchByteLimit: Int, counts: JournalCounts, wakeOwner: @escaping @Sendable () -> Void
  ) {
    self.batchByteLimit = batchByteLimit
    self.wakeOwner = wakeOwner
    queue.withLock { $0.status.counts = counts }
  }

  var status: JournalStatus { queue.withLock { $0.status } }

  /// Returns whether the owner must wake the thread. A thread that works takes the records itself.
  func submit(_ records: JournalRecords, through number: UInt64) -> Bool {
    queue.withLock { queue in
      queue.submit(records, through: number, batchByteLimit: batchByteLimit)
      return queue.endWaiting()
    }
  }

  /// The thread is about to wait. Returns false if it must continue instead.
  func beginWaiting(forSubmission: Bool) -> Bool {
    queue.withLock { $0.beginWaiting(forSubmission: forSubmission) }
  }

  func endWaiting() {
    queue.withLock { queue in _ = queue.endWaiting() }
  }

  /// Sets the number of reserved batches. Returns whether it grew, so that the thread must run.
  func reserveBatches(_ count: Int) -> Bool {
    queue.withLock { queue in
      defer { queue.reservedBatchCount = count }
      return count > queue.reservedBatchCount
    }
  }

  /// Requests a check for free space. Returns whether this is the first request since the last
  /// check.
  func requestSpaceCheck() -> Bool {
    queue.withLock { queue in
      defer { queue.isSpaceCheckRequested = true }
      return !queue.isSpaceCheckRequested
    }
  }

  var isSpaceCheckRequested: Bool { queue.withLock { $0.isSpaceCheckRequested } }

  func clearSpaceCheckRequest() {
    queue.withLock { $0.isSpaceCheckRequested = false }
  }

  func requestStop() {
    queue.withLock { $0.isStopping = true }
  }

  func take(withBatch: Bool) -> SubmissionQueue.Input {
    queue.withLock { $0.take(withBatch: withBatch) }
  }

  func putBack(_ batch: SubmissionQueue.Batch) {
    queue.withLock { $0.putBack(batch) }
  }

  /// Changes the status. Wakes the owner if more than the counts changed.
  func publish(_ change: (inout JournalStatus) -> Void) {
    let hasChanged = queue.withLock { queue in
      let before = queue.status
      change(&queue.status)
      return queue.status.differs(from: before)
    }
    if hasChanged { wakeOwner() }
  }
}

extension JournalStatus {
  /// Whether more than the counts differ.
  fileprivate func differs(from before: JournalStatus) -> Bool {
    syncedThrough != before.syncedThrough || storage != before.storage
      || spaceShortage != before.spaceShortage
      || failure != before.failure || hasEnded != before.hasEnded
      || compactionFailure != before.compactionFailure
  }
}
