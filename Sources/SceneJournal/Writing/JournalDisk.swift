/// The storage of a writer: converts errors and counts calls.
struct JournalDisk: Sendable {
  let storage: any Storage
  var counts = JournalCounts()

  init(_ storage: any Storage) {
    self.storage = storage
  }

  func open(
    _ name: String, for access: StorageAccess
  ) throws(JournalError) -> any StorageFile {
    do throws(StorageError) { return try storage.open(name, for: access) } catch {
      throw .storage(error)
    }
  }

  func create(_ name: String, reserving byteCount: Int) throws(JournalError) -> any StorageFile {
    do throws(StorageError) { return try storage.create(name, reserving: byteCount) } catch {
      throw .storage(error)
    }
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
    do throws(StorageError) { try file.write(bytes, at: offset) } catch {
      throw .storage(error.about(name))
    }
    counts.writes += 1
    counts.bytesWritten += bytes.count
  }

  mutating func sync(_ file: any StorageFile, named name: String) throws(JournalError) {
    do throws(StorageError) { try file.syncData() } catch { throw .storage(error.about(name)) }
    counts.syncs += 1
  }

  /// Truncates a file that is not open.
  func shorten(_ name: String, to byteCount: Int) throws(JournalError) {
    do throws(StorageError) {
      try storage.open(name, for: .writing).shorten(to: byteCount)
    } catch {
      throw .storage(error)
    }
  }

  func rename(_ name: String, to newName: String) throws(JournalError) {
    do throws(StorageError) { try storage.rename(name, to: newName) } catch {
      throw .storage(error)
    }
  }

  func remove(_ name: String) throws(JournalError) {
    do throws(StorageError) { try storage.remove(name) } catch { throw .storage(error) }
  }

  /// Removes a file if it exists.
  func discard(_ name: String) throws(JournalError) {
    do throws(StorageError) { try storage.remove(name) } catch {
      if error.reason != .notFound { throw .storage(error) }
    }
  }

  mutating func syncDirectory() throws(JournalError) {
    do throws(StorageError) { try storage.syncDirectory() } catch { throw .storage(error) }
    counts.directorySyncs += 1
  }

  func checkLocks() throws(JournalError) {
    do throws(StorageError) { try storage.checkLocks() } catch { throw .storage(error) }
  }
}

extension JournalError {
  /// Whether the disk is full.
  var isNoSpace: Bool {
    if case .storage(let error) = self { error.reason == .noSpace } else { false }
  }
}

extension StorageError {
  fileprivate func about(_ name: String) -> StorageError {
    var error = self
    error.file = name
    return error
  }
}
