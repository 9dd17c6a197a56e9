/// The ballast is a file of reserved blocks. A start on a full disk turns it into a log. No other
/// process can take the blocks meanwhile.

extension JournalDisk {
  /// The length of the ballast; 0 if it is missing or unreadable, because an intact journal opens
  /// without it. `Int.max` if the path is no file, so that the ballast is not replaced.
  func ballastByteCount() -> Int {
    do throws(JournalError) {
      let file = try storage.open(JournalFileName.ballast, for: .reading)
      return try file.hasItsRoom() ? try file.size() : 0
    } catch .storage(let failure) where failure.reason == .notAFile {
      return .max
    } catch {
      return 0
    }
  }

  /// Makes the ballast, shorter than `byteCount` if space is missing. Returns its length; 0 without
  /// space.
  mutating func makeBallast(of byteCount: Int) throws(JournalError) -> Int {
    var byteCount = byteCount
    while byteCount >= 4 * JournalFormat.pageByteCount {
      do throws(JournalError) {
        let file = try storage.create(JournalFileName.ballast, reserving: byteCount)
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

  /// Turns the ballast into a log that begins with `start`. Overwrites the rest with zeros, because
  /// an interrupted start may have written to the ballast.
  ///
  /// Nil if the ballast is missing, or too short for `start` and a second batch of that length.
  mutating func makeLogOfBallast(
    _ header: LogHeader, start: (LogHeader) -> ContiguousArray<UInt8>
  ) throws(JournalError) -> OpenLog? {
    let name = JournalFileName.ballast
    var header = header
    let file: any StorageFile
    do throws(JournalError) {
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
      try write(start.span, to: file, named: name, at: 0)
      try zero(start.count..<header.byteCount, of: file, named: name)
      try sync(file, named: name)
    } catch {
      // Some file systems need space even for writes to reserved blocks.
      guard error.isNoSpace else { throw error }
      return nil
    }
    let log = OpenLog(
      header: header, file: file, position: start.count, zeroedEnd: header.byteCount)
    try publish(name, as: log.name)
    counts.begunLogs += 1
    return log
  }
}

extension JournalWriter {
  /// Makes missing ballast: at the start, and after space was freed or found. Replaces short
  /// ballast only while the disk is not full, because another process could take its blocks.
  mutating func keepBallast(retrying: Bool) throws(JournalError) {
    guard ballastByteCount < options.ballastByteCount,
      spaceShortage == nil ? mayFitBallast : ballastByteCount == 0 && (retrying || mayFitBallast)
    else { return }
    mayFitBallast = false
    ballastByteCount = try disk.makeBallast(of: options.ballastByteCount)
  }
}
