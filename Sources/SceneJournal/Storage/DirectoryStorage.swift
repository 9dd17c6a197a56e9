package import ScenePlatform

/// A storage in a directory; only the owner can read its files.
package struct DirectoryStorage: Storage {
  fileprivate let directory: OpenDirectory
  private let locks: [LockedFile]
  private let faults: (any JournalFaults)?

  /// The directory must exist. The caller locks it before it opens a journal in it.
  package init(_ path: String) {
    self.init(OpenDirectory(path))
  }

  /// `locks` are the caller's lock files. A batch counts only while each path leads to its lock
  /// file. `faults` can make the disk appear full.
  package init(
    _ directory: OpenDirectory, locks: [LockedFile] = [], faults: (any JournalFaults)? = nil
  ) {
    self.directory = directory
    self.locks = locks
    self.faults = faults
  }

  package var place: String { directory.path }

  package var freeByteCount: Int? {
    if isFull { return 0 }
    return (try? directory.availableSpace()).map { Int($0) }
  }

  /// Whether a fault makes the disk appear full.
  fileprivate var isFull: Bool { faults?.diskIsFull == true }

  package func list() throws(JournalError) -> [String] {
    try system(.list, place) { () throws(SystemError) in try directory.list() }
  }

  package func open(
    _ name: String, for access: StorageAccess
  ) throws(JournalError) -> any StorageFile {
    // The path may be a pipe, which must not block a start.
    let options: OpenOptions =
      switch access {
      case .reading: [.read, .noFollow, .nonblocking]
      case .writing: [.read, .write, .noFollow, .nonblocking]
      }
    let file = try descriptor(of: name, options)
    let status = try system(.open, name) { () throws(SystemError) in try file.status() }
    if status.kind != .regular { throw .notAFile(name, status.kind) }
    // Starts skip the unwritten pages of a log.
    if case .log = JournalFileName(name) { file.readNothingAhead() }
    return DirectoryFile(name, file, status, in: self)
  }

  private func descriptor(
    of name: String, _ options: OpenOptions
  ) throws(JournalError) -> FileDescriptor {
    do throws(SystemError) {
      return try directory.open(name, options)
    } catch {
      // Some kinds of files cannot be opened.
      let status = try? directory.status(of: name)
      if let kind = status?.kind, kind != .regular { throw .notAFile(name, kind) }
      throw JournalError(.open, name, error)
    }
  }

  package func create(
    _ name: String, reserving byteCount: Int
  ) throws(JournalError) -> any StorageFile {
    if byteCount > 0, isFull { throw .simulatedFullDisk(.create, name) }
    return try system(.create, name) { () throws(SystemError) in
      try directory.removeIfPresent(name)
      let file = try directory.open(name, [.read, .write, .create, .exclusive])
      let status: FileStatus
      do throws(SystemError) {
        try file.allocate(byteCount)
        status = try file.status()
      } catch {
        try directory.removeIfPresent(name)
        throw error
      }
      return DirectoryFile(name, file, status, in: self)
    }
  }

  package func rename(_ name: String, to newName: String) throws(JournalError) {
    try system(.rename, name) { () throws(SystemError) in
      try directory.rename(name, to: newName)
    }
  }

  package func remove(_ name: String) throws(JournalError) {
    try system(.remove, name) { () throws(SystemError) in try directory.remove(name) }
  }

  package func syncDirectory() throws(JournalError) {
    try system(.syncDirectory, place) { () throws(SystemError) in try directory.synchronize() }
  }

  package func checkLocks() throws(JournalError) {
    for lock in locks { try lock.check() }
  }
}

/// An open file of a ``DirectoryStorage``.
private final class DirectoryFile: StorageFile {
  /// The name at the opening.
  private let name: String
  private let descriptor: FileDescriptor
  private let identity: FileIdentity
  /// The length at the opening. The journal writes and syncs no file that it has truncated.
  private let openedSize: Int64
  private let storage: DirectoryStorage

  init(
    _ name: String, _ descriptor: consuming FileDescriptor, _ status: FileStatus,
    in storage: DirectoryStorage
  ) {
    self.name = name
    self.descriptor = descriptor
    identity = status.identity
    openedSize = status.size
    self.storage = storage
  }

