import CScenePlatform

extension FileDescriptor {
  /// Syncs the content and the length of the file to the disk.
  ///
  /// After an error the kernel may mark the pages as clean, so a second call proves nothing.
  package func synchronizeData() throws(SystemError) {
    try check("fdatasync") { fdatasync(number) }
  }

  /// Syncs the content and the metadata of a file, or the names in a directory, to the disk.
  package func synchronize() throws(SystemError) {
    try check("fsync") { fsync(number) }
  }

  /// Makes the file at least `size` bytes long and allocates its blocks. Later writes below `size`
  /// cannot fail with a full disk.
  ///
  /// Throws an error with `isFull` on a full disk, and with `isUnsupported` if the file system
  /// cannot allocate ahead. The caller can then write zeros.
  package func reserve(_ size: Int64) throws(SystemError) {
    // Not posix_fallocate: without support from the file system, glibc writes to each block.
    try check("fallocate") { platform_fallocate(number, 0, 0, off_t(size)) }
  }

  /// The first offset ≥ `offset` that may contain written bytes; the end of the file if there is
  /// none. Returns `offset` if the system does not report holes.
  package func nextWritten(from offset: Int64) throws(SystemError) -> Int64 {
    let place = platform_seek_written(number, off_t(offset))
    if place >= 0 { return Int64(place) }
    if ErrorCode.last == .noSuchAddress { return max(offset, try status().size) }
    if ErrorCode.last == .invalidArgument { return offset }
    throw SystemError("lseek")
  }

  /// Disables read-ahead. Allocated pages that the kernel has read ahead would count as written in
  /// ``nextWritten(from:)``.
  package func readNothingAhead() {
    _ = posix_fadvise(number, 0, 0, POSIX_FADV_RANDOM)
  }
}

extension File {
  /// The holders of all whole-file locks. The table omits device numbers, because some file systems
  /// report a different one here.
  static var lockTable: [(pid: Int32, inode: UInt64)]? {
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
  }
}
