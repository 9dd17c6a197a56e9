import SceneTestSupport
import Testing

@testable import SceneJournal

@Suite("Writing and reading")
struct WritingTests {
  private let disk = SimulatedDisk(seed: 1)

  @Test("the records survive any number of starts")
  func manyStarts() throws {
    var writer = try openJournal(disk)
    try writer.commit(JournalRecords([1: "one"]))
    for _ in 0..<12 {
      disk.cutPower()
      #expect(try recover(disk) == Notes().adding(JournalRecords([1: "one"])))
    }
  }

  @Test("a start after new batches costs one write, one sync and one directory sync")
  func startCounts() throws {
    for number in 1...3 {
      var writer = try openJournal(disk)
      #expect(writer.counts.writes == 1)
      #expect(writer.counts.syncs == 1)
      // An empty directory may be unsynced.
      #expect(writer.counts.directorySyncs == (number == 1 ? 2 : 1))
      try writer.commit(JournalRecords([1: "\(number)"]))
    }
  }

  @Test("a start continues an untouched log", arguments: [false, true])
  func untouchedLog(afterPowerCut: Bool) throws {
    var writer = try openJournal(disk)
    try writer.commit(JournalRecords([1: "one"]))
    writer = try openJournal(disk)
    let names = disk.fileNames
    for _ in 1...3 {
      if afterPowerCut { disk.cutPower() }
      writer = try openJournal(disk)
      #expect(disk.fileNames == names)
      #expect(writer.counts.writes == 0)
      #expect(writer.counts.syncs == 0)
      #expect(writer.counts.directorySyncs == 1)
    }
    try writer.commit(JournalRecords([2: "two"]))
    disk.cutPower()
    #expect(try recover(disk) == Notes().adding(JournalRecords([1: "one", 2: "two"])))
  }

  @Test("a start does not continue a log of another length or with a tail")
  func touchedLog() throws {
    _ = try openJournal(disk, .small(pages: 4))
    _ = try openJournal(disk, .small(pages: 8))
    #expect(disk.fileNames == ["log-1", "log-2"])
    let file = try disk.open("log-2", for: .writing)
    try file.write(ContiguousArray<UInt8>([1]).span, at: 2 * 4096)
    _ = try openJournal(disk, .small(pages: 8))
    #expect(disk.fileNames == ["log-1", "log-2", "log-3"])
  }

  @Test("a start does not read reserved pages of a log")
  func startReads() throws {
    var options = JournalOptions.small(pages: 100)
    options.zeroAheadByteCount = 2 * 4096
    var writer = try openJournal(disk, options)
    try writer.commit(JournalRecords([1: "one"]))
    try writer.prepareAhead(retrying: false)
    disk.calls = 0
    _ = try openJournal(disk, options)
    #expect(disk.calls < 30)
  }

  @Test("a commit is one write that begins on a page, and one sync")
  func oneWriteOneSync() throws {
    var writer = try openJournal(disk)
    for text in ["short", String(repeating: "x", count: 5000), ""] {
      let before = writer.counts
      try writer.commit(JournalRecords([1: text]))
      #expect(writer.counts.writes == before.writes + 1)
      #expect(writer.counts.syncs == before.syncs + 1)
      #expect(writer.counts.directorySyncs == before.directorySyncs)
    }
    var layout = Layout()
    _ = try Journal.read(disk, visitor: &layout)
    #expect(layout.files.first?.batches.map(\.offset) == [4096, 8192, 16384])
  }

  @Test("a commit under durability os is one write and no sync")
  func noSync() throws {
    var writer = try openJournal(SimulatedDisk(seed: 1), .small(durability: .os))
    let before = writer.counts
    try writer.commit(JournalRecords([1: "one"]))
    #expect(writer.counts.writes == before.writes + 1)
    #expect(writer.counts.syncs == before.syncs)
    #expect(writer.awaitsCommitMarker == false)
    try writer.flush()
    #expect(writer.counts.syncs == before.syncs + 1)
  }

  @Test("an empty commit writes nothing")
  func nothing() throws {
    var writer = try openJournal(SimulatedDisk(seed: 1))
    let before = writer.counts
    try writer.commit(JournalRecords())
    #expect(writer.counts == before)
  }

