/// How often the journal went to the disk; tests hold it to these numbers.
package struct JournalCounts: Equatable, Sendable {
  package var batches = 0
  package var records = 0
  package var writes = 0
  package var bytesWritten = 0
  /// Syncs of files.
  package var syncs = 0
  package var directorySyncs = 0
  /// Logs begun, the one at the start included.
  package var switches = 0
  package var compactions = 0

  package init() {}
}

/// The storage as the writer uses it: its errors are the journal's, and its calls are counted.
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

  /// Writes to a file that has this name by now, whatever it was opened as.
  mutating func write(
    _ bytes: ContiguousArray<UInt8>, to file: any StorageFile, named name: String, at offset: Int
  ) throws(JournalError) {
    try write(bytes.span, to: file, named: name, at: offset)
  }

  /// The same for a part of an array.
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

  /// Cuts off the end of a file that is not open.
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

  /// Removes a file that is perhaps not there.
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
  /// The disk is full, rather than broken.
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
