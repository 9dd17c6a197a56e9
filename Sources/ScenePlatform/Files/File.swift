/// The options for opening a file. Every file is close-on-exec.
package struct OpenOptions: OptionSet, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  package static let read = OpenOptions(rawValue: 1 << 0)
  package static let write = OpenOptions(rawValue: 1 << 1)
  /// Makes the file if it does not exist.
  package static let create = OpenOptions(rawValue: 1 << 2)
  /// With `create`: fails if the path exists.
  package static let exclusive = OpenOptions(rawValue: 1 << 3)
  package static let truncate = OpenOptions(rawValue: 1 << 4)
  package static let append = OpenOptions(rawValue: 1 << 5)
  /// Fails unless the path is a directory.
  package static let directory = OpenOptions(rawValue: 1 << 6)
  /// Fails if the last component is a symbolic link.
  package static let noFollow = OpenOptions(rawValue: 1 << 7)
  /// Does not wait for the peer of a pipe, and sets nonblocking mode.
  package static let nonblocking = OpenOptions(rawValue: 1 << 8)

  var flags: Int32 {
    var flags = O_CLOEXEC
    flags |= contains([.read, .write]) ? O_RDWR : contains(.write) ? O_WRONLY : O_RDONLY
    if contains(.create) { flags |= O_CREAT }
    if contains(.exclusive) { flags |= O_EXCL }
    if contains(.truncate) { flags |= O_TRUNC }
    if contains(.append) { flags |= O_APPEND }
    if contains(.directory) { flags |= O_DIRECTORY }
    if contains(.noFollow) { flags |= O_NOFOLLOW }
    if contains(.nonblocking) { flags |= O_NONBLOCK }
    return flags
  }
}

/// Operations on files, by path.
package enum File {
  /// Opens a file. A new file gets `mode`, reduced by the umask.
  package static func open(
    _ path: String, _ options: OpenOptions, mode: UInt32 = 0o600
  ) throws(SystemError) -> FileDescriptor {
    let number = try check("open", path) { openFile(path, options.flags, mode) }
    return FileDescriptor(adopting: number)
  }

  /// Renames a file atomically and replaces an existing file. Sync the directory to make the name
  /// durable.
  package static func rename(_ old: String, to new: String) throws(SystemError) {
    try check("rename", old) { renameFile(old, new) }
  }

  /// Removes a file or a symbolic link.
  package static func remove(_ path: String) throws(SystemError) {
    try check("unlink", path) { unlink(path) }
  }

  /// Removes a file or a symbolic link, if it exists.
  package static func removeIfPresent(_ path: String) throws(SystemError) {
    do {
      try remove(path)
    } catch let error where error.isNotFound {
      return
    }
  }

  /// Makes a FIFO with mode 0600.
  package static func makeFIFO(_ path: String) throws(SystemError) {
    try check("mkfifo", path) { mkfifo(path, 0o600) }
  }

  /// Reads the whole file. Throws `.fileTooLarge` if the file has more than `limit` bytes.
  package static func read(
    _ path: String, limit: Int = .max
  ) throws(SystemError) -> ContiguousArray<UInt8> {
    let file = try open(path, .read)
    do {
      return try file.readToEnd(limit: limit)
    } catch {
      throw error.about(path)
    }
  }

  /// Makes or replaces a file with these bytes. The write is neither atomic nor durable.
  package static func write(
    _ bytes: some Sequence<UInt8>, to path: String, mode: UInt32 = 0o600
  ) throws(SystemError) {
    let file = try open(path, [.write, .create, .truncate], mode: mode)
    do {
      try file.write(ContiguousArray(bytes).span.bytes)
    } catch {
      throw error.about(path)
    }
  }

  /// The target of a symbolic link.
  package static func destination(ofLink path: String) throws(SystemError) -> String {
    var buffer = ContiguousArray<UInt8>(repeating: 0, count: Int(PATH_MAX))
    let count = try buffer.withBytes { (bytes) throws(SystemError) in
      let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      return try check("readlink", path) { readlinkInto(path, start, bytes.count) }
    }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  /// Makes a symbolic link.
  package static func link(_ path: String, to destination: String) throws(SystemError) {
    try check("symlink", path) { symlink(destination, path) }
  }
}

extension SystemError {
  /// The same error with a path, for calls that take only a descriptor.
  package func about(_ path: String) -> SystemError {
    var error = self
    if error.path == nil { error.path = path }
    return error
  }
}

private func openFile(_ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
  open(path, flags, mode_t(mode))
}

private func renameFile(_ old: String, _ new: String) -> Int32 {
  rename(old, new)
}

private func readlinkInto(_ path: String, _ start: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int
{
  guard let start else { return -1 }
  return readlink(path, start, size)
}
