import SceneTestSupport
import Synchronization
import Testing

@testable import SceneJournal

@Suite("The steps of the journal's thread")
final class WorkerTests {
  private let second: Int64 = 1_000_000_000
  private let disk = SimulatedDisk(seed: 1)
  private let options = JournalOptions.small()
  private let wakes = Counter()
  private let queue: JournalQueue
  private var worker: JournalWorker

  final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
  }

  init() throws {
    queue = JournalQueue(
      batchByteLimit: options.batchByteLimit, wakeOwner: { [wakes] in wakes.add() })
    worker = JournalWorker(try openJournal(disk, options), queue, now: 0)
  }

  /// Submits so many records one by one, each with a step. A log has room for eight batches.
  private func commit(_ count: Int) {
    for number in 1...count {
      queue.submit(JournalRecords([number: "x"]), through: UInt64(number))
      _ = worker.step(now: 0)
    }
  }

  @Test("64 waiting submissions become one batch with one sync, and the owner wakes once")
  func oneSync() throws {
    queue.submit(JournalRecords([1: "x"]), through: 1)
    #expect(worker.step(now: 0) == .wait(until: second))
    let before = queue.status.counts
    for number in 2...65 {
      queue.submit(JournalRecords([number: "x"]), through: UInt64(number))
    }
    #expect(worker.step(now: 0) == .wait(until: second))
    #expect(queue.status.durable == 65)
    #expect(queue.status.counts.batches == before.batches + 1)
    #expect(queue.status.counts.syncs == before.syncs + 1)
    #expect(queue.status.counts.directorySyncs == before.directorySyncs)
    #expect(wakes.count == 2)
  }

  @Test("a submission without records is acknowledged")
  func emptySubmission() throws {
    queue.submit(JournalRecords(), through: 9)
    #expect(worker.step(now: 0) == .wait(until: nil))
    #expect(queue.status.durable == 9)
    #expect(queue.status.counts.batches == 0)
  }

  @Test("an idle second adds one commit marker")
  func attests() throws {
    queue.submit(JournalRecords([1: "x"]), through: 1)
    #expect(worker.step(now: 5) == .wait(until: 5 + second))
    #expect(worker.step(now: 4 + second) == .wait(until: 5 + second))
    #expect(queue.status.counts.batches == 1)
    #expect(worker.step(now: 5 + second) == .now)
    #expect(queue.status.counts.batches == 2)
    #expect(worker.step(now: 5 + second) == .wait(until: nil))
  }

  @Test("the thread reports a full disk, checks every second, and reports free space")
  func fullDisk() throws {
    disk.capacity = options.logByteCount
    for number in 1...4 {
      queue.submit(JournalRecords([number: "x"]), through: UInt64(number))
      #expect(worker.step(now: 10) == .wait(until: 10 + second))
    }
    #expect(queue.status.storage == .full)
    #expect(worker.step(now: 20) == .wait(until: 10 + second))
    disk.capacity = .max
    #expect(worker.step(now: 9 + second) == .wait(until: 10 + second))
    #expect(queue.status.storage == .full)
    _ = worker.step(now: 10 + second)
    #expect(queue.status.storage == .ok)
  }

  @Test("a batch without space waits, and no batch overtakes it")
  func blockedBatch() throws {
    disk.capacity = options.logByteCount
    commit(9)
    #expect(queue.status.durable == 8)
    queue.submit(JournalRecords([10: "x"]), through: 10)
    let calls = disk.calls
    #expect(worker.step(now: 5) == .wait(until: second))
    #expect(disk.calls == calls)
    disk.capacity = .max
    #expect(worker.step(now: second) == .now)
    #expect(queue.status.durable == 10)
    #expect(queue.status.storage == .ok)
  }

  @Test("the thread reserves space for the holds")
  func reservedBatches() throws {
    queue.reserveBatches(16)
    #expect(queue.hasWork)
    _ = worker.step(now: 0)
    #expect(disk.fileNames.contains("log-3.tmp"))
    queue.reserveBatches(15)
    #expect(!queue.hasWork)
  }

  @Test("an error ends the thread, and no later record is acknowledged")
  func error() throws {
    queue.submit(JournalRecords([1: "x"]), through: 1)
    _ = worker.step(now: 0)
    disk.calls = 0
    disk.fault = .once(.inputOutputError, at: 1, only: .write)
    queue.submit(JournalRecords([2: "x"]), through: 2)
    #expect(worker.step(now: 0) == .ended)
    #expect(queue.status.durable == 1)
    let error = StorageFailure(
      call: .write, file: "log-1", reason: .code(5), message: "Input/output error")
    #expect(queue.status.failure == .storage(error))
    #expect(wakes.count == 2)
  }

  @Test("a stop writes all batches and a commit marker, and ends")
  func stop() throws {
    let long = String(repeating: "l", count: options.batchByteLimit - 20)
    for number in 1...3 {
      queue.submit(JournalRecords([number: long]), through: UInt64(number))
    }
    queue.requestStop()
    var turns = 0
    while worker.step(now: 0) == .now { turns += 1 }
    #expect(turns == 2, "the last batch needs no step of its own")
    #expect(queue.status.durable == 3)
    #expect(queue.status.counts.batches == 4)
    var layout = Layout()
    _ = try Journal.read(disk, visitor: &layout)
    #expect(layout.files.last?.batches.last?.recordCount == 0)
  }

  @Test("a stop on a full disk ends, and acknowledges no batch that waits for space")
  func stopWithoutSpace() throws {
    disk.capacity = options.logByteCount
    commit(9)
    queue.requestStop()
    #expect(worker.step(now: 0) == .ended)
    #expect(queue.status.hasEnded)
    #expect(queue.status.failure == nil)
    #expect(queue.status.durable == 8)
  }

  @Test("the thread compacts while it is idle")
  func compacts() throws {
    var number: UInt64 = 0
    while queue.status.counts.begunLogs < 5 {
      number += 1
      queue.submit(JournalRecords([Int(number % 5): "c"]), through: number)
      _ = worker.step(now: 0)
    }
    while worker.step(now: 0) == .now {}
    #expect(queue.status.counts.compactions == 1)
    #expect(disk.fileNames.contains("base-1"))
  }
}
