import SceneServer

@testable import SceneJournal

/// The journal of a simulated daemon: the code of the journal's thread, one step at a time.
final class SteppedJournal: JournalSink {
  private let queue: JournalQueue
  private var worker: JournalWorker
  private let model: Model
  /// When the journal needs its next step; nil after its end.
  private(set) var nextStep: Int64?
  private var hasEnded = false
  /// The status that the daemon knows.
  private var learned = JournalStatus()

  /// The submitted records, the oldest first. Some of them can be synced already.
  private var waiting: [(byteCount: Int, through: UInt64)] = []

  init(
    _ writer: consuming JournalWriter, model: Model, now: Int64
  ) {
    queue = JournalQueue(
      batchByteLimit: writer.options.batchByteLimit, counts: writer.counts, wakeOwner: {})
    worker = JournalWorker(writer, queue, now: now)
    self.model = model
    nextStep = now
  }

  func submit(
    _ records: JournalRecords, through number: UInt64, reserving count: Int
  ) -> JournalStatus {
    let synced = status.durable
    waiting.removeAll { $0.through <= synced }
    waiting.append((records.byteCount, number))
    model.handOver(records, through: number)
    nextStep = 0
    return queue.submit(records, through: number, reserving: count)
  }

  func reserveBatches(_ count: Int) {
    queue.reserveBatches(count)
    if queue.hasWork { nextStep = 0 }
  }

  func requestSpaceCheck() {
    queue.requestSpaceCheck()
    if queue.hasWork { nextStep = 0 }
  }

  var status: JournalStatus { queue.status }

  /// The bytes of submitted records that are not synced.
  var waitingByteCount: Int {
    let synced = status.durable
    return waiting.reduce(0) { $0 + ($1.through > synced ? $1.byteCount : 0) }
  }

  /// Whether the disk has no space for a submitted record.
  var isBlocked: Bool { worker.isBlocked }

  /// Whether there is a status that the daemon does not know.
  var hasUnseenStatus: Bool {
    let status = queue.status
    return status.durable != learned.durable || status.storage != learned.storage
  }

  func markLearned() { learned = queue.status }

  /// Runs one step.
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

  /// Writes the remaining records and ends, as in an orderly shutdown.
  func stop(now: Int64) {
    queue.requestStop()
    while !hasEnded { step(now: now) }
  }
}
