@testable import SceneJournal
import SceneServer

/// The journal of a simulated daemon: the code of its thread, one step at a time.
final class SteppedJournal: JournalSink {
  private let shared: JournalShared
  private var worker: JournalWorker<JournalledState>
  private let model: Model
  /// When the next step is due; nil once the journal has ended.
  private(set) var nextStep: Int64?
  private var hasEnded = false
  /// What the daemon has been told.
  private var learned = JournalStatus()

  /// What was handed over, the oldest first; some of it may be synced by now.
  private var waiting: [(byteCount: Int, through: UInt64)] = []

  init(
    _ writer: consuming JournalWriter<JournalledState>, model: Model, now: Int64
  ) {
    shared = JournalShared(
      batchByteLimit: writer.options.batchByteLimit, counts: writer.counts, wakeOwner: {})
    worker = JournalWorker(writer, shared, now: now)
    self.model = model
    nextStep = now
  }

  func submit(_ records: JournalRecords, through number: UInt64) {
    let synced = status.syncedThrough
    waiting.removeAll { $0.through <= synced }
    waiting.append((records.byteCount, number))
    model.handOver(records, through: number)
    shared.submit(records, through: number)
    nextStep = 0
  }

  func reserveBatches(_ count: Int) {
    if shared.reserveBatches(count) { nextStep = 0 }
  }

  func requestSpaceCheck() {
    if shared.requestSpaceCheck() { nextStep = 0 }
  }

  var status: JournalStatus { shared.status }

  /// Bytes of records that were handed over and are not synced.
  var waitingByteCount: Int {
    let synced = status.syncedThrough
    return waiting.reduce(0) { $0 + ($1.through > synced ? $1.byteCount : 0) }
  }

  /// Whether something was handed over that there is no room for.
  var isBlocked: Bool { worker.isBlocked }

  /// Whether the daemon has not seen the current status.
  var hasUnseenStatus: Bool {
    let status = shared.status
    return status.syncedThrough != learned.syncedThrough || status.storage != learned.storage
  }

  func markLearned() { learned = shared.status }

  /// Does the work that is due.
  func step(now: Int64) {
    guard !hasEnded else { return }
    switch worker.step(now: now) {
    case .now: nextStep = 0
    case .wait(let time): nextStep = time
    case .ended:
      nextStep = nil
      hasEnded = true
    }
  }

  /// Writes what is left and ends, as a daemon does that ends in order.
  func stop(now: Int64) {
    shared.requestStop()
    while !hasEnded { step(now: now) }
  }
}
