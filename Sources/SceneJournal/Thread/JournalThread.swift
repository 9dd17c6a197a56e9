package import ScenePlatform
import Synchronization

/// A journal with its own thread. During the sync of one batch, the next batch collects
/// submissions.
///
/// The owner submits records and reads the status after each wakeup. All methods are thread-safe.
/// Only ``stop()`` waits for the disk.
package final class JournalThread: Sendable {
  private let shared: JournalShared
  /// Whether the thread must wake; nil without a thread and files.
  private let wakeup: ConditionMutex<Bool>?
  private let thread: Mutex<Thread?>
  /// The lock files to check before an acknowledgment, also without a journal.
  private let locks: [LockedFile]

  /// Starts the thread of an opened journal. The thread calls `wakeOwner` after each change of
  /// ``status``, except of the counts.
  package init(
    _ writer: consuming JournalWriter, wakeOwner: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    shared = JournalShared(
      batchByteLimit: writer.options.batchByteLimit, counts: writer.counts, wakeOwner: wakeOwner)
    let wakeup = ConditionMutex(false)
    let body = JournalThreadBody(
      JournalWorker(writer, shared, now: SystemClock.monotonic()), shared, wakeup: wakeup)
    self.wakeup = wakeup
    locks = []
    thread = Mutex(try Thread("journal") { body.run() })
  }

  /// A journal without files. Each submission is acknowledged at once while the lock files are in
  /// place.
  package init(
    withoutFilesWaking wakeOwner: @escaping @Sendable () -> Void, locks: [LockedFile] = []
  ) {
    shared = JournalShared(batchByteLimit: 0, counts: JournalCounts(), wakeOwner: wakeOwner)
    wakeup = nil
    self.locks = locks
    thread = Mutex(nil)
  }

  /// The current status.
  package var status: JournalStatus { shared.status }

  /// Submits records with an increasing number. The submission is durable when
  /// ``JournalStatus/syncedThrough`` ≥ `number`. A submission up to the batch limit is atomic.
  package func submit(_ records: JournalRecords, through number: UInt64) {
    if wakeup == nil { return acknowledge(through: number) }
    if shared.submit(records, through: number) { wake() }
  }

  private func acknowledge(through number: UInt64) {
    do throws(JournalError) {
      for lock in locks { try lock.check() }
      shared.publish { $0.syncedThrough = number }
    } catch {
      shared.publish { status in
        status.failure = error
        status.hasEnded = true
      }
    }
  }

  /// Reserves space for this many batches on a full disk: one for the end of each hold.
  package func reserveBatches(_ count: Int) {
    if shared.reserveBatches(count) { wake() }
  }

  /// Requests an early check for free space. Checks are at least 50 ms apart.
  package func requestSpaceCheck() {
    if shared.requestSpaceCheck() { wake() }
  }

  /// Writes and syncs all submissions that fit on the disk, at any durability, then ends the
  /// thread. ``JournalStatus/hasEnded`` reports the end.
  package func requestStop() {
    shared.requestStop()
    if wakeup == nil { return shared.publish { $0.hasEnded = true } }
    wake()
  }

  private func wake() { wakeup?.withLock { $0 = true } }

  /// Requests the stop and waits for the end of the thread.
  package func stop() {
    requestStop()
    thread.withLock { $0.take() }?.join()
  }
}

/// The body of the thread.
private final class JournalThreadBody: Sendable {
  private let worker: Mutex<JournalWorker>
  private let shared: JournalShared
  private let wakeup: ConditionMutex<Bool>

  init(
    _ worker: consuming JournalWorker, _ shared: JournalShared, wakeup: ConditionMutex<Bool>
  ) {
    self.worker = Mutex(worker)
    self.shared = shared
    self.wakeup = wakeup
  }

  func run() {
    worker.withLock { worker in
      while true {
        switch worker.step(now: SystemClock.monotonic()) {
        case .now: letOwnerRun()
        case .wait(let time):
          // A batch that waits for free space blocks all later ones.
          if shared.beginWaiting(forSubmission: !worker.isBlocked) {
            wait(until: time)
          } else {
            letOwnerRun()
          }
        case .ended: return
        }
      }
    }
  }

  /// Lets the owner run if it waits for this processor. It answers the last batch, and the next
  /// saves of these clients join the next batch, so that more saves share a sync.
  private func letOwnerRun() { Thread.yield() }

  private func wait(until time: Int64?) {
    _ = wakeup.wait(until: time) { mustWake in
      defer { mustWake = false }
      return mustWake ? true : nil
    }
    shared.endWaiting()
  }
}
