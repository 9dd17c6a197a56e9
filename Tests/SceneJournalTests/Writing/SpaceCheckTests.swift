import SceneTestSupport
import Synchronization
import Testing

@testable import SceneJournal

@Suite("Requested checks for free space")
struct SpaceCheckTests {
  private let second: Int64 = 1_000_000_000
  private let disk = SimulatedDisk(seed: 1)
  private let options = JournalOptions.small()

  private func fill(
    _ worker: inout JournalWorker, _ queue: JournalQueue, at now: Int64
  ) {
    for number in 1...4 {
      queue.submit(JournalRecords([number: "x"]), through: UInt64(number))
      _ = worker.step(now: now)
    }
  }

  @Test("a requested check runs at once, but at most every 50 ms")
  func wish() throws {
    disk.capacity = options.logByteCount
    let queue = JournalQueue(batchByteLimit: options.batchByteLimit) {}
    var worker = JournalWorker(try openJournal(disk, options), queue, now: 0)
    fill(&worker, queue, at: 10)
    #expect(queue.status.storage == .full)
    let minimumCheckInterval = JournalWorker.minimumCheckInterval

    queue.requestSpaceCheck()
    #expect(queue.hasWork)
    let calls = disk.calls
    #expect(worker.step(now: 20) == .wait(until: 10 + minimumCheckInterval))
    #expect(disk.calls == calls)
    // The next due work is the commit marker.
    #expect(worker.step(now: 10 + minimumCheckInterval) == .wait(until: 10 + second))
    #expect(disk.calls > calls)
    #expect(queue.status.storage == .full)

    disk.capacity = .max
    queue.requestSpaceCheck()
    #expect(
      worker.step(now: 20 + minimumCheckInterval) == .wait(until: 10 + 2 * minimumCheckInterval))
    #expect(queue.status.storage == .full)
    _ = worker.step(now: 10 + 2 * minimumCheckInterval)
    #expect(queue.status.storage == .ok)
  }

  @Test("a change of the free bytes wakes the owner")
  func status() throws {
    let wakes = Mutex(0)
    let queue = JournalQueue(batchByteLimit: 100) {
      wakes.withLock { $0 += 1 }
    }
    for free in [1, 2, 2] {
      queue.publish {
        $0.storage = .full
        $0.spaceShortage = SpaceShortage(
          place: "/x", neededByteCount: 9, freeByteCount: free, reason: "full")
      }
    }
    #expect(wakes.withLock { $0 } == 2)
  }
}
