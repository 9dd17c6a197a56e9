/// The header of a batch.
struct BatchHeader: Equatable, Sendable {
  var payloadByteCount: Int
  var recordCount: Int
  var sequence: UInt64
  var checksum: UInt32

  /// The length of the header and the payload.
  var byteCount: Int { JournalFormat.batchHeaderByteCount + payloadByteCount }

  /// Nil if these bytes cannot begin a batch.
  init?(decoding bytes: Span<UInt8>) {
    let length = bytes.integer(at: 4, as: UInt32.self)
    guard bytes.integer(at: 0, as: UInt32.self) == JournalFormat.batchMagic,
      bytes.integer(at: 8, as: UInt32.self) == ~length,
      length <= JournalFormat.payloadByteLimit
    else { return nil }
    payloadByteCount = Int(length)
    recordCount = Int(bytes.integer(at: 12, as: UInt32.self))
    sequence = bytes.integer(at: 16, as: UInt64.self)
    checksum = bytes.integer(at: 24, as: UInt32.self)
  }

  /// Whether the checksum of `batch` (header and payload) is valid in the file with this salt.
  func checks(_ batch: Span<UInt8>, salt: UInt64) -> Bool {
    Self.checksum(of: batch, salt: salt) == checksum
  }

  /// Appends a whole batch to `bytes`.
  static func encode(
    _ records: JournalRecords, sequence: UInt64, salt: UInt64,
    to bytes: inout ContiguousArray<UInt8>
  ) {
    let start = bytes.count
    let length = UInt32(records.byteCount)
    bytes.appendInteger(JournalFormat.batchMagic)
    bytes.appendInteger(length)
    bytes.appendInteger(~length)
    bytes.appendInteger(UInt32(records.count))
    bytes.appendInteger(sequence)
    bytes.appendInteger(UInt32(0))
    bytes.append(contentsOf: records.bytes)
    let checksum = checksum(of: bytes.span.extracting(start..<bytes.count), salt: salt)
    bytes.setInteger(checksum, at: start + 24)
  }

  static func checksum(of batch: Span<UInt8>, salt: UInt64) -> UInt32 {
    var checksum = CRC32C()
    checksum.add(salt)
    checksum.add(batch.extracting(0..<24))
    checksum.add(batch.extracting(JournalFormat.batchHeaderByteCount..<batch.count))
    return checksum.value
  }
}
