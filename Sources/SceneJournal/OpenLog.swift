/// A log that is written to.
struct OpenLog: Sendable {
  let header: LogHeader
  let file: any StorageFile
  /// Where the next batch begins.
  var position: Int
  /// What lies before it holds bytes that were written, be they zeros.
  var zeroedEnd: Int
  /// Whether its last batch is one that nothing written after it vouches for.
  var awaitsAttestation = false

  var name: String { JournalFileName.log(header.number).text }
  var remaining: Int { header.byteCount - position }

  /// What the header of the next log says about this one when all of it was synced.
  var seal: LogHeader.Seal {
    LogHeader.Seal(end: position, salt: UInt32(truncatingIfNeeded: header.salt))
  }
}

/// A log for later: its room is set aside, but it has neither a header nor a name.
struct ReservedLog: Sendable {
  let number: UInt64
  let file: any StorageFile
  let byteCount: Int
  let zeroedEnd: Int

  var temporaryName: String { JournalFileName.log(number).temporary }
}

/// Made once: memory that is asked for and filled each time takes longer than the disk does.
private let zeroes = ContiguousArray<UInt8>(repeating: 0, count: 1 << 17)

extension JournalDisk {
  /// Reserves a log under its temporary name and writes its beginning: `start`, then zeros through
  /// `zeroedEnd`. Throws ``JournalError/noRoom(_:)`` and leaves nothing behind if it does not fit.
  mutating func reserve(
    _ number: UInt64, byteCount: Int, start: ContiguousArray<UInt8>, zeroedEnd: Int
  ) throws(JournalError) -> ReservedLog {
    let name = JournalFileName.log(number).temporary
    let zeroedEnd = min(zeroedEnd, byteCount)
    do throws(JournalError) {
      let file = try create(name, reserving: byteCount)
      if !start.isEmpty { try write(start, to: file, named: name, at: 0) }
      let beginning = max(start.count, JournalFormat.pageByteCount)
      try zero(beginning..<zeroedEnd, of: file, named: name)
      try sync(file, named: name)
      return ReservedLog(number: number, file: file, byteCount: byteCount, zeroedEnd: zeroedEnd)
    } catch {
      guard case .storage(let cause) = error, error.isNoSpace else { throw error }
      try discard(name)
      throw .noRoom(
        MissingRoom(
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

  /// Gives a prepared file its name, durably.
  mutating func publish(_ temporaryName: String, as name: String) throws(JournalError) {
    try rename(temporaryName, to: name)
    try syncDirectory()
  }
}
