import SceneJournal
import ScenePlatform
import SceneTestSupport
import Testing

@Suite("Progress of reading a journal")
struct JournalProgressTests {
  /// The reports of a reader.
  private final class Reports: Sendable {
    private let reports = ConditionMutex<[JournalProgress]>([])

    var all: [JournalProgress] { reports.withLock { $0 } }

    var options: JournalOptions {
      var options = JournalOptions.small()
      options.onRead = { report in self.reports.withLock { $0.append(report) } }
      return options
    }

    func check(upTo byteCount: Int) {
      #expect(all.count > 3)
      #expect(all.allSatisfy { $0.totalByteCount == byteCount })
      #expect(all.last?.byteCount ?? 0 > byteCount / 2)
      #expect(all.allSatisfy { $0.byteCount <= byteCount })
    }
  }

  private struct Reader: SalvageVisitor {
    mutating func visit(kind: UInt8, body: Span<UInt8>, at offset: Int) {}
    mutating func visit(lost kind: UInt8, body: Span<UInt8>) {}
  }

  private let disk = SimulatedDisk(seed: 1)
  private let reports = Reports()

  init() throws {
    var writer = try openJournal(disk)
    for number in 1...20 {
      try writer.commit(JournalRecords([number: String(repeating: "x", count: 3000)]))
    }
  }

  private var byteCount: Int { disk.fileNames.reduce(0) { $0 + (disk.bytes(of: $1)?.count ?? 0) } }

  @Test("a reader's progress never decreases and ends at the length of all files")
  func reading() throws {
    var reader = Reader()
    _ = try Journal.read(disk, visitor: &reader, options: reports.options)
    reports.check(upTo: byteCount)
    #expect(reports.all.map(\.byteCount) == reports.all.map(\.byteCount).sorted())
  }

  @Test("salvaging reports up to the length of all files")
  func salvaging() throws {
    var reader = Reader()
    _ = try Journal.salvage(disk, visitor: &reader, options: reports.options)
    reports.check(upTo: byteCount)
  }

  @Test("a start reports what it reads; writing and compaction report nothing")
  func opening() throws {
    let byteCount = byteCount
    var writer = try openJournal(disk, reports.options)
    reports.check(upTo: byteCount)
    let count = reports.all.count
    for number in 1...20 {
      try writer.commit(JournalRecords([number: String(repeating: "y", count: 3000)]))
      while writer.isCompacting { _ = try writer.compactStep() }
    }
    #expect(writer.counts.compactions > 0)
    #expect(reports.all.count == count)
  }

  @Test(
    "progress shows a percentage and amounts in one unit",
    arguments: [
      (0, 0, "100% (0 of 0 bytes)"), (1, 3, "33% (1 of 3 bytes)"),
      (1288 << 20, 2867 << 20, "44% (1.2 of 2.7 GiB)"), (5 << 20, 200 << 20, "2% (5 of 200 MiB)"),
      (7, 4, "100% (4 of 4 bytes)"),
    ])
  func description(read: Int, total: Int, text: String) {
    let progress = JournalProgress(byteCount: read, totalByteCount: total)
    #expect(progress.description == text)
  }
}
