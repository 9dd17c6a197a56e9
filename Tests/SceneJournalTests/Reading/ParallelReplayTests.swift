import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneJournal

/// A start that decodes with threads has the result of one without.
@Suite("Decoding with threads")
struct ParallelReplayTests {
  /// Threads decode from the first byte on, a few records at a time.
  private static func options(threads: Int) -> JournalOptions {
    var options = JournalOptions.small()
    options.decodingThreadCount = threads
    options.sequentialByteCount = 0
    options.decodingByteCount = 100
    return options
  }

  /// A checkpoint and several logs.
  private func makeJournal() throws -> SimulatedDisk {
    let disk = SimulatedDisk(seed: 5)
    var notes = Notes()
    var writer = try JournalWriter(disk, options: .small(pages: 2), content: &notes)
    for number in 1...60 {
      try writer.commit(JournalRecords([number % 40: "text \(number)", 50: "\(number)"]))
      if number == 40 { while try writer.compactStep() {} }
    }
    #expect(disk.fileNames.count > 3)
    return disk
  }

  private enum Outcome: Equatable {
    case content(Notes)
    case error(JournalError)
  }

  /// The result of a start. After an error, the content has what precedes the error.
  private func open(_ disk: SimulatedDisk, threads: Int) -> (outcome: Outcome, content: Notes) {
    var notes = Notes()
    do throws(JournalError) {
      _ = try JournalWriter(
        disk.copy(seed: 1), options: Self.options(threads: threads), content: &notes)
      return (.content(notes), notes)
    } catch {
      return (.error(error), notes)
    }
  }

  private func compare(_ disk: SimulatedDisk, _ place: Comment) -> Outcome {
    let expected = open(disk, threads: 0)
    for threads in [1, 3] {
      let found = open(disk, threads: threads)
      #expect(found.outcome == expected.outcome, place)
      #expect(found.content == expected.content, place)
    }
    return expected.outcome
  }

  @Test("a valid journal has the same content")
  func content() throws {
    guard case .content(let notes) = compare(try makeJournal(), "undamaged") else {
      Issue.record("the journal is damaged")
      return
    }
    #expect(notes.texts.count == 41)
    #expect(notes.texts[50] == "60")
  }

  @Test("the error of a damaged journal and the content before it are the same")
  func damage() throws {
    let disk = try makeJournal()
    var errorCount = 0
    for name in disk.fileNames {
      let original = try #require(disk.bytes(of: name))
      for place in original.indices where original[place] != 0 && place % 97 == 0 {
        var changed = original
        changed[place] ^= 1
        disk.place(changed, as: name)
        if case .error = compare(disk, "\(name) byte \(place)") { errorCount += 1 }
      }
      disk.place(original, as: name)
    }
    #expect(errorCount > 10)
  }

  @Test(
    "an invalid record is reported at its offset, even before damage that is read earlier",
    arguments: [8, 60])
  func invalidRecord(pagesOfLog: Int) throws {
    let disk = SimulatedDisk(seed: 5)
    var notes = Notes()
    var writer = try JournalWriter(disk, options: .small(pages: pagesOfLog), content: &notes)
    for number in 1...30 { try writer.commit(JournalRecords([number: "valid"])) }
    var records = JournalRecords([31: "valid"])
    records.append(kind: 9, body: ContiguousArray("32=unknown".utf8))
    try writer.commit(records)
    for number in 33...40 { try writer.commit(JournalRecords([number: "later"])) }
    var layout = Layout()
    #expect(throws: JournalError.self) { try Journal.read(disk, visitor: &layout) }
    let file = try #require(layout.files.last)
    let batch = try #require(file.batches.last)
    let damage = JournalDamage(
      file: file.file.name,
      offset: batch.offset + 28 + 5 + "31=valid".utf8.count, cause: .content("kind 9 is not known"))
    #expect(compare(disk, "an invalid record") == .error(.damaged(damage)))
    // The damage is in the next batch.
    var bytes = try #require(disk.bytes(of: file.file.name))
    bytes[batch.offset + 4096 + 40] ^= 1
    disk.place(bytes, as: file.file.name)
    #expect(compare(disk, "an invalid record and damage") == .error(.damaged(damage)))
  }

  // MARK: - Threads

  /// Content whose first batch is decoded only after the second one.
  private struct GatedNotes: UnwrittenContent {
    struct Progress {
      var decoded = 0
      var applied: [Int] = []
      /// The most batches that were decoded and not applied.
      var most = 0
    }

    struct Batch: Sendable {
      let numbers: [Int]
    }

    static let progress = ConditionMutex(Progress())

    static func decode(_ records: JournalRecords) -> Batch {
      var notes = Notes()
      records.forEach { kind, body in try? notes.apply(kind: kind, body: body) }
      let numbers = notes.texts.keys.sorted()
      if numbers.contains(2) {
        _ = progress.wait { $0.decoded > 0 ? true : nil }
      }
      progress.withLock { progress in
        progress.decoded += 1
        progress.most = max(progress.most, progress.decoded - progress.applied.count)
      }
      return Batch(numbers: numbers)
    }

    mutating func apply(_ batch: consuming Batch) {
      let first = batch.numbers[0]
      Self.progress.withLock { $0.applied.append(first) }
    }

    mutating func apply(kind: UInt8, body: Span<UInt8>) {}
  }

  @Test("batches are applied in order, and few are in memory, although the first one ends later")
  func order() throws {
    let disk = SimulatedDisk(seed: 5)
    var notes = Notes()
    var writer = try JournalWriter(disk, options: .small(pages: 60), content: &notes)
    let text = String(repeating: "x", count: 100)
    for number in 1...50 { try writer.commit(JournalRecords([number: text])) }
    var options = Self.options(threads: 1)
    options.logByteCount = 61 * 4096
    var content = GatedNotes()
    GatedNotes.progress.withLock { $0 = GatedNotes.Progress() }
    _ = try JournalWriter(disk, options: options, content: &content)
    let progress = GatedNotes.progress.withLock { $0 }
    // The first step, with the first record, uses no threads.
    #expect(progress.decoded == 49)
    #expect(progress.applied == Array(2...50))
    #expect(progress.most <= 4)
  }

  /// Content that is not decoded in batches, and so has no threads.
  private struct UndecodedNotes: UnwrittenContent {
    struct Batch: Sendable {}

    var count = 0

    static func decode(_ records: JournalRecords) -> Batch {
      Issue.record("threads decode \(records.count) records")
      return Batch()
    }

    mutating func apply(_ batch: consuming Batch) {}
    mutating func apply(kind: UInt8, body: Span<UInt8>) { count += 1 }
  }

  @Test(
    "a short journal, and one of a single processor, is read without threads",
    arguments: [(2, 1 << 20), (0, 0)])
  func withoutThreads(threads: Int, sequentialByteCount: Int) throws {
    let disk = try makeJournal()
    var options = Self.options(threads: threads)
    options.sequentialByteCount = sequentialByteCount
    var content = UndecodedNotes()
    _ = try JournalWriter(disk, options: options, content: &content)
    #expect(content.count > 41)
  }

  @Test("a start uses every processor, at most four, and no thread for the first MiB")
  func defaults() {
    let options = JournalOptions()
    #expect(options.usedThreadCount == min(Host.processorCount, 4) - 1)
    #expect(options.sequentialByteCount == 1 << 20)
  }
}
