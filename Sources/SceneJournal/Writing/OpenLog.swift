/// The log that the writer appends to.
struct OpenLog: Sendable {
  let header: LogHeader
  let name: String
  let file: any StorageFile
  /// The offset of the next batch.
  var position: Int
  /// All bytes before this offset were written, also zeros.
  var zeroedEnd: Int
  /// Whether no later write confirms the last batch.
  var awaitsCommitMarker = false

  init(header: LogHeader, file: any StorageFile, position: Int, zeroedEnd: Int) {
    self.header = header
    name = JournalFileName.log(header.number).text
    self.file = file
    self.position = position
    self.zeroedEnd = zeroedEnd
  }

  var remaining: Int { header.byteCount - position }

  /// The seal of this log for the header of the next one.
  var seal: LogHeader.Seal {
    LogHeader.Seal(end: position, salt: UInt32(truncatingIfNeeded: header.salt))
  }
}

/// A reserved log: its blocks are allocated, but it has no header and no final name.
struct ReservedLog: Sendable {
  let number: UInt64
  let file: any StorageFile
  let byteCount: Int
  let zeroedEnd: Int

  var temporaryName: String { JournalFileName.log(number).temporary }
}

/// Allocated once, because a new buffer for each write takes longer than the write.
private let zeroes = ContiguousArray<UInt8>(repeating: 0, count: 1 << 17)

extension JournalDisk {
  /// Reserves a log under its temporary name, and writes `start` and zeros up to `zeroedEnd`.
  /// Throws ``JournalError/noRoom(_:)`` and leaves no file without space.
  mutating func reserve(
    _ number: UInt64, byteCount: Int, start: ContiguousArray<UInt8>, zeroedEnd: Int
  ) throws(JournalError) -> ReservedLog {
    let name = JournalFileName.log(number).temporary
    let zeroedEnd = min(zeroedEnd, byteCount)
    do throws(JournalError) {
      let file = try storage.create(name, reserving: byteCount)
      if !start.isEmpty { try write(start.span, to: file, named: name, at: 0) }
      let beginning = max(start.count, JournalFormat.pageByteCount)
      try zero(beginning..<zeroedEnd, of: file, named: name)
      try sync(file, named: name)
      return ReservedLog(number: number, file: file, byteCount: byteCount, zeroedEnd: zeroedEnd)
    } catch {
      guard case .storage(let cause) = error, error.isNoSpace else { throw error }
      try discard(name)
      throw .noRoom(
        SpaceShortage(
          place: storage.place, neededByteCount: byteCount, freeByteCount: storage.freeByteCount,
          reason: cause.message))
    }
  }

  /// Writes zeros over a part of a file.
  mutating func zero(
    _ part: Range<Int>, of file: any StorageFile, named name: String
  ) throws(JournalError) {
    var offset = part.lowerBound
    while offset < part.upperBound {
      let count = min(part.upperBound - offset, zeroes.count)
      try write(zeroes.span.extracting(first: count), to: file, named: name, at: offset)
      offset += count
    }
  }

  /// Gives a prepared file its durable name.
  mutating func publish(_ temporaryName: String, as name: String) throws(JournalError) {
    try storage.rename(temporaryName, to: name)
    try syncDirectory()
  }
}
