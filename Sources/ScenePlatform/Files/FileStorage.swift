import CScenePlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FileDescriptor {
  /// Sets the length of the file. Added bytes read as zeros.
  package func truncate(to size: Int64) throws(SystemError) {
    let number = self.number
    try check("ftruncate") { ftruncate(number, off_t(size)) }
  }

  /// Syncs the content and the length of the file to the disk.
  ///
  /// After an error the kernel may mark the pages as clean, so a second call proves nothing.
  package func synchronizeData() throws(SystemError) {
    let number = self.number
    #if canImport(Darwin)
      // On Darwin, fsync leaves the bytes in the drive's cache. Some file systems lack F_FULLFSYNC.
      if retrying({ fcntl(number, F_FULLFSYNC) }) == 0 { return }
      guard ErrorCode.last.isUnsupported || ErrorCode.last == .invalidArgument else {
        throw SystemError("fcntl F_FULLFSYNC")
      }
      try check("fsync") { fsync(number) }
    #else
      try check("fdatasync") { fdatasync(number) }
    #endif
  }

  /// Syncs the content and the metadata of a file, or the names in a directory, to the disk.
  package func synchronize() throws(SystemError) {
    let number = self.number
    #if canImport(Darwin)
      if retrying({ fcntl(number, F_FULLFSYNC) }) == 0 { return }
    #endif
    try check("fsync") { fsync(number) }
  }

  /// Makes the file at least `size` bytes long and allocates its blocks. Later writes below `size`
  /// cannot fail with a full disk.
  ///
  /// Throws an error with `isFull` on a full disk, and with `isUnsupported` if the file system
  /// cannot allocate ahead. The caller can then write zeros.
  package func reserve(_ size: Int64) throws(SystemError) {
    let number = self.number
    #if canImport(Darwin)
      let present = try status().size
      if size <= present { return }
      var store = fstore_t(
        fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0,
        fst_length: off_t(size - present), fst_bytesalloc: 0)
      try check("fcntl F_PREALLOCATE") { fcntl(number, F_PREALLOCATE, &store) }
      try truncate(to: size)
    #else
      // Not posix_fallocate: without support from the file system, glibc writes to each block.
      try check("fallocate") { platform_fallocate(number, 0, 0, off_t(size)) }
    #endif
  }

  /// The first offset ≥ `offset` that may contain written bytes; the end of the file if there is
  /// none. Returns `offset` if the system does not report holes.
  package func nextWritten(from offset: Int64) throws(SystemError) -> Int64 {
    #if canImport(Darwin)
      return offset
    #else
      let place = platform_seek_written(number, off_t(offset))
      if place >= 0 { return Int64(place) }
      if ErrorCode.last == .noSuchAddress { return max(offset, try status().size) }
      if ErrorCode.last == .invalidArgument { return offset }
      throw SystemError("lseek")
    #endif
  }

  /// Disables read-ahead. Allocated pages that the kernel has read ahead would count as written in
  /// ``nextWritten(from:)``.
  package func readNothingAhead() {
    #if canImport(Darwin)
      _ = fcntl(number, F_RDAHEAD, 0)
    #else
      _ = posix_fadvise(number, 0, 0, POSIX_FADV_RANDOM)
    #endif
  }

  /// Takes an advisory lock until the file is closed. Waits while another open file has the lock.
  package func lock() throws(SystemError) {
    let number = self.number
    if retrying({ flock(number, LOCK_EX) }) != 0 { throw SystemError("flock") }
  }

  /// Takes an advisory lock until the file is closed; false if another open file has the lock.
  package func tryLock() throws(SystemError) -> Bool {
    if retrying({ flock(number, LOCK_EX | LOCK_NB) }) == 0 { return true }
    if ErrorCode.last.isWouldBlock { return false }
    throw SystemError("flock")
  }

  /// The free bytes of the file system for this user.
  package func availableSpace() throws(SystemError) -> Int64 {
    var space = statvfs()
    if fstatvfs(number, &space) != 0 { throw SystemError("fstatvfs") }
    let (bytes, overflow) = UInt64(space.f_bavail).multipliedReportingOverflow(
      by: UInt64(space.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
  }
}

extension File {
  /// Whether a process holds any whole-file lock; nil if the system does not report locks.
  package static func hasLocks(of pid: Int32) -> Bool? {
    lockTable?.contains { $0.pid == pid }
  }

  /// The process that holds the lock of a file; nil if the system does not report locks.
  package static func lockHolder(of file: FileIdentity) -> Int32? {
    lockTable?.first { $0.inode == file.inode }?.pid
  }

  /// The holders of all whole-file locks. The table omits device numbers, because some file systems
  /// report a different one here.
  private static var lockTable: [(pid: Int32, inode: UInt64)]? {
    #if canImport(Darwin)
      return nil
    #else
      guard let table = try? File.read("/proc/locks", limit: 1 << 20) else { return nil }
      return table.split(separator: UInt8(ascii: "\n")).compactMap { line in
        let words = line.split(separator: UInt8(ascii: " ")).map {
          String(decoding: $0, as: UTF8.self)
        }
        guard words.count > 5, words[1] == "FLOCK", let pid = Int32(words[4]),
          let inode = words[5].split(separator: ":").last.flatMap({ UInt64($0) })
        else { return nil }
        return (pid, inode)
      }
    #endif
  }
}
