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
    let storage = DirectoryStorage(OpenDirectory(path), faults: faults)
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
}
