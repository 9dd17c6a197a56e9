import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneJournal

/// A disk that a test fills.
@Suite("Fillable storage")
struct FillableStorageTests {
  private final class Switch: JournalFaults {
    private let full = ConditionMutex(false)
    var diskIsFull: Bool { full.withLock { $0 } }

    func set(_ isFull: Bool) { full.withLock { $0 = isFull } }
    func pass(_ point: JournalPoint) {}
  }

  @Test("a full disk accepts reserved batches only")
  func full() throws {
    let path = try Directory.makeTemporary()
    defer { try? Directory.removeTree(path) }
    let faults = Switch()
    let storage = FillableStorage(DirectoryStorage(path), faults)
    let file = try storage.create("a", reserving: 4)
    let bytes: ContiguousArray<UInt8> = [1, 2, 3, 4]
    faults.set(true)
    #expect(storage.freeByteCount == 0)
    try file.write(bytes.span, at: 0)
    let write = #expect(throws: JournalError.self) { try file.write(bytes.span, at: 1) }
    #expect(write?.failedOperation?.reason == .noSpace)
    let create = #expect(throws: JournalError.self) { try storage.create("b", reserving: 1) }
    #expect(create?.failedOperation?.reason == .noSpace)
    #expect(try storage.list() == ["a"])
    faults.set(false)
    try file.write(bytes.span, at: 1)
    _ = try storage.create("b", reserving: 1)
    #expect(try storage.list().sorted() == ["a", "b"])
  }

  @Test("a journal writes, compacts and recovers through the storage as on the disk itself")
  func journal() throws {
    let (plain, disk) = (SimulatedDisk(seed: 1), SimulatedDisk(seed: 1))
    let faults = Switch()
    let storage = FillableStorage(disk, faults)
    var (expected, compactions) = (Notes(), 0)
    for _ in 1...2 {
      var (notes, same) = (Notes(), Notes())
      var writer = try JournalWriter(storage, options: .small(), content: &notes)
      var other = try JournalWriter(plain, options: .small(), content: &same)
      #expect(notes == expected && same == expected)
      for number in 1...20 {
        let records = JournalRecords([number: String(repeating: "x", count: 3000)])
        expected = try expected.adding(records)
        try writer.commit(records)
        try other.commit(records)
        while writer.isCompacting { _ = try writer.compactStep() }
        while other.isCompacting { _ = try other.compactStep() }
      }
      compactions += writer.counts.compactions
      #expect(disk.fileNames == plain.fileNames)
    }
    #expect(compactions > 0)
  }
}
