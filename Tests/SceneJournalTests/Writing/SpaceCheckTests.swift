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
    _ worker: inout JournalWorker, _ shared: JournalShared, at now: Int64
  ) {
    for number in 1...4 {
      _ = shared.submit(JournalRecords([number: "x"]), through: UInt64(number))
      _ = worker.step(now: now)
    }
  }

  @Test("a requested check runs at once, but at most every 50 ms")
  func wish() throws {
    disk.capacity = options.logByteCount
    let shared = JournalShared(
      batchByteLimit: options.batchByteLimit, counts: JournalCounts(), wakeOwner: {})
    var notes = Notes()
    var worker = JournalWorker(
      try JournalWriter(disk, options: options, content: &notes), shared, now: 0)
    fill(&worker, shared, at: 10)
    #expect(shared.status.storage == .full)
    let minimumCheckInterval = JournalWorker.minimumCheckInterval

    #expect(shared.requestSpaceCheck())
    #expect(!shared.requestSpaceCheck())
    let calls = disk.calls
    #expect(worker.step(now: 20) == .wait(until: 10 + minimumCheckInterval))
    #expect(disk.calls == calls)
    #expect(!shared.requestSpaceCheck())
    // The next due work is the commit marker.
    #expect(worker.step(now: 10 + minimumCheckInterval) == .wait(until: 10 + second))
    #expect(disk.calls > calls)
    #expect(shared.status.storage == .full)

    disk.capacity = .max
    #expect(shared.requestSpaceCheck())
    #expect(
      worker.step(now: 20 + minimumCheckInterval) == .wait(until: 10 + 2 * minimumCheckInterval))
    #expect(shared.status.storage == .full)
    _ = worker.step(now: 10 + 2 * minimumCheckInterval)
    #expect(shared.status.storage == .ok)
  }

  @Test("a change of the free bytes wakes the owner")
  func status() throws {
    let wakes = Mutex(0)
    let shared = JournalShared(batchByteLimit: 100, counts: JournalCounts()) {
      wakes.withLock { $0 += 1 }
    }
    for free in [1, 2, 2] {
      shared.publish {
        $0.storage = .full
        $0.spaceShortage = SpaceShortage(
          place: "/x", neededByteCount: 9, freeByteCount: free, reason: "full")
      }
    }
    #expect(wakes.withLock { $0 } == 2)
  }
}
