import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FileDescriptor {
  /// Makes the file exactly this long; what it gains reads as zeros.
  package func truncate(to size: Int64) throws(SystemError) {
    let number = self.number
    try check("ftruncate") { ftruncate(number, off_t(size)) }
  }

  /// Returns when the file's bytes, and its length, are on the disk.
  ///
  /// After an error the kernel may consider them clean all the same, so trying again proves
  /// nothing.
  package func synchronizeData() throws(SystemError) {
    let number = self.number
    #if canImport(Darwin)
      // A plain fsync leaves them in the drive's own memory; not every file system knows better.
      if retrying({ fcntl(number, F_FULLFSYNC) }) == 0 { return }
      guard ErrorCode.last.isUnsupported || ErrorCode.last == .invalidArgument else {
        throw SystemError("fcntl F_FULLFSYNC")
      }
      try check("fsync") { fsync(number) }
    #else
      try check("fdatasync") { fdatasync(number) }
    #endif
  }

  /// Returns when everything about the file is on the disk; of a directory: the names in it.
  package func synchronize() throws(SystemError) {
    let number = self.number
    #if canImport(Darwin)
      if retrying({ fcntl(number, F_FULLFSYNC) }) == 0 { return }
    #endif
    try check("fsync") { fsync(number) }
  }

  /// Makes the file at least this long and the room for all of it ours, so that writing within it
  /// cannot meet a full disk.
  ///
  /// Throws ``SystemError/isFull`` when there is no room, and ``SystemError/isUnsupported`` where
  /// the file system cannot reserve: the caller may write zeros then.
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
      // Not posix_fallocate: where the file system cannot, glibc's touches each block in turn.
      try check("fallocate") { platform_fallocate(number, 0, 0, off_t(size)) }
    #endif
  }

  /// A place from `offset` on before which nothing was ever written; the end of the file if that is
  /// so of all the rest. It is `offset` itself where the system cannot tell.
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

  /// Asks the system to read no more of the file than is asked for. What it reads of room that was
  /// only reserved counts as written to ``nextWritten(from:)`` for as long as it is in memory.
  package func readNothingAhead() {
    #if canImport(Darwin)
      _ = fcntl(number, F_RDAHEAD, 0)
    #else
      _ = posix_fadvise(number, 0, 0, POSIX_FADV_RANDOM)
    #endif
  }

  /// Takes the lock on this open file, for as long as the file stays open; false when another
  /// has it. It is advisory: it keeps out only those who ask for it too.
  package func tryLock() throws(SystemError) -> Bool {
    if retrying({ flock(number, LOCK_EX | LOCK_NB) }) == 0 { return true }
    if ErrorCode.last.isWouldBlock { return false }
    throw SystemError("flock")
  }

  /// Bytes that this user may still write to the file's file system.
  package func availableSpace() throws(SystemError) -> Int64 {
    var space = statvfs()
    if fstatvfs(number, &space) != 0 { throw SystemError("fstatvfs") }
    let (bytes, overflow) = UInt64(space.f_bavail).multipliedReportingOverflow(
      by: UInt64(space.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
  }
}

extension File {
  /// Whether a process has locked a whole file, whichever; nil where the system does not tell.
  package static func hasLocks(of pid: Int32) -> Bool? {
    lockTable?.contains { $0.pid == pid }
  }

  /// The process that has locked a file; nil where the system does not tell.
  package static func lockHolder(of file: FileIdentity) -> Int32? {
    lockTable?.first { $0.inode == file.inode }?.pid
  }

  /// Who has locked which whole file. The devices are left out: some file systems report another
  /// one here than for the file.
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