  @Test("records above the batch limit become several batches")
  func longCommit() throws {
    var writer = try openJournal(disk)
    var records = JournalRecords()
    for number in 1...10 { records.set(number, String(repeating: "y", count: 3000)) }
    try writer.commit(records)
    #expect(writer.counts.batches == 5)
    disk.cutPower()
    #expect(try recover(disk) == Notes().adding(records))
  }

  @Test("the next log confirms a full log")
  func attestsFullLog() throws {
    let options = JournalOptions.small(pages: 2)
    var writer = try openJournal(disk, options)
    for _ in 1...2 { try writer.commit(JournalRecords([1: "one"])) }
    try writer.writeCommitMarker()
    #expect(writer.awaitsCommitMarker == true)
    try writer.prepareAhead(retrying: false)
    try writer.writeCommitMarker()
    #expect(writer.awaitsCommitMarker == false)
    #expect(disk.fileNames.contains("log-2"))
  }

  @Test("a repeated batch needs no commit marker")
  func attestsRepeated() throws {
    var writer = try openJournal(disk)
    try writer.commit(JournalRecords([1: "one"]))
    writer = try openJournal(disk)
    #expect(writer.awaitsCommitMarker == false)
  }

  @Test("zeros follow the last batch")
  func zerosAhead() throws {
    var options = JournalOptions.small(pages: 30)
    options.zeroAheadByteCount = 5 * 4096
    var writer = try openJournal(disk, options)
    let fresh = writer.counts
    try writer.prepareAhead(retrying: false)
    #expect(writer.counts == fresh, "a log that is not used")
    for number in 1...12 {
      try writer.commit(JournalRecords([1: "\(number)"]))
      let before = writer.counts
      try writer.prepareAhead(retrying: false)
      let after = writer.counts
      // After batches 1, 4, 7 …, less than half of the five pages is left.
      #expect(after.writes - before.writes == (number % 3 == 1 ? 1 : 0), "batch \(number)")
    }
  }

  @Test(
    "a file with a journal name and a foreign header is left unchanged",
    arguments: [
      ("log-1", "hello"), ("base-3", "SCENEBAT"), ("log-1", String(repeating: "x", count: 5000)),
    ])
  func foreign(name: String, text: String) throws {
    let bytes = ContiguousArray(text.utf8)
    disk.place(bytes, as: name)
    #expect(throws: JournalError.foreign(file: name)) { try recover(disk) }
    #expect(disk.fileNames == [name])
    #expect(disk.bytes(of: name) == bytes)
  }

  @Test("a foreign file is left unchanged even if a checkpoint would replace it")
  func foreignLeftover() throws {
    let progress = try Workload.mixed(.small()).run(on: disk)
    try #require(progress.compactions > 0)
    disk.place(ContiguousArray("mine".utf8), as: "log-1")
    #expect(throws: JournalError.foreign(file: "log-1")) { try recover(disk) }
    #expect(disk.bytes(of: "log-1") == ContiguousArray("mine".utf8))
  }

  @Test("a file of a newer format is left unchanged")
  func newer() throws {
    _ = try openJournal(disk)
    var bytes = try #require(disk.bytes(of: "log-1"))
    var header = ContiguousArray(bytes[..<72])
    header.claim(version: 2)
    bytes.replaceSubrange(..<72, with: header)
    disk.place(bytes, as: "log-1")
    #expect(throws: JournalError.newerFormat(file: "log-1", version: 2)) { try recover(disk) }
    #expect(disk.fileNames == ["log-1"])
    #expect(disk.bytes(of: "log-1") == bytes)
  }

  @Test("damage is reported, and no file changes")
  func damageTouchesNothing() throws {
    var writer = try openJournal(disk)
    for number in 1...3 { try writer.commit(JournalRecords([number: "x"])) }
    var bytes = try #require(disk.bytes(of: "log-1"))
    bytes[4100] ^= 1
    disk.place(bytes, as: "log-1")
    disk.place([1, 2, 3], as: "log-2.tmp")
    let damage = JournalDamage(
      file: "log-1", offset: 4096, cause: .batchBeforeValid(at: 8192))
    #expect(throws: JournalError.damaged(damage)) { try recover(disk) }
    #expect(disk.fileNames == ["log-1", "log-2.tmp"])
    #expect(disk.bytes(of: "log-1") == bytes)
    #expect("\(damage)".contains("log-1 is damaged at offset 4096"))
  }

