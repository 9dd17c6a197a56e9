import SceneTestSupport
import Testing

@testable import SceneJournal

/// Files with valid checksums that do not belong together.
@Suite("Continuity of batches and files")
struct ContinuityTests {
  /// A checkpoint, a sealed log and a last log with two batches.
  private func makeJournal() throws -> SimulatedDisk {
    let disk = SimulatedDisk(seed: 3)
    var options = JournalOptions.small(pages: 1)
    options.logLimit = 1
    var notes = Notes()
    var writer = try JournalWriter(disk, options: options, content: &notes)
    for number in 1...2 { try writer.commit(JournalRecords([number: "to be compacted"])) }
    while try writer.compactStep() {}
    notes = Notes()
    writer = try JournalWriter(disk, options: .small(pages: 4), content: &notes)
    for number in 3...4 { try writer.commit(JournalRecords([number: "after the checkpoint"])) }
    #expect(disk.fileNames == ["base-1", "log-2", "log-3"])
    _ = try read(disk)
    return disk
  }

  private func read(_ disk: SimulatedDisk) throws(JournalError) -> Layout {
    var layout = Layout()
    _ = try Journal.read(disk, visitor: &layout, options: .small())
    return layout
  }

  private func expectDamage(
    _ disk: SimulatedDisk, in file: String, at offset: Int, _ cause: JournalDamage.Cause
  ) {
    let damage = JournalDamage(file: file, offset: offset, cause: cause)
    #expect(throws: JournalError.damaged(damage)) { _ = try read(disk) }
  }

  @Test("a batch whose sequence is not the next one is damage", arguments: [-1, 1])
  func sequence(difference: Int) throws {
    let disk = try makeJournal()
    let (file, batches) = try #require(read(disk).files.last)
    let batch = try #require(batches.last)
    var log = try #require(disk.bytes(of: file.name))
    let header = try LogHeader(decoding: log.span.extracting(0..<72), of: "log")
    let found = UInt64(Int(batch.sequence) + difference)
    var replacement: ContiguousArray<UInt8> = []
    BatchHeader.encode(
      JournalRecords([4: "after the checkpoint"]), sequence: found, salt: header.salt,
      to: &replacement)
    #expect(replacement.count == batch.byteCount)
    log.replaceSubrange(batch.offset..<batch.offset + replacement.count, with: replacement)
    disk.place(log, as: file.name)
    expectDamage(
      disk, in: file.name, at: batch.offset, .sequence(expected: batch.sequence, found: found))
  }

  @Test("a batch with fewer records than its header counts is damage")
  func recordCount() throws {
    let disk = try makeJournal()
    let (file, batches) = try #require(read(disk).files.last)
    let batch = try #require(batches.last)
    var log = try #require(disk.bytes(of: file.name))
    let header = try LogHeader(decoding: log.span.extracting(0..<72), of: "log")
    log.setInteger(UInt32(batch.recordCount + 1), at: batch.offset + 12)
    let end = batch.offset + batch.byteCount
    let checksum = BatchHeader.checksum(
      of: log.span.extracting(batch.offset..<end), salt: header.salt)
    log.setInteger(checksum, at: batch.offset + 24)
    disk.place(log, as: file.name)
    expectDamage(disk, in: file.name, at: end, .recordLayout)
  }

  @Test("a checkpoint without one of its batches is damage")
  func batchOfCheckpoint() throws {
    let disk = try makeJournal()
    var bytes = try #require(disk.bytes(of: "base-1"))
    let header = try CheckpointHeader(decoding: bytes.span.extracting(0..<64), of: "base")
    let start = JournalFormat.checkpointHeaderByteCount
    let end = start + JournalFormat.batchHeaderByteCount
    let found = BatchHeader(decoding: bytes.span.extracting(start..<end))
    let batch = try #require(found)
    bytes.setInteger(UInt64(2), at: start + 16)
    let checksum = BatchHeader.checksum(
      of: bytes.span.extracting(start..<start + batch.byteCount), salt: header.salt)
    bytes.setInteger(checksum, at: start + 24)
    disk.place(bytes, as: "base-1")
    expectDamage(disk, in: "base-1", at: start, .sequence(expected: 1, found: 2))
  }

