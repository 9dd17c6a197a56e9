/// The storage of a writer, which counts calls.
struct JournalDisk: Sendable {
  let storage: any Storage
  var counts = JournalCounts()

  init(_ storage: any Storage) {
    self.storage = storage
  }

  /// Writes to a file whose current name is `name`.
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
