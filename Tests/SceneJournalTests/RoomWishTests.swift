import SceneTestSupport
import Synchronization
import Testing

@testable import SceneJournal

@Suite("a full disk is looked at again when somebody wants room")
struct RoomWishTests {
  private let second: Int64 = 1_000_000_000
  private let disk = SimulatedDisk(seed: 1)
  private let options = JournalOptions.small()

  private func fill(
    _ worker: inout JournalWorker<Notes>, _ shared: JournalShared, at now: Int64
  ) {
    for number in 1...4 {
      shared.submit(JournalRecords([number: "x"]), through: UInt64(number))
      _ = worker.turn(now: now)
    }
  }

  @Test("at once if that was a while ago, else a little later, and never more often")
  func wish() throws {
    disk.capacity = options.logByteCount
    let shared = JournalShared(
      batchByteLimit: options.batchByteLimit, counts: JournalCounts(), wakeOwner: {})
    var notes = Notes()
    var worker = JournalWorker(
      try JournalWriter(disk, options: options, content: &notes), shared, now: 0)
    fill(&worker, shared, at: 10)
    #expect(shared.news.storage == .full)
    let wishTime = JournalWorker<Notes>.wishTime

    #expect(shared.wishForRoom())
    #expect(!shared.wishForRoom())
    let calls = disk.calls
    #expect(worker.turn(now: 20) == .wait(until: 10 + wishTime))
    #expect(disk.calls == calls)
    #expect(!shared.wishForRoom())
    // What is due after that is to attest what was written.
    #expect(worker.turn(now: 10 + wishTime) == .wait(until: 10 + second))
    #expect(disk.calls > calls)
    #expect(shared.news.storage == .full)

    disk.capacity = .max
    #expect(shared.wishForRoom())
    #expect(worker.turn(now: 20 + wishTime) == .wait(until: 10 + 2 * wishTime))
    #expect(shared.news.storage == .full)
    _ = worker.turn(now: 10 + 2 * wishTime)
    #expect(shared.news.storage == .ok)
  }

  @Test("what is free is news, though there is still too little")
  func news() throws {
    let wakes = Mutex(0)
    let shared = JournalShared(batchByteLimit: 100, counts: JournalCounts()) {
      wakes.withLock { $0 += 1 }
    }
    for free in [1, 2, 2] {
      shared.publish {
        $0.storage = .full
        $0.missingRoom = MissingRoom(
          place: "/x", neededByteCount: 9, freeByteCount: free, reason: "full")
      }
    }
    #expect(wakes.withLock { $0 } == 2)
  }
}
