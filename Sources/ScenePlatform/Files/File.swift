/// The options for opening a file. Every file is close-on-exec.
package struct OpenOptions: OptionSet, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  package static let read = OpenOptions(rawValue: 1 << 0)
  package static let write = OpenOptions(rawValue: 1 << 1)
  /// Makes the file if it does not exist.
  package static let create = OpenOptions(rawValue: O_CREAT)
  /// With `create`: fails if the path exists.
  package static let exclusive = OpenOptions(rawValue: O_EXCL)
  package static let truncate = OpenOptions(rawValue: O_TRUNC)
  package static let append = OpenOptions(rawValue: O_APPEND)
  /// Fails unless the path is a directory.
  package static let directory = OpenOptions(rawValue: O_DIRECTORY)
  /// Fails if the last component is a symbolic link.
  package static let noFollow = OpenOptions(rawValue: O_NOFOLLOW)
  /// Does not wait for the peer of a pipe, and sets nonblocking mode.
  package static let nonblocking = OpenOptions(rawValue: O_NONBLOCK)

  var flags: Int32 {
    let access = contains([.read, .write]) ? O_RDWR : contains(.write) ? O_WRONLY : O_RDONLY
    return rawValue & ~O_ACCMODE | access | O_CLOEXEC
  }
}

/// Operations on files, by path.
package enum File {
  /// Opens a file. A new file gets `mode`, reduced by the umask.
  package static func open(
    _ path: String, _ options: OpenOptions, mode: UInt32 = 0o600
  ) throws(SystemError) -> FileDescriptor {
    let number = try check("open", path) { ScenePlatform.open(path, options.flags, mode_t(mode)) }
    return FileDescriptor(adopting: number)
  }

  /// Renames a file atomically and replaces an existing file. Sync the directory to make the name
  /// durable.
  package static func rename(_ old: String, to new: String) throws(SystemError) {
    try check("rename", old) { ScenePlatform.rename(old, new) }
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

  /// Reads the whole file, and never waits. Throws if the path is no regular file.
  package static func readRegular(
    _ path: String, limit: Int = .max
  ) throws(SystemError) -> ContiguousArray<UInt8> {
    let file = try open(path, [.read, .nonblocking])
    do throws(SystemError) {
      let kind = try file.status().kind
      guard kind == .regular else {
        throw SystemError(
          call: "read", code: .invalidArgument, note: "expected a regular file, found \(kind.name)")
      }
      return try file.readToEnd(limit: limit)
    } catch {
      throw error.about(path)
    }
  }

  /// Makes or replaces a file with these bytes. The write is not atomic.
  package static func write(
    _ bytes: some Sequence<UInt8>, to path: String, mode: UInt32 = 0o600, durably: Bool = false
  ) throws(SystemError) {
    let file = try open(path, [.write, .create, .truncate], mode: mode)
    do {
      try file.write(ContiguousArray(bytes).span.bytes)
      if durably { try file.synchronize() }
    } catch {
      throw error.about(path)
    }
  }

  /// The path without symbolic links; nil if there is no file.
  package static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The target of a symbolic link.
  package static func destination(ofLink path: String) throws(SystemError) -> String {
    var buffer = ContiguousArray<UInt8>(repeating: 0, count: Int(PATH_MAX))
    let count = try buffer.withBytes { (bytes) throws(SystemError) in
      guard let start = bytes.baseAddress else { return 0 }
      return try check("readlink", path) { readlink(path, start, bytes.count) }
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
