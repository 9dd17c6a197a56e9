extension FileDescriptor {
  /// Sets the length of the file. Added bytes read as zeros.
  package func truncate(to size: Int64) throws(SystemError) {
    try check("ftruncate") { ftruncate(number, off_t(size)) }
  }

  /// Takes an advisory lock until the file is closed. Waits while another open file has the lock.
  package func lock() throws(SystemError) {
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
}