  @Test("a checkpoint with fewer batches or records than its trailer counts is damage")
  func trailer() throws {
    let disk = try makeJournal()
    let bytes = try #require(disk.bytes(of: "base-1"))
    let header = try CheckpointHeader(decoding: bytes.span.extracting(0..<64), of: "base")
    let start = bytes.count - JournalFormat.trailerByteCount
    let found = CheckpointTrailer(
      decoding: bytes.span.extracting(start..<bytes.count), salt: header.salt)
    let trailer = try #require(found)
    for (batches, records) in [(1, 0), (0, 1)] as [(UInt64, UInt64)] {
      var other = trailer
      other.batchCount += batches
      other.recordCount += records
      disk.place(bytes[..<start] + other.encoded(salt: header.salt), as: "base-1")
      expectDamage(disk, in: "base-1", at: start, .trailer)
    }
  }

  @Test("a log begins with the batch after the last one of the log before", arguments: [-1, 1])
  func firstBatch(difference: Int64) throws {
    let disk = try makeJournal()
    var log = try #require(disk.bytes(of: "log-3"))
    var header = try LogHeader(decoding: log.span.extracting(0..<72), of: "log")
    let expected = header.firstSequence
    header.firstSequence = UInt64(Int64(expected) + difference)
    log.replaceSubrange(..<JournalFormat.pageByteCount, with: header.encoded())
    disk.place(log, as: "log-3")
    expectDamage(
      disk, in: "log-3", at: 0, .sequence(expected: expected, found: header.firstSequence))
  }

  @Test("the first log of a journal begins with the first batch")
  func start() throws {
    let disk = SimulatedDisk(seed: 4)
    var notes = Notes()
    _ = try JournalWriter(disk, options: .small(), content: &notes)
    var log = try #require(disk.bytes(of: "log-1"))
    var header = try LogHeader(decoding: log.span.extracting(0..<72), of: "log")
    header.firstSequence = 2
    log.replaceSubrange(..<JournalFormat.pageByteCount, with: header.encoded())
    disk.place(log, as: "log-1")
    expectDamage(disk, in: "log-1", at: 0, .doesNotContinue(file: "the start of a journal"))
  }

  @Test("a log continues only the checkpoint that contains the log before it")
  func otherCheckpoint() throws {
    let disk = try makeJournal()
    var log = try #require(disk.bytes(of: "log-2"))
    var header = try LogHeader(decoding: log.span.extracting(0..<72), of: "log")
    header.previous?.salt ^= 1
    log.replaceSubrange(..<JournalFormat.pageByteCount, with: header.encoded())
    disk.place(log, as: "log-2")
    expectDamage(disk, in: "log-2", at: 0, .doesNotContinue(file: "base-1"))
  }
}

@Suite("Journal queue")
struct JournalQueueTests {
  private let records = JournalRecords([1: "x"])

  @Test("submissions share a batch up to the limit, and a submission is never split")
  func limit() {
    let queue = JournalQueue(batchByteLimit: 2 * records.byteCount) {}
    for number in 1...3 as ClosedRange<UInt64> { queue.submit(records, through: number) }
    let inputs = (1...3).map { _ in queue.take(withBatch: true) }
    #expect(inputs.map(\.batch?.through) == [2, 3, nil])
    #expect(inputs.map(\.batch?.records.count) == [2, 1, nil])
    #expect(inputs.map(\.isMoreWaiting) == [true, false, false])
  }

  @Test("a batch that found no space stays before the later batches")
  func putBack() throws {
    let queue = JournalQueue(batchByteLimit: 1) {}
    for number in 1...2 as ClosedRange<UInt64> { queue.submit(records, through: number) }
    queue.putBack(try #require(queue.take(withBatch: true).batch))
    #expect((1...2).map { _ in queue.take(withBatch: true).batch?.through } == [1, 2])
  }

  @Test("the worker does not wait after a submission, and each step needs a new one")
  func waiting() {
    let queue = JournalQueue(batchByteLimit: 1) {}
    #expect(!queue.hasWork)
    queue.submit(records, through: 1)
    queue.waitForWork(until: nil)
    #expect(queue.hasWork)
    _ = queue.take(withBatch: false)
    #expect(!queue.hasWork)
    queue.requestStop()
    queue.waitForWork(until: nil)
    #expect(queue.take(withBatch: true).isStopping)
  }
}

extension JournalQueue {
  /// Submits records and reserves no space.
  func submit(_ records: JournalRecords, through number: UInt64) {
    _ = submit(records, through: number, reserving: 0)
  }
}
