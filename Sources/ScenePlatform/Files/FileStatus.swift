/// The metadata of a file.
package struct FileStatus: Equatable, Sendable {
  package enum Kind: String, Sendable {
    case regular = "a regular file"
    case directory = "a directory"
    case symbolicLink = "a symbolic link"
    case socket = "a socket"
    case pipe = "a pipe"
    case device = "a device"
    case other = "a file of unknown kind"

    /// The name for messages, such as "a directory".
    package var name: String { rawValue }
  }

  package var kind: Kind
  package var owner: UInt32
  package var group: UInt32
  /// The permission bits, such as 0o600.
  package var mode: UInt32
  /// Bytes.
  package var size: Int64
  /// The allocated bytes on the disk.
  package var allocated: Int64
  package var identity: FileIdentity
  /// The number of hard links; 0 for an open file without a name.
  package var linkCount: UInt64
  /// The time of the last write, in nanoseconds since 1970.
  package var modified: Int64
}

extension FileStatus {
  /// The owner of an inaccessible path, as a clause: "/x belongs to user 7, not to user 8". Checks
  /// the path, or its nearest accessible ancestor; nil if that belongs to this user.
  package static func foreignOwner(near path: String) -> String? {
    guard let status = try? FileStatus(of: path) else {
      return Directory.parent(of: path).flatMap { foreignOwner(near: $0) }
    }
    guard status.owner != User.current else { return nil }
    return "\(path) belongs to user \(status.owner), not to user \(User.current)"
  }

  /// Reads the metadata of a path, or of the target of a symbolic link.
  package init(of path: String, followLinks: Bool = true) throws(SystemError) {
    var raw = stat()
    // Without `withCString`, the compiler copies the path.
    let result = path.withCString { followLinks ? stat($0, &raw) : lstat($0, &raw) }
    if result != 0 { throw SystemError("stat", path) }
    self.init(raw)
  }

  /// Reads the metadata of the file behind a standard stream.
  init(of stream: StandardStream) throws(SystemError) {
    var raw = stat()
    if fstat(stream.number, &raw) != 0 { throw SystemError("stat") }
    self.init(raw)
  }

  /// Reads the metadata of a name in an open directory, without following symbolic links.
  init(in directory: Int32, _ name: String, path: String) throws(SystemError) {
    var raw = stat()
    if fstatat(directory, name, &raw, AT_SYMLINK_NOFOLLOW) != 0 { throw SystemError("stat", path) }
    self.init(raw)
  }

  fileprivate init(_ raw: stat) {
    self.init(
      kind: Kind(mode: UInt32(raw.st_mode)), owner: raw.st_uid, group: raw.st_gid,
      mode: UInt32(raw.st_mode) & 0o7777, size: Int64(raw.st_size),
      allocated: 512 * Int64(raw.st_blocks),
      identity: FileIdentity(
        device: UInt64(truncatingIfNeeded: raw.st_dev), inode: UInt64(raw.st_ino)),
      linkCount: UInt64(raw.st_nlink),
      modified: raw.written.nanoseconds)
  }
}

extension FileStatus.Kind {
  fileprivate init(mode: UInt32) {
    switch mode & UInt32(S_IFMT) {
    case UInt32(S_IFREG): self = .regular
    case UInt32(S_IFDIR): self = .directory
    case UInt32(S_IFLNK): self = .symbolicLink
    case UInt32(S_IFSOCK): self = .socket
    case UInt32(S_IFIFO): self = .pipe
    case UInt32(S_IFCHR), UInt32(S_IFBLK): self = .device
    default: self = .other
    }
  }
}

extension FileDescriptor {
  /// Reads the metadata of the open file.
  package func status() throws(SystemError) -> FileStatus {
    var raw = stat()
    if fstat(number, &raw) != 0 { throw SystemError("fstat") }
    return FileStatus(raw)
  }
}

extension File {
  /// Whether the path exists, also as a dangling link.
  package static func exists(_ path: String) -> Bool {
    (try? FileStatus(of: path, followLinks: false)) != nil
  }
}
