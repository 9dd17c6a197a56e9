/// A directory and the files in it.
///
/// With a descriptor, names resolve in that open directory, even after a rename. Without one, names
/// resolve by the path.
package final class OpenDirectory: Sendable {
  package let path: String
  private let descriptor: FileDescriptor?

  /// A directory that each call looks up by its path.
  package init(_ path: String) {
    self.path = path
    descriptor = nil
  }

  /// An open directory. `path` appears only in messages.
  package init(_ descriptor: consuming FileDescriptor, path: String) {
    self.path = path
    self.descriptor = consume descriptor
  }

  /// The open descriptor; -1 for a directory that each call looks up.
  package var number: Int32 {
    switch descriptor {
    case .some(let descriptor): descriptor.number
    case .none: -1
    }
  }

  /// The path of a file in the directory.
  package func path(of name: String) -> String { "\(path)/\(name)" }

  package func open(
    _ name: String, _ options: OpenOptions, mode: UInt32 = 0o600
  ) throws(SystemError) -> FileDescriptor {
    let (number, place) = place(of: name)
    return FileDescriptor(
      adopting: try check("open", path(of: name)) {
        openat(number, place, options.flags, mode_t(mode))
      })
  }

  /// The metadata of a name. Does not follow symbolic links.
  package func status(of name: String) throws(SystemError) -> FileStatus {
    let (number, place) = place(of: name)
    return try FileStatus(in: number, place, path: path(of: name))
  }

  /// The file that a name leads to, and its size in bytes. Does not follow symbolic links.
  ///
  /// ``status(of:)`` also reads the times. Since Linux 6.13 the file then gets a new time at the
  /// next write, and some file systems write the inode at the next sync.
  package func identity(
    of name: String
  ) throws(SystemError) -> (identity: FileIdentity, size: Int64) {
    let (number, place) = place(of: name)
    if let identity = systemIdentity(number, place) { return identity }
    let status = try status(of: name)
    return (status.identity, status.size)
  }

  /// Renames a file. Replaces an existing file.
  package func rename(_ name: String, to newName: String) throws(SystemError) {
    let (number, old) = place(of: name)
    let (_, new) = place(of: newName)
    try check("rename", path(of: name)) { renameat(number, old, number, new) }
  }

  package func remove(_ name: String) throws(SystemError) {
    let (number, place) = place(of: name)
    try check("unlink", path(of: name)) { unlinkat(number, place, 0) }
  }

  package func removeIfPresent(_ name: String) throws(SystemError) {
    do {
      try remove(name)
    } catch let error where error.isNotFound {
      return
    }
  }

  /// The names in the directory, sorted, without "." and "..".
  package func list() throws(SystemError) -> [String] {
    // A new descriptor, because the stream moves and closes its descriptor.
    try Directory.names(in: try open(".", [.read, .directory]), path: path).sorted()
  }

  /// Syncs the names in the directory to the disk.
  package func synchronize() throws(SystemError) {
    do throws(SystemError) {
      try open(".", [.read, .directory]).synchronize()
    } catch {
      throw error.about(path)
    }
  }

  /// The free bytes of the file system for this user.
  package func availableSpace() throws(SystemError) -> Int64 {
    try open(".", [.read, .directory]).availableSpace()
  }

  /// Locks the directory until this object is destroyed; false if another process has the lock.
  /// Returns true if the file system cannot lock directories.
  package func tryLock() throws(SystemError) -> Bool {
    do throws(SystemError) {
      switch descriptor {
      case .some(let descriptor): return try descriptor.tryLock()
      case .none: preconditionFailure("a directory must be open to be locked")
      }
    } catch {
      // NFS locks only files that are open for writing; a directory cannot be.
      guard error.isUnsupported || [.badDescriptor, .invalidArgument].contains(error.code) else {
        throw error.about(path)
      }
      return true
    }
  }

  private func place(of name: String) -> (Int32, String) {
    switch descriptor {
    case .some(let descriptor): (descriptor.number, name)
    case .none: (AT_FDCWD, path(of: name))
    }
  }
}

extension Directory {
  /// The names in an open directory, without "." and "..".
  static func names(
    in directory: consuming FileDescriptor, path: String
  ) throws(SystemError) -> [String] {
    guard let stream = fdopendir(directory.number) else { throw SystemError("fdopendir", path) }
    _ = directory.release()
    defer { closedir(stream) }
    return try ScenePlatform.names(in: stream, path: path)
  }
}
