/// The storage of a writer, which counts calls.
struct JournalDisk: Sendable {
  let storage: any Storage
  var counts = JournalCounts()

  init(_ storage: any Storage) {
    self.storage = storage
  }

  func open(
    _ name: String, for access: StorageAccess
  ) throws(JournalError) -> any StorageFile {
    try storage.open(name, for: access)
  }

  func create(_ name: String, reserving byteCount: Int) throws(JournalError) -> any StorageFile {
    try storage.create(name, reserving: byteCount)
  }

  /// Writes to a file whose current name is `name`.
  mutating func write(
    _ bytes: ContiguousArray<UInt8>, to file: any StorageFile, named name: String, at offset: Int
  ) throws(JournalError) {
    try write(bytes.span, to: file, named: name, at: offset)
  }

  /// Writes a span to a file whose current name is `name`.
  mutating func write(
    _ bytes: Span<UInt8>, to file: any StorageFile, named name: String, at offset: Int
  ) throws(JournalError) {
    do throws(JournalError) {
      try file.write(bytes, at: offset)
    } catch {
      throw error.about(name)
    }
    counts.writes += 1
    counts.bytesWritten += bytes.count
  }

  mutating func sync(_ file: any StorageFile, named name: String) throws(JournalError) {
    try file.syncData(named: name)
    counts.syncs += 1
  }

  /// Truncates a file that is not open.
  func shorten(_ name: String, to byteCount: Int) throws(JournalError) {
    try storage.open(name, for: .writing).shorten(to: byteCount)
  }

  func rename(_ name: String, to newName: String) throws(JournalError) {
    try storage.rename(name, to: newName)
  }

  func remove(_ name: String) throws(JournalError) {
    try storage.remove(name)
  }

  /// Removes a file if it exists.
  func discard(_ name: String) throws(JournalError) {
    do throws(JournalError) {
      try storage.remove(name)
    } catch .storage(let failure) where failure.reason == .notFound {
      return
    }
  }

  mutating func syncDirectory() throws(JournalError) {
    try storage.syncDirectory()
    counts.directorySyncs += 1
  }

  func checkLocks() throws(JournalError) {
    try storage.checkLocks()
  }
}

extension JournalError {
  /// Whether the disk is full.
  var isNoSpace: Bool {
    if case .storage(let failure) = self { failure.reason == .noSpace } else { false }
  }

  fileprivate func about(_ name: String) -> JournalError {
    guard case .storage(var failure) = self else { return self }
    failure.file = name
    return .storage(failure)
  }
}
