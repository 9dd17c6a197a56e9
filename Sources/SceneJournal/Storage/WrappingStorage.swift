/// A storage that passes each call on to another storage, except the calls that it implements.
package protocol WrappingStorage: Storage {
  var storage: any Storage { get }
}

extension WrappingStorage {
  package var place: String { storage.place }
  package var freeByteCount: Int? { storage.freeByteCount }

  package func list() throws(JournalError) -> [String] { try storage.list() }

  package func open(
    _ name: String, for access: StorageAccess
  ) throws(JournalError) -> any StorageFile {
    try storage.open(name, for: access)
  }

  package func create(
    _ name: String, reserving byteCount: Int
  ) throws(JournalError) -> any StorageFile {
    try storage.create(name, reserving: byteCount)
  }

  package func rename(_ name: String, to newName: String) throws(JournalError) {
    try storage.rename(name, to: newName)
  }

  package func remove(_ name: String) throws(JournalError) { try storage.remove(name) }

  package func syncDirectory() throws(JournalError) { try storage.syncDirectory() }

  package func checkLocks() throws(JournalError) { try storage.checkLocks() }
}

/// A file that passes each call on to another file, except the calls that it implements.
protocol WrappingFile: StorageFile {
  var file: any StorageFile { get }
}

extension WrappingFile {
  func size() throws(JournalError) -> Int { try file.size() }

  func read(
    at offset: Int, count: Int, into bytes: inout ContiguousArray<UInt8>
  ) throws(JournalError) -> Int {
    try file.read(at: offset, count: count, into: &bytes)
  }

  func hasItsRoom() throws(JournalError) -> Bool { try file.hasItsRoom() }

  func nextWritten(from offset: Int) throws(JournalError) -> Int {
    try file.nextWritten(from: offset)
  }

  func write(_ bytes: Span<UInt8>, at offset: Int) throws(JournalError) {
    try file.write(bytes, at: offset)
  }

  func shorten(to byteCount: Int) throws(JournalError) { try file.shorten(to: byteCount) }

  func syncData(named currentName: String) throws(JournalError) {
    try file.syncData(named: currentName)
  }
}