  @Test("a repeated batch is no tail, even without a later batch")
  func repeatedIsSynced() throws {
    var writer = try openJournal(disk)
    try writer.commit(JournalRecords([1: "x"]))
    writer = try openJournal(disk)
    var bytes = try #require(disk.bytes(of: "log-2"))
    bytes[4130] ^= 1
    disk.place(bytes, as: "log-2")
    let damage = JournalDamage(file: "log-2", offset: 4096, cause: .batchBeforeEnd(8192))
    #expect(throws: JournalError.damaged(damage)) { try recover(disk) }
  }

  @Test("a missing log is damage", arguments: [("log-1", "log-2"), ("log-2", "log-3")])
  func missingLog(name: String, next: String) throws {
    for number in 1...3 {
      var writer = try openJournal(disk)
      try writer.commit(JournalRecords([number: "x"]))
    }
    try disk.remove(name)
    let damage = JournalDamage(file: name, offset: 0, cause: .missingFile(beside: next))
    #expect(throws: JournalError.damaged(damage)) { try recover(disk) }
  }

  @Test("a log of another journal is damage")
  func otherJournal() throws {
    let other = SimulatedDisk(seed: 2)
    for disk in [disk, other] {
      for number in 1...2 {
        var writer = try openJournal(disk)
        try writer.commit(JournalRecords([number: "x"]))
      }
    }
    disk.place(try #require(other.bytes(of: "log-1")), as: "log-1")
    let damage = JournalDamage(
      file: "log-2", offset: 0, cause: .doesNotContinue(file: "log-1"))
    #expect(throws: JournalError.damaged(damage)) { try recover(disk) }
  }

  @Test("a start removes files in preparation")
  func leftovers() throws {
    disk.place([1], as: "log-1.tmp")
    disk.place([3], as: "lock")
    var writer = try openJournal(disk)
    #expect(writer.report.removedFiles == ["log-1.tmp"])
    #expect(disk.fileNames == ["lock", "log-1"])
    disk.place([1], as: "log-7.tmp")
    disk.place([2], as: "base-1.tmp")
    writer = try openJournal(disk)
    #expect(writer.report.removedFiles == ["base-1.tmp", "log-7.tmp"])
    #expect(disk.fileNames == ["lock", "log-1"])
  }

  @Test(
    "the mark detects a journal whose files were deleted",
    arguments: [
      ("lock", "12\n/run/sock\njournal\n", true), ("lock", "12\n/run/sock\n", false),
      ("lock", "journal\n/run/sock\n", false), ("lock", "", false), ("log-2.tmp", "", true),
      ("base-1.tmp", "", true), ("log-1.tmp", "", false),
    ])
  func gone(file: String, text: String, tells: Bool) throws {
    disk.place(ContiguousArray(text.utf8), as: file)
    let error = tells ? JournalError.gone(witness: file) : nil
    do throws(JournalError) {
      _ = try openJournal(disk)
      #expect(error == nil)
      #expect(disk.fileNames.contains("log-1"))
    } catch let thrown {
      #expect(thrown == error)
      #expect(disk.fileNames == [file])
    }
  }

  @Test("a tail is reported")
  func doubtfulTail() throws {
    var writer = try openJournal(disk)
    try writer.commit(JournalRecords([1: "x"]))
    var bytes = try #require(disk.bytes(of: "log-1"))
    bytes[8192] = 0xF5
    bytes[8292] = 1
    disk.place(bytes, as: "log-1")
    writer = try openJournal(disk)
    #expect(
      writer.report.tail
        == JournalReport.Tail(file: "log-1", offset: 8192, byteCount: 101))
    #expect(writer.report.batchCount == 1)
    writer = try openJournal(disk)
    #expect(writer.report.tail == nil)
  }

  @Test(
    "every call after an error throws the same error",
    arguments: [
      StorageFailure.Call.write, .syncData,
    ])
  func deadAfterError(call: StorageFailure.Call) throws {
    var writer = try openJournal(disk)
    disk.calls = 0
    disk.fault = .forever(.inputOutputError, from: 1, only: call)
    let records = JournalRecords([1: "x"])
    let error = try #require(throws: JournalError.self) { try writer.commit(records) }
    disk.fault = nil
    let calls = disk.calls
    #expect(throws: error) { try writer.commit(records) }
    #expect(throws: error) { try writer.writeCommitMarker() }
    #expect(throws: error) { try writer.prepareAhead(retrying: true) }
    #expect(throws: error) { _ = try writer.compactStep() }
    #expect(disk.calls == calls)
  }
}
