/// The header of a checkpoint, the file `base-N`.
struct CheckpointHeader: Equatable, Sendable {
  var number: UInt64
  var salt: UInt64
  /// The last log that the checkpoint contains, up to its seal.
  var lastLog: UInt64
  var lastLogSalt: UInt64
  /// The sequence of the first batch after the checkpoint.
  var nextSequence: UInt64
}

extension CheckpointHeader {
  func encoded() -> ContiguousArray<UInt8> {
    var bytes = JournalFormat.beginHeader(magic: JournalFormat.checkpointMagic)
    for field in [number, salt, lastLog, lastLogSalt, nextSequence, 0] {
      bytes.appendInteger(field)
    }
    JournalFormat.sealHeader(&bytes)
    return bytes
  }

  init(decoding bytes: Span<UInt8>, of file: String) throws(JournalError) {
    try JournalFormat.checkHeader(
      bytes, of: file, magic: JournalFormat.checkpointMagic,
      byteCount: JournalFormat.checkpointHeaderByteCount)
    number = bytes.integer(at: 16, as: UInt64.self)
    salt = bytes.integer(at: 24, as: UInt64.self)
    lastLog = bytes.integer(at: 32, as: UInt64.self)
    lastLogSalt = bytes.integer(at: 40, as: UInt64.self)
    nextSequence = bytes.integer(at: 48, as: UInt64.self)
    guard max(lastLog, nextSequence) < JournalFormat.numberLimit else {
      throw .damagedHeader(of: file)
    }
  }
}

/// The trailer of a checkpoint, which proves that the checkpoint is complete.
struct CheckpointTrailer: Equatable, Sendable {
  var batchCount: UInt64
  var recordCount: UInt64
  /// The length of the whole file.
  var byteCount: UInt64
}

extension CheckpointTrailer {
  func encoded(salt: UInt64) -> ContiguousArray<UInt8> {
    var bytes = ContiguousArray<UInt8>()
    bytes.appendInteger(JournalFormat.trailerMagic)
    bytes.appendInteger(UInt32(0))
    for field in [batchCount, recordCount, byteCount] {
      bytes.appendInteger(field)
    }
    bytes.setInteger(Self.checksum(bytes.span, salt: salt), at: 4)
    return bytes
  }

  /// Nil if `bytes` are no trailer of the file with this salt.
  init?(decoding bytes: Span<UInt8>, salt: UInt64) {
    guard bytes.count == JournalFormat.trailerByteCount,
      bytes.integer(at: 0, as: UInt32.self) == JournalFormat.trailerMagic,
      bytes.integer(at: 4, as: UInt32.self) == Self.checksum(bytes, salt: salt)
    else { return nil }
    batchCount = bytes.integer(at: 8, as: UInt64.self)
    recordCount = bytes.integer(at: 16, as: UInt64.self)
    byteCount = bytes.integer(at: 24, as: UInt64.self)
  }

  private static func checksum(_ bytes: Span<UInt8>, salt: UInt64) -> UInt32 {
    var checksum = CRC32C()
    checksum.add(salt)
    checksum.add(bytes.extracting(8..<JournalFormat.trailerByteCount))
    return checksum.value
  }
}
