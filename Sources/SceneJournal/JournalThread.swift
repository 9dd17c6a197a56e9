package import ScenePlatform
import Synchronization

/// A journal with a thread of its own: while one batch is synced the next one gathers.
///
/// The owner submits, is woken when there are news, and asks for them. All calls may come from any
/// thread; none waits for the disk but ``stop()``.
package final class JournalThread: Sendable {
  private let shared: JournalShared
  /// Wakes the thread; nil if there is none, because nothing is kept.
  private let wakeup: Wakeup?
  private let thread: Mutex<Thread?>
  /// The lock files to check before an acknowledgment, also without a journal.
  private let locks: [LockedFile]

  /// Starts the thread of an opened journal. `wakeOwner` is called on that thread, whenever
  /// ``news`` changed in more than its counts.
  package init<Content: JournalContent>(
    _ writer: consuming JournalWriter<Content>, wakeOwner: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    shared = JournalShared(
      batchByteLimit: writer.options.batchByteLimit, counts: writer.counts, wakeOwner: wakeOwner)
    let wakeup = try Wakeup()
    let body = JournalThreadBody(
      JournalWorker(writer, shared, now: SystemClock.monotonic()), wakeup: wakeup,
      ringing: try FileDescriptor.duplicating(wakeup.number))
    self.wakeup = wakeup
    locks = []
    thread = Mutex(try Thread("journal") { body.run() })
  }

  /// A journal that keeps nothing: what is submitted counts as synced at once, while the caller's
  /// lock files are in their places.
  package init(
    keepingNothingWaking wakeOwner: @escaping @Sendable () -> Void, locks: [LockedFile] = []
  ) {
    shared = JournalShared(batchByteLimit: 0, counts: JournalCounts(), wakeOwner: wakeOwner)
    wakeup = nil
    self.locks = locks
    thread = Mutex(nil)
  }

  /// What has happened until now.
  package var news: JournalNews { shared.news }

  /// Hands records over. They and all before them are durable when ``JournalNews/syncedThrough``
  /// has reached `number`; numbers only grow. Records submitted together stay together up to the
  /// batch limit.
  package func submit(_ records: JournalRecords, through number: UInt64) {
    guard let wakeup else { return acknowledge(through: number) }
    shared.submit(records, through: number)
    wakeup.signal()
  }

  private func acknowledge(through number: UInt64) {
    do throws(StorageError) {
      for lock in locks { try lock.check() }
      shared.publish { $0.syncedThrough = number }
    } catch {
      shared.publish { news in
        news.failure = .storage(error)
        news.hasEnded = true
      }
    }
  }

  /// How many batches must find room even on a full disk, one for each hold that will end.
  package func setAside(_ count: Int) {
    if shared.setAside(count) { wakeup?.signal() }
  }

  /// Somebody wants room that there was not: it is looked for before its time, if it was not just
  /// looked for.
  package func lookForRoom() {
    if shared.wishForRoom() { wakeup?.signal() }
  }

  /// Lets what was submitted be written, and synced whatever the durability is, and the thread end:
  /// ``JournalNews/hasEnded`` says when.
  package func requestStop() {
    shared.requestStop()
    guard let wakeup else { return shared.publish { $0.hasEnded = true } }
    wakeup.signal()
  }

  /// The same, and waits for it.
  package func stop() {
    requestStop()
    thread.withLock { $0.take() }?.join()
  }
}

/// What the thread runs.
private final class JournalThreadBody<Content: JournalContent>: Sendable {
  private let worker: Mutex<JournalWorker<Content>>
  private let wakeup: Wakeup
  private let ringing: FileDescriptor

  init(
    _ worker: consuming JournalWorker<Content>, wakeup: Wakeup, ringing: consuming FileDescriptor
  ) {
    self.worker = Mutex(worker)
    self.wakeup = wakeup
    self.ringing = ringing
  }

  func run() {
    worker.withLock { worker in
      while true {
        switch worker.turn(now: SystemClock.monotonic()) {
        case .now: continue
        case .wait(let time):
          do throws(SystemError) {
            try wait(until: time)
          } catch {
            return worker.end(.cannotWait(reason: error.description))
          }
        case .ended: return
        }
      }
    }
  }

  private func wait(until time: Int64?) throws(SystemError) {
    let left = time.map { max(0, $0 - SystemClock.monotonic()) }
    if try ringing.waitReadable(nanoseconds: left) { wakeup.drain() }
  }
}
