import SceneTestSupport
import Synchronization
import Testing

@testable import SceneJournal

/// A start reads the files in parts, and stops at the first record that the content rejects.
@Suite("Reading at a start")
struct StartTests {
  @Test(
    "an invalid record stops a start at its offset, even before damage that is read with it",
    arguments: [8, 60], [false, true])
  func invalidRecord(pagesOfLog: Int, isDamaged: Bool) throws {
    let disk = SimulatedDisk(seed: 5)
    var notes = Notes()
    var writer = try JournalWriter(disk, options: .small(pages: pagesOfLog), content: &notes)
    for number in 1...30 { try writer.commit(JournalRecords([number: "valid"])) }
    var records = JournalRecords([31: "valid"])
    records.append(kind: 9, body: ContiguousArray("32=unknown".utf8).span)
    try writer.commit(records)
    for number in 33...40 { try writer.commit(JournalRecords([number: "later"])) }
    var layout = Layout()
    #expect(throws: JournalError.self) { try Journal.read(disk, visitor: &layout) }
    let file = try #require(layout.files.last)
    let batch = try #require(file.batches.last)
    if isDamaged {
      var bytes = try #require(disk.bytes(of: file.file.name))
      bytes[batch.offset + 4096 + 40] ^= 1
      disk.place(bytes, as: file.file.name)
    }
    let damage = JournalDamage(
      file: file.file.name,
      offset: batch.offset + 28 + 5 + "31=valid".utf8.count, cause: .content("kind 9 is not known"))
    #expect(throws: JournalError.damaged(damage)) {
      _ = try JournalWriter(disk, options: .small(), content: &notes)
    }
    #expect(notes.texts.keys.sorted() == Array(1...31))
  }

  @Test("damage stops a start, and the content has the records before it")
  func damage() throws {
    let disk = SimulatedDisk(seed: 5)
    var notes = Notes()
    var writer = try JournalWriter(disk, options: .small(pages: 2), content: &notes)
    for number in 1...9 { try writer.commit(JournalRecords([number: "text"])) }
    var bytes = try #require(disk.bytes(of: "log-3"))
    bytes[4096 + 34] ^= 1
    disk.place(bytes, as: "log-3")
    #expect(throws: JournalError.self) {
      _ = try JournalWriter(disk, options: .small(), content: &notes)
    }
    #expect(notes.texts.keys.sorted() == Array(1...4))
  }

  @Test("a start holds one part of a file, or one batch")
  func memory() throws {
    let disk = SimulatedDisk(seed: 5)
    var notes = Notes()
    var options = JournalOptions.small(pages: 100)
    options.batchByteLimit = 40_000
    var writer = try JournalWriter(disk, options: options, content: &notes)
    for number in 1...40 { try writer.commit(JournalRecords([number: "text"])) }
    try writer.commit(JournalRecords([41: String(repeating: "x", count: 30_000)]))
    let reads = Mutex<[Int]>([0])
    options.onRead = { progress in reads.withLock { $0.append(progress.byteCount) } }
    _ = try JournalWriter(disk, options: options, content: &notes)
    #expect(notes.texts.count == 41)
    let sizes = reads.withLock { zip($0.dropFirst(), $0).map(-) }
    #expect(sizes.count > 10)
    #expect(25_000..<31_000 ~= sizes.max() ?? 0)
  }
}
