package import ScenePlatform
import Synchronization

/// A journal of which one thread submits records and another one writes them. During the sync of
/// one batch, the next batch collects submissions.
///
/// All methods are thread-safe. Only ``stop()`` waits for the disk.
package final class JournalQueue: Sendable {
  /// The records of one batch, and the number of its last submission.
  struct Batch: Sendable {
    var records: JournalRecords
    var through: UInt64
  }

  /// The input of one step of the worker.
  struct Input: Sendable {
    let batch: Batch?
    /// Whether batches are left.
    let isMoreWaiting: Bool
    let reservedBatchCount: Int
    let isStopping: Bool
  }

  private struct State: Sendable {
    /// The waiting batches in order.
    var batches: [Batch] = []
    var reservedBatchCount = 0
    var isStopping = false
    var isSpaceCheckRequested = false
    /// Whether the owner has changed something since the last step of the worker.
    var hasWork = false
    var status = JournalStatus()

    /// Adds the records of one submission to the last batch if they fit, else to a new batch. Never
    /// splits a submission.
    mutating func add(_ records: JournalRecords, through number: UInt64, batchByteLimit: Int) {
      if let last = batches.indices.last,
        batches[last].records.byteCount + records.byteCount <= batchByteLimit
      {
        batches[last].records.append(records)
        batches[last].through = number
      } else {
        batches.append(Batch(records: records, through: number))
      }
    }
  }

  private let state = ConditionMutex(State())
  private let batchByteLimit: Int
  private let wakeOwner: @Sendable () -> Void
  /// The lock files of a journal without files, which checks them before an acknowledgment; nil for
  /// a journal with files.
  private let locks: [LockedFile]?
  private let thread = Mutex<Thread?>(nil)

  /// A journal whose owner has the worker. It calls `wakeOwner` after each change of ``status``,
  /// except of the counts.
  init(
    batchByteLimit: Int, counts: JournalCounts = JournalCounts(), locks: [LockedFile]? = nil,
    wakeOwner: @escaping @Sendable () -> Void
  ) {
    self.batchByteLimit = batchByteLimit
    self.locks = locks
    self.wakeOwner = wakeOwner
    state.withLock { $0.status.counts = counts }
  }

  /// Starts the thread of an opened journal.
  package convenience init(
    _ writer: consuming JournalWriter, wakeOwner: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    self.init(
      batchByteLimit: writer.options.batchByteLimit, counts: writer.counts, wakeOwner: wakeOwner)
    let worker = Mutex(JournalWorker(writer, self, now: SystemClock.monotonic()))
    try thread.withLock { (thread) throws(SystemError) in
      thread = try Thread("journal") { worker.withLock { $0.run() } }
    }
  }

  /// A journal without files. Each submission is acknowledged at once while the lock files are in
  /// place.
  package convenience init(
    withoutFilesWaking wakeOwner: @escaping @Sendable () -> Void, locks: [LockedFile] = []
  ) {
    self.init(batchByteLimit: 0, locks: locks, wakeOwner: wakeOwner)
  }

  private func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock(wakingIf: { $0.hasWork }, body)
  }

  // MARK: - Owner

  /// The current status.
  package var status: JournalStatus { withState { $0.status } }

  /// Submits records with an increasing number, and sets the number of reserved batches. Returns
  /// the status.
  ///
  /// The submission is durable when ``JournalStatus/durable`` ≥ `number`. A submission up to
  /// the batch limit is atomic.
  package func submit(
    _ records: JournalRecords, through number: UInt64, reserving count: Int
  ) -> JournalStatus {
    if locks != nil { acknowledge(through: number) }
    return withState { state in
      if locks == nil {
        state.add(records, through: number, batchByteLimit: batchByteLimit)
        state.reservedBatchCount = count
        state.hasWork = true
      }
      return state.status
    }
  }

  private func acknowledge(through number: UInt64) {
    do throws(JournalError) {
      for lock in locks ?? [] { try lock.check() }
      publish { $0.durable = number }
    } catch {
      end(error)
    }
  }

  /// Reserves space for this many batches on a full disk: one for the end of each hold.
  package func reserveBatches(_ count: Int) {
    withState { state in
      if count > state.reservedBatchCount { state.hasWork = true }
      state.reservedBatchCount = count
    }
  }

  /// Requests an early check for free space. Checks are at least 50 ms apart.
  package func requestSpaceCheck() {
    withState { state in
      if !state.isSpaceCheckRequested { state.hasWork = true }
      state.isSpaceCheckRequested = true
    }
  }

  /// Writes and syncs all submissions that fit on the disk, at any durability, then ends the
  /// thread. ``JournalStatus/hasEnded`` reports the end.
  package func requestStop() {
    if locks != nil { return publish { $0.hasEnded = true } }
    withState { state in
      state.isStopping = true
      state.hasWork = true
    }
  }

  /// Requests the stop and waits for the end of the thread.
  package func stop() {
    requestStop()
    thread.withLock { $0.take() }?.join()
  }

  // MARK: - Worker

  /// Waits until the owner changes something, or until `time`. Returns at once if it already has.
  func waitForWork(until time: Int64?) {
    _ = state.wait(until: time) { $0.hasWork ? true : nil }
  }

  /// Whether the owner has changed something since the last step.
  var hasWork: Bool { withState { $0.hasWork } }

  /// Whether the owner requested a check for free space since the last call.
  func takeSpaceCheckRequest() -> Bool {
    withState { state in
      defer { state.isSpaceCheckRequested = false }
      return state.isSpaceCheckRequested
    }
  }

  /// Removes the next batch if requested. Later submissions go into another one.
  func take(withBatch: Bool) -> Input {
    withState { state in
      state.hasWork = false
      let batch = withBatch && !state.batches.isEmpty ? state.batches.removeFirst() : nil
      return Input(
        batch: batch, isMoreWaiting: !state.batches.isEmpty,
        reservedBatchCount: state.reservedBatchCount, isStopping: state.isStopping)
    }
  }

  /// Puts back a batch after a failure for lack of space.
  func putBack(_ batch: Batch) { withState { $0.batches.insert(batch, at: 0) } }

  /// Changes the status. Wakes the owner if more than the counts changed.
  func publish(_ change: (inout JournalStatus) -> Void) {
    let hasChanged = withState { state in
      let before = state.status
      change(&state.status)
      return state.status.differs(from: before)
    }
    if hasChanged { wakeOwner() }
  }

  /// Reports the error that ends the journal.
  func end(_ error: JournalError) {
    publish { status in
      status.failure = error
      status.hasEnded = true
    }
  }
}
