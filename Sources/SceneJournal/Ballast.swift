/// A file that only takes up room. A start on a full disk makes its log of it: the blocks are reserved
/// already, and no other process can take them in between.

extension JournalDisk {
  /// The length of the ballast; 0 if there is none, or none that can be read. An intact journal
  /// opens without it. Ballast that is not a file cannot be replaced by a longer one.
  func ballastByteCount() -> Int {
    do throws(StorageError) {
      let file = try storage.open(JournalFileName.ballast, for: .reading)
      return try file.hasItsRoom() ? try file.size() : 0
    } catch {
      switch error.reason {
      case .notFound, .noSpace, .denied, .code: return 0
      case .notAFile: return .max
      }
    }
  }

  /// Sets the ballast aside, as long as it is to be, or as long as there is room for. Returns its
  /// length; 0 where there is no room.
  mutating func makeBallast(of byteCount: Int) throws(JournalError) -> Int {
    var byteCount = byteCount
    while byteCount >= 4 * JournalFormat.pageByteCount {
      do throws(JournalError) {
        let file = try create(JournalFileName.ballast, reserving: byteCount)
        try sync(file, named: JournalFileName.ballast)
        return byteCount
      } catch {
        guard error.isNoSpace else { throw error }
        let free = storage.freeByteCount ?? .max
        byteCount = JournalFormat.pageStart(of: free < byteCount ? free : byteCount / 2)
      }
    }
    return 0
  }

  /// Makes a log of the ballast. It begins with `start`, and zeros follow: a start that was cut short
  /// may have written to the ballast.
  ///
  /// Nil where the ballast is missing, or too short for `start` and as much again.
  mutating func makeLogOfBallast(
    _ header: LogHeader, start: (LogHeader) -> ContiguousArray<UInt8>
  ) throws(JournalError) -> OpenLog? {
    let name = JournalFileName.ballast
    var header = header
    let file: any StorageFile
    do throws(StorageError) {
      file = try storage.open(name, for: .writing)
      guard try file.hasItsRoom() else { return nil }
      header.byteCount = JournalFormat.pageStart(of: try file.size())
    } catch {
      return nil
    }
    let page = JournalFormat.pageByteCount
    let start = start(header)
    guard header.byteCount >= page + max(page, 2 * (start.count - page)) else { return nil }
    do throws(JournalError) {
      try write(start, to: file, named: name, at: 0)
      try zero(start.count..<header.byteCount, of: file, named: name)
      try sync(file, named: name)
    } catch {
      // Some file systems need more room to write into what was reserved.
      guard error.isNoSpace else { throw error }
      return nil
    }
    let log = OpenLog(
      header: header, file: file, position: start.count, zeroedEnd: header.byteCount)
    try publish(name, as: log.name)
    counts.switches += 1
    return log
  }
}

extension JournalWriter {
  /// Sets the ballast aside when it is missing: at first, and after room was given back or found. A
  /// short one is replaced only while the disk is not full: another process could take its room.
  mutating func keepBallast(retrying: Bool) throws(JournalError) {
    guard ballastByteCount < options.ballastByteCount,
      missingRoom == nil ? mayFitBallast : ballastByteCount == 0 && (retrying || mayFitBallast)
    else { return }
    mayFitBallast = false
    ballastByteCount = try disk.makeBallast(of: options.ballastByteCount)
  }
}
