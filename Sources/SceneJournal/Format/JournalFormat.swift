/// The bytes on the disk. Numbers are little-endian; unnamed bytes are zero.
///
/// A **log** has a fixed, preallocated length; a sealed log may be truncated after its last batch.
/// The header and each batch begin on a page of 4096 bytes, so that no later write touches a sector
/// with a synced batch:
///
/// ```
///      0            4096           8192                              byteCount
///      ├── header ──┼── batch 41 ──┼── batch 42 ────────┼── zeros ──────┤
///
/// header, 72 bytes:
///      0  8  magic "SCENELOG"
///      8  4  format version, 1
///     12  4  CRC-32C of these 72 bytes with zeros here
///     16  8  number of this log: 1, 2, 3 …
///     24  8  salt, random, of this file
///     32  8  length of this file
///     40  8  sequence of its first batch
///     48  8  synced end: what lies before it was on disk before the file got its name
///     56  8  end of the log before this one, which seals it; 0 in log 1
///     64  4  low half of the salt of the log before this one
///     68  4  durability: 0 disk, 1 os
///   2048 72  the same again, for salvage only; zeros in files of older programs
/// ```
///
/// A **batch** is one write:
///
/// ```
///      0  4  magic F5 'S' 'B' FA, which is no UTF-8 and so in no JSON
///      4  4  length of the payload
///      8  4  the same, every bit inverted
///     12  4  number of records; none only says that the batch before it is complete
///     16  8  sequence: 1, 2, 3 … without a gap through all logs
///     24  4  CRC-32C of the salt (8 bytes), bytes 0 to 23 and the payload
///     28     payload: records, each {length 4, kind 1, body}
/// ```
///
/// A **checkpoint** is the state of all logs through a given number, in a file `base-N` without
/// gaps:
///
/// ```
///      ├── header ──┼ batch 1 ┼ batch 2 ┼ … ┼── trailer ──┤
///
/// header, 64 bytes:                          trailer, 32 bytes:
///      0  8  magic "SCENEBAS"                     0  4  magic F5 'S' 'E' FA
///      8  4  format version, 1                    4  4  CRC-32C of the salt and bytes 8 to 31
///     12  4  CRC-32C, as above                    8  8  number of batches
///     16  8  number of this file: 1, 2, 3 …      16  8  number of records
///     24  8  salt                                24  8  length of the file
///     32  8  number of the last log in it
///     40  8  salt of that log
///     48  8  sequence of the batch after it
/// ```
enum JournalFormat {
  static let version: UInt32 = 1
  static let pageByteCount = 4096
  static let logMagic = ContiguousArray("SCENELOG".utf8)
  static let checkpointMagic = ContiguousArray("SCENEBAS".utf8)
  static let logHeaderByteCount = 72
  /// The offset of the header's copy in a log's first page, in a separate sector.
  static let headerCopyOffset = 2048
  static let checkpointHeaderByteCount = 64
  static let trailerByteCount = 32
  static let batchMagic: UInt32 = 0xFA42_53F5
  static let trailerMagic: UInt32 = 0xFA45_53F5
  static let batchHeaderByteCount = 28
  /// Numbers of files and batches are smaller than this.
  static let numberLimit: UInt64 = 1 << 62
  /// The maximum length of a batch's payload in bytes.
  static let payloadByteLimit = 64 << 20

  /// The first page boundary ≥ `offset`.
  static func pageBoundary(from offset: Int) -> Int {
    (offset + pageByteCount - 1) & ~(pageByteCount - 1)
  }

  /// The last page boundary ≤ `offset`.
  static func pageStart(of offset: Int) -> Int { offset & ~(pageByteCount - 1) }

  /// Adds zeros up to the next page boundary.
  static func padToPage(_ bytes: inout ContiguousArray<UInt8>) {
    bytes.append(contentsOf: zeroPage[..<(pageBoundary(from: bytes.count) - bytes.count)])
  }

  private static let zeroPage = ContiguousArray<UInt8>(repeating: 0, count: pageByteCount)
}

extension JournalFormat {
  /// Checks the fields that all headers share. Checks the checksum first: if only the magic or the
  /// version differ, the file belongs to the journal and is damaged.
  static func checkHeader(
    _ bytes: Span<UInt8>, of file: String, magic: ContiguousArray<UInt8>, byteCount: Int
  ) throws(JournalError) {
    guard bytes.count >= byteCount else { throw .damagedHeader(of: file) }
    var isMagic = true
    for index in magic.indices where bytes[index] != magic[index] { isMagic = false }
    let version = bytes.integer(at: 8, as: UInt32.self)
    let isIntact =
      headerChecksum(bytes.extracting(0..<byteCount), magic: magic)
      == bytes.integer(at: 12, as: UInt32.self)
    if isIntact, isMagic, version == Self.version { return }
    if isIntact { throw .damagedHeader(of: file) }
    if !isMagic { throw .foreign(file: file) }
    throw version > Self.version
      ? .newerFormat(file: file, version: version) : .damagedHeader(of: file)
  }

  /// Begins a header; ``sealHeader(_:)`` ends it.
  static func beginHeader(magic: ContiguousArray<UInt8>) -> ContiguousArray<UInt8> {
    var bytes = magic
    bytes.appendInteger(version)
    bytes.appendInteger(UInt32(0))
    return bytes
  }

  /// Adds the checksum to a complete header.
  static func sealHeader(_ bytes: inout ContiguousArray<UInt8>) {
    let checksum = CRC32C.of(bytes.span)
    bytes.setInteger(checksum, at: 12)
  }

  /// The checksum of a header with the expected magic and version.
  private static func headerChecksum(
    _ bytes: Span<UInt8>, magic: ContiguousArray<UInt8>
  ) -> UInt32 {
    let beginning = beginHeader(magic: magic)
    var checksum = CRC32C()
    checksum.add(beginning.span)
    checksum.add(bytes.extracting(beginning.count..<bytes.count))
    return checksum.value
  }

  /// A length or an offset; nil if it exceeds the maximum length of a file.
  static func length(_ bytes: Span<UInt8>, at index: Int) -> Int? {
    Int(exactly: bytes.integer(at: index, as: UInt64.self))
  }
}

extension JournalError {
  static func damagedHeader(of file: String) -> JournalError {
    .damaged(JournalDamage(file: file, offset: 0, cause: .header))
  }
}
