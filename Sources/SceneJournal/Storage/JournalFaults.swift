/// Injects faults for tests. The journal's thread calls `pass` at each point, where a test may end
/// the process.
package protocol JournalFaults: Sendable {
  func pass(_ point: JournalPoint)

  /// Whether the disk appears full.
  var diskIsFull: Bool { get }
}

/// A point in the writing of a batch with records.
package enum JournalPoint: Sendable {
  case beforeAppend, afterAppend
  case beforeSync, afterSync
}

/// A storage that a test can fill.
package struct FillableStorage: Storage {
  private let storage: any Storage
  private let faults: any JournalFaults

  package init(_ storage: any Storage, _ faults: any JournalFaults) {
    self.storage = storage
    self.faults = faults
  }

  package var place: String { storage.place }
  package var freeByteCount: Int? { faults.diskIsFull ? 0 : storage.freeByteCount }

  package func list() throws(StorageError) -> [String] { try storage.list() }

  package func open(
    _ name: String, for access: StorageAccess
  ) throws(StorageError) -> any StorageFile {
    FillableFile(name, try storage.open(name, for: access), faults)
  }

  package func create(
    _ name: String, reserving byteCount: Int
  ) throws(StorageError) -> any StorageFile {
    if faults.diskIsFull, byteCount > 0 { throw .full(.create, name) }
    return FillableFile(name, try storage.create(name, reserving: byteCount), faults)
  }

  package func rename(_ name: String, to newName: String) throws(StorageError) {
    try storage.rename(name, to: newName)
  }

  package func remove(_ name: String) throws(StorageError) { try storage.remove(name) }

  package func syncDirectory() throws(StorageError) { try storage.syncDirectory() }

  package func checkLocks() throws(StorageError) { try storage.checkLocks() }
}

/// A file that cannot grow on a full disk.
private final class FillableFile: StorageFile {
  private let name: String
  private let file: any StorageFile
  private let faults: any JournalFaults

  init(_ name: String, _ file: any StorageFile, _ faults: any JournalFaults) {
    self.name = name
    self.file = file
    self.faults = faults
  }

  func size() throws(StorageError) -> Int { try file.size() }

  func read(
    at offset: Int, count: Int, into bytes: inout ContiguousArray<UInt8>
  ) throws(StorageError) -> Int {
    try file.read(at: offset, count: count, into: &bytes)
  }

  func hasItsRoom() throws(StorageError) -> Bool { try file.hasItsRoom() }

  func nextWritten(from offset: Int) throws(StorageError) -> Int {
    try file.nextWritten(from: offset)
  }

  func write(_ bytes: Span<UInt8>, at offset: Int) throws(StorageError) {
    if faults.diskIsFull, try offset + bytes.count > file.size() { throw .full(.write, name) }
    try file.write(bytes, at: offset)
  }

  func shorten(to byteCount: Int) throws(StorageError) { try file.shorten(to: byteCount) }

  func syncData() throws(StorageError) { try file.syncData() }
}

extension StorageError {
  fileprivate static func full(_ call: Call, _ file: String) -> StorageError {
    StorageError(call: call, file: file, reason: .noSpace, message: "a test simulates a full disk")
  }
}
