/// The header of a log.
struct LogHeader: Equatable, Sendable {
  /// The end of the previous log.
  struct Seal: Equatable, Sendable {
    var end: Int
    /// The low half of that log's salt, which tells the files of two journals apart.
    var salt: UInt32
  }

  var number: UInt64
  var salt: UInt64
  var byteCount: Int
  var firstSequence: UInt64
  /// All bytes before this offset were synced before the file got its name: the header, and a batch
  /// that a start repeated.
  var syncedEnd: Int
  /// The seal of the previous log; nil in the first log.
  var previous: Seal?
  /// The durability of the batches: `disk` or `os`.
  var durability: Durability
}

extension LogHeader {
  /// The first page of the log.
  func encoded() -> ContiguousArray<UInt8> {
    var bytes = JournalFormat.beginHeader(magic: JournalFormat.logMagic)
    bytes.appendInteger(number)
    bytes.appendInteger(salt)
    bytes.appendInteger(UInt64(byteCount))
    bytes.appendInteger(firstSequence)
    bytes.appendInteger(UInt64(syncedEnd))
    bytes.appendInteger(UInt64(previous?.end ?? 0))
    bytes.appendInteger(previous?.salt ?? 0)
    bytes.appendInteger(UInt32(durability == .os ? 1 : 0))
    JournalFormat.sealHeader(&bytes)
    let header = bytes
    JournalFormat.padToPage(&bytes)
    let copy = JournalFormat.headerCopyOffset
    bytes.replaceSubrange(copy..<copy + header.count, with: header)
    return bytes
  }

  /// Decodes the copy of the header; nil if there is none, as in files of older versions.
  init?(copyIn page: Span<UInt8>, of file: String) {
    let start = JournalFormat.headerCopyOffset
    let end = start + JournalFormat.logHeaderByteCount
    guard page.count >= end,
      let header = try? Self(decoding: page.extracting(start..<end), of: file)
    else { return nil }
    self = header
  }

  init(decoding bytes: Span<UInt8>, of file: String) throws(JournalError) {
    try JournalFormat.checkHeader(
      bytes, of: file, magic: JournalFormat.logMagic, byteCount: JournalFormat.logHeaderByteCount)
    guard let byteCount = JournalFormat.length(bytes, at: 32),
      let syncedEnd = JournalFormat.length(bytes, at: 48),
      let previousEnd = JournalFormat.length(bytes, at: 56)
    else { throw .damagedHeader(of: file) }
    let durability = bytes.integer(at: 68, as: UInt32.self)
    guard durability <= 1, JournalFormat.pageByteCount...byteCount ~= syncedEnd else {
      throw .damagedHeader(of: file)
    }
    number = bytes.integer(at: 16, as: UInt64.self)
    salt = bytes.integer(at: 24, as: UInt64.self)
    firstSequence = bytes.integer(at: 40, as: UInt64.self)
    self.byteCount = byteCount
    self.syncedEnd = syncedEnd
    guard firstSequence < JournalFormat.numberLimit else { throw .damagedHeader(of: file) }
    let previousSalt = bytes.integer(at: 64, as: UInt32.self)
    previous = previousEnd == 0 ? nil : Seal(end: previousEnd, salt: previousSalt)
    self.durability = durability == 1 ? .os : .disk
  }
}
