/// Injects faults for tests. The journal's thread calls `pass` at each point, where a test may end
/// the process.
package protocol JournalFaults: AnyObject, Sendable {
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
package struct FillableStorage: WrappingStorage {
  package let storage: any Storage
  private let faults: any JournalFaults

  package init(_ storage: any Storage, _ faults: any JournalFaults) {
    self.storage = storage
    self.faults = faults
  }

  package var freeByteCount: Int? { faults.diskIsFull ? 0 : storage.freeByteCount }

  package func open(
    _ name: String, for access: StorageAccess
  ) throws(JournalError) -> any StorageFile {
    FillableFile(name, try storage.open(name, for: access), faults)
  }

  package func create(
    _ name: String, reserving byteCount: Int
  ) throws(JournalError) -> any StorageFile {
    if faults.diskIsFull, byteCount > 0 { throw .full(.create, name) }
    return FillableFile(name, try storage.create(name, reserving: byteCount), faults)
  }
}

/// A file that cannot grow on a full disk.
private final class FillableFile: WrappingFile {
  let file: any StorageFile
  private let name: String
  private let faults: any JournalFaults

  init(_ name: String, _ file: any StorageFile, _ faults: any JournalFaults) {
    self.name = name
    self.file = file
    self.faults = faults
  }

  func write(_ bytes: Span<UInt8>, at offset: Int) throws(JournalError) {
    if faults.diskIsFull, try offset + bytes.count > file.size() { throw .full(.write, name) }
    try file.write(bytes, at: offset)
  }
}

extension JournalError {
  fileprivate static func full(_ call: StorageFailure.Call, _ file: String) -> JournalError {
    .storage(
      StorageFailure(
        call: call, file: file, reason: .noSpace, message: "a test simulates a full disk"))
  }
}
