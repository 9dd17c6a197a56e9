import SceneTestSupport
import Testing

@testable import SceneJournal

@Suite("Compaction")
struct CompactionTests {
  private let disk = SimulatedDisk(seed: 1)

  @Test("a compacted journal has the same state", arguments: 1...20 as ClosedRange<UInt64>)
  func equivalence(seed: UInt64) throws {
    let workload = try Workload.mixed(.small(), commits: 100, seed: seed)
    let disk = SimulatedDisk(seed: seed)
    let progress = workload.run(on: disk)
    #expect(progress.error == nil)
    #expect(disk.fileNames.contains { $0.hasPrefix("base-") })
    #expect(try recover(disk) == workload.states.last)
    // One checkpoint and the logs after it.
    #expect(disk.fileNames.count { $0.hasPrefix("base-") } == 1)
  }

  @Test("compaction begins when the sealed files exceed the minimum and twice their live content")
  func trigger() throws {
    var options = JournalOptions.small(pages: 2)
    options.compactionByteCount = 2 * options.logByteCount
    options.logLimit = 100
    var writer = try openJournal(disk, options)
    for page in 1...6 { try writer.commit(JournalRecords([0: "\(page)"])) }
    // Two sealed logs do not exceed the limit.
    #expect(writer.isCompacting == false)
    try writer.commit(JournalRecords([0: "7"]))
    #expect(writer.isCompacting == true)
    while try writer.compactStep() {}
    #expect(disk.fileNames == ["base-1", "log-4"])
    #expect(try recover(disk, options).texts == [0: "7"])
  }

  @Test("compaction waits while nearly all content is live")
  func waitsWhileLive() throws {
    var options = JournalOptions.small(pages: 4)
    options.compactionByteCount = 0
    options.logLimit = 1
    var writer = try openJournal(disk, options)
    for number in 1...8 {
      try writer.commit(JournalRecords([number: String(repeating: "l", count: 3900)]))
    }
    while try writer.compactStep() {}
    options.logLimit = 100
    writer = try openJournal(disk, options)
    let names = disk.fileNames
    #expect(names.first == "base-1")
    for _ in 1...4 { try writer.commit(JournalRecords([1: "short"])) }
    #expect(writer.isCompacting == false)
  }

  @Test("compaction begins at the limit of logs")
  func logLimit() throws {
    var options = JournalOptions.small()
    options.compactionByteCount = .max
    options.logLimit = 3
    for number in 1...3 {
      var writer = try openJournal(disk, options)
      #expect(writer.isCompacting == false, "start \(number)")
      try writer.commit(JournalRecords([1: "\(number)"]))
    }
    let writer = try openJournal(disk, options)
    #expect(writer.isCompacting == true)
  }

  @Test("compaction runs between commits and loses no record")
  func betweenCommits() throws {
    var options = JournalOptions.small(pages: 4)
    options.compactionByteCount = 2 * options.logByteCount
    var writer = try openJournal(disk, options)
    var expected = Notes()
    var number = 0
    var steps = 0
    while writer.counts.compactions < 3 {
      number += 1
      let records = JournalRecords([number % 40: String(repeating: "\(number % 10)", count: 600)])
      try writer.commit(records)
      expected = try expected.adding(records)
      if try writer.compactStep() { steps += 1 }
    }
    #expect(steps > 10)
    disk.cutPower()
    #expect(try recover(disk, options) == expected)
  }

  @Test("compaction stops on a full disk and begins again later")
  func fullDisk() throws {
    var options = JournalOptions.small(pages: 2)
    options.compactionByteCount = 0
    options.logLimit = 2
    var writer = try openJournal(disk, options)
    for number in 1...5 {
      try writer.commit(JournalRecords([number: String(repeating: "f", count: 900)]))
    }
    try #require(writer.isCompacting == true)
    disk.capacity = disk.usedByteCount + 100
    while try writer.compactStep() {}
    #expect(writer.counts.compactions == 0)
    #expect(!disk.fileNames.contains { $0.hasPrefix("base") })
    disk.capacity = .max
    for number in 6...7 { try writer.commit(JournalRecords([number: "g"])) }
    while try writer.compactStep() {}
    #expect(writer.counts.compactions == 1)
    #expect(try recover(disk, options).texts.count == 7)
  }

  @Test("compaction ends if the sealed files are unreadable, and the journal continues")
  func unreadable() throws {
    var options = JournalOptions.small(pages: 2)
    options.logLimit = 1
    var writer = try openJournal(disk, options)
    for number in 1...3 { try writer.commit(JournalRecords([number: "u"])) }
    try #require(writer.isCompacting == true)
    var bytes = try #require(disk.bytes(of: "log-1"))
    bytes[4099] ^= 1
    disk.place(bytes, as: "log-1")
    while try writer.compactStep() {}
    let damage = JournalDamage(file: "log-1", offset: 4096, cause: .batchBeforeEnd(12288))
    #expect(writer.compactionFailure == .damaged(damage))
    try writer.commit(JournalRecords([4: "still"]))
    try writer.commit(JournalRecords([5: "here"]))
    #expect(writer.isCompacting == false)
    #expect(throws: JournalError.damaged(damage)) { try recover(disk, options) }
  }

  @Test("a compaction step reads or writes about the configured length")
  func stepSize() throws {
    var options = JournalOptions.small(pages: 64)
    options.logLimit = 1
    options.stepByteCount = 8192
    options.checkpointBatchByteCount = 2048
    var writer = try openJournal(disk, options)
    for number in 1...70 {
      try writer.commit(JournalRecords([number: String(repeating: "s", count: 1000)]))
    }
    try #require(writer.isCompacting == true)
    var isMore = true
    var steps = 0
    while isMore {
      let before = writer.counts
      isMore = try writer.compactStep()
      steps += 1
      #expect(writer.counts.bytesWritten - before.bytesWritten <= 8192 + 2048 + 1200)
      #expect(writer.counts.syncs - before.syncs <= 1)
    }
    #expect(steps >= 64 * 4096 / 8192 + 70_000 / 12_000)
  }
}