  func size() throws(JournalError) -> Int {
    try system(.size, name) { () throws(SystemError) in Int(try descriptor.status().size) }
  }

  func read(
    at offset: Int, count: Int, into bytes: inout ContiguousArray<UInt8>
  ) throws(JournalError) -> Int {
    var elements = bytes.mutableSpan
    do throws(SystemError) {
      return try unsafe elements.withUnsafeMutableBytes { (buffer) throws(SystemError) in
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        return try unsafe descriptor.read(into: part, at: Int64(offset))
      }
    } catch {
      throw JournalError(.read, name, error)
    }
  }

  func hasItsRoom() throws(JournalError) -> Bool {
    try system(.size, name) { () throws(SystemError) in
      let status = try descriptor.status()
      return status.allocated >= status.size
    }
  }

  func nextWritten(from offset: Int) throws(JournalError) -> Int {
    try system(.read, name) { () throws(SystemError) in
      Int(try descriptor.nextWritten(from: Int64(offset)))
    }
  }

  func write(_ bytes: Span<UInt8>, at offset: Int) throws(JournalError) {
    if storage.isFull, try offset + bytes.count > size() {
      throw .simulatedFullDisk(.write, name)
    }
    do throws(SystemError) {
      try descriptor.write(unsafe bytes.bytes, at: Int64(offset))
    } catch {
      throw JournalError(.write, name, error)
    }
  }

  func shorten(to byteCount: Int) throws(JournalError) {
    try system(.shorten, name) { () throws(SystemError) in
      try descriptor.truncate(to: Int64(byteCount))
    }
  }

  func syncData(named currentName: String) throws(JournalError) {
    try system(.syncData, currentName) { () throws(SystemError) in
      try descriptor.synchronizeData()
    }
    do throws(SystemError) {
      let found = try storage.directory.identity(of: currentName)
      if found.identity == identity, found.size >= openedSize { return }
    } catch {
      guard error.isNotFound else { throw JournalError(.syncData, currentName, error) }
    }
    // A start would not find the records.
    throw .storage(
      StorageFailure(
        call: .syncData, file: currentName, reason: .notFound,
        message: "the file was removed, renamed, replaced or truncated"))
  }
}

extension FileDescriptor {
  /// Sets the length of the file and allocates it; writes zeros if the file system cannot allocate.
  fileprivate borrowing func allocate(_ byteCount: Int) throws(SystemError) {
    if byteCount == 0 { return }
    do throws(SystemError) {
      try reserve(Int64(byteCount))
    } catch {
      // A filter of system calls, as of a container, reports a missing permission.
      guard error.isUnsupported || error.code == .notPermitted else { throw error }
      let zeros = ContiguousArray<UInt8>(repeating: 0, count: byteCount)
      try write(unsafe zeros.span.bytes, at: 0)
    }
  }
}

/// Makes a system call and converts its error.
private func system<Result>(
  _ call: StorageFailure.Call, _ file: String, _ body: () throws(SystemError) -> Result
) throws(JournalError) -> Result {
  do throws(SystemError) {
    return try body()
  } catch {
    throw JournalError(call, file, error)
  }
}

extension JournalError {
  fileprivate static func simulatedFullDisk(
    _ call: StorageFailure.Call, _ name: String
  ) -> JournalError {
    .storage(
      StorageFailure(
        call: call, file: name, reason: .noSpace, message: "a test simulates a full disk"))
  }

  fileprivate static func notAFile(_ name: String, _ kind: FileStatus.Kind) -> JournalError {
    .storage(
      StorageFailure(
        call: .open, file: name, reason: .notAFile, message: "found \(kind.name), not a file"))
  }

  init(_ call: StorageFailure.Call, _ file: String, _ error: SystemError) {
    let reason: StorageFailure.Reason =
      switch error.code {
      // The limit on file sizes counts as missing space.
      case let code where code.isFull || code == .fileTooLarge: .noSpace
      case let code where code.isNotFound: .notFound
      case .permissionDenied, .notPermitted: .denied
      case let code: .code(code.rawValue)
      }
    self = .storage(
      StorageFailure(call: call, file: file, reason: reason, message: error.code.description))
  }
}
