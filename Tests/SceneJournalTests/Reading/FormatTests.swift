import Testing

@testable import SceneJournal

@Suite("The format on the disk")
struct FormatTests {
  static let checksums: [(String, ContiguousArray<UInt8>, UInt32)] = [
    ("nothing", [], 0),
    ("digits", ContiguousArray("123456789".utf8), 0xE306_9283),
    ("32 zeros", ContiguousArray(repeating: 0, count: 32), 0x8A91_36AA),
    ("32 times FF", ContiguousArray(repeating: 0xFF, count: 32), 0x62A8_AB43),
    ("rising", ContiguousArray(0..<32), 0x46DD_794E),
    ("falling", ContiguousArray((0..<32).reversed()), 0x113F_DB5C),
    (
      "an iSCSI read command",
      [
        0x01, 0xC0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x14, 0, 0, 0, 0, 0, 0x04, 0, 0, 0, 0,
        0x14, 0, 0, 0, 0x18, 0x28, 0, 0, 0, 0, 0, 0, 0, 0x02, 0, 0, 0, 0, 0, 0, 0,
      ], 0xD996_3A56
    ),
  ]

  @Test("checksums are the ones of RFC 3720", arguments: checksums)
  func checksum(name: String, bytes: ContiguousArray<UInt8>, expected: UInt32) {
    let found = CRC32C.of(bytes.span)
    #expect(found == expected)
    // Check both ways, independent of the processor.
    var checksum = CRC32C()
    checksum.addByTable(bytes.span)
    let byTables = checksum.value
    #expect(byTables == expected)
  }

  @Test("a checksum does not depend on how its bytes are split")
  func checksumInParts() {
    let bytes = ContiguousArray((0..<100).map { UInt8($0 &* 37 % 251) })
    let whole = CRC32C.of(bytes.span)
    for cut in 0...bytes.count {
      var checksum = CRC32C()
      checksum.add(bytes.span.extracting(0..<cut))
      checksum.add(bytes.span.extracting(cut..<bytes.count))
      #expect(checksum.value == whole, "cut at \(cut)")
    }
    var number = CRC32C()
    number.add(0x0807_0605_0403_0201 as UInt64)
    let numberBytes = ContiguousArray(1...8 as ClosedRange<UInt8>)
    let expected = CRC32C.of(numberBytes.span)
    #expect(number.value == expected)
  }

  @Test("a batch has the documented bytes")
  func batchBytes() {
    var records = JournalRecords()
    records.append(kind: 7, body: ContiguousArray("{}".utf8).span)
    var bytes = ContiguousArray<UInt8>()
    BatchHeader.encode(records, sequence: 0x0102, salt: 0x1122_3344_5566_7788, to: &bytes)
    let header: ContiguousArray<UInt8> = [
      0xF5, 0x53, 0x42, 0xFA, 7, 0, 0, 0, 0xF8, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0,
      0x02, 0x01, 0, 0, 0, 0, 0, 0,
    ]
    let payload: ContiguousArray<UInt8> = [2, 0, 0, 0, 7, 0x7B, 0x7D]
    let salt: ContiguousArray<UInt8> = [0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11]
    #expect(bytes.prefix(24) == header[...])
    #expect(bytes[28...] == payload[...])
    let covered = salt + header + payload
    let expected = CRC32C.of(covered.span)
    let found = bytes.span.integer(at: 24, as: UInt32.self)
    #expect(found == expected)
  }

  @Test("a batch of another file is invalid")
  func batchSalt() throws {
    var bytes = ContiguousArray<UInt8>()
    BatchHeader.encode(JournalRecords(), sequence: 1, salt: 5, to: &bytes)
    let decoded = BatchHeader(decoding: bytes.span)
    let header = try #require(decoded)
    let (own, other) = (header.checks(bytes.span, salt: 5), header.checks(bytes.span, salt: 6))
    #expect(own && !other)
  }

  /// The header of an empty batch with another length.
  private func header(length: UInt32, copy: UInt32) -> BatchHeader? {
    var bytes = ContiguousArray<UInt8>()
    BatchHeader.encode(JournalRecords(), sequence: 1, salt: 5, to: &bytes)
    bytes.setInteger(length, at: 4)
    bytes.setInteger(copy, at: 8)
    return BatchHeader(decoding: bytes.span)
  }

  @Test("a header whose two lengths differ is no batch, even before its checksum is known")
  func lengthCopy() {
    #expect(header(length: 0, copy: ~0) != nil)
    #expect(header(length: 0, copy: ~1) == nil)
    #expect(header(length: 1, copy: ~0) == nil)
  }

  @Test("a batch has at most 64 MiB")
  func longestBatch() {
    let limit = UInt32(JournalFormat.payloadByteLimit)
    #expect(header(length: limit, copy: ~limit)?.payloadByteCount == 64 << 20)
    #expect(header(length: limit + 1, copy: ~(limit + 1)) == nil)
  }

  @Test(
    "a log's header is decoded as it was encoded",
    arguments: [nil, LogHeader.Seal(end: 8192, salt: 77)])
  func logHeader(previous: LogHeader.Seal?) throws {
    let header = LogHeader(
      number: 3, salt: 0xFEDC_BA98_7654_3210, byteCount: 16 << 20, firstSequence: 42,
      syncedEnd: 8192, previous: previous, durability: previous == nil ? .disk : .os)
    let bytes = header.encoded()
    #expect(bytes.count == 4096)
    #expect(bytes.prefix(8) == ContiguousArray("SCENELOG".utf8)[...])
    #expect(bytes[2048..<2120].elementsEqual(bytes[..<72]))
    #expect((bytes[72..<2048] + bytes[2120...]).allSatisfy { $0 == 0 })
    let decoded = try LogHeader(decoding: bytes.span, of: "log-1")
    #expect(decoded == header)
    let copy = LogHeader(copyIn: bytes.span, of: "log-1")
    #expect(copy == header)
  }

  @Test("a first page of an older version has no header copy")
  func noCopy() {
    let header = LogHeader(
      number: 3, salt: 5, byteCount: 16 << 20, firstSequence: 42, syncedEnd: 8192, previous: nil,
      durability: .disk)
    var bytes = header.encoded()
    bytes[2100] ^= 1
    let damaged = LogHeader(copyIn: bytes.span, of: "log-1")
    #expect(damaged == nil)
    bytes.replaceSubrange(2048..<2120, with: repeatElement(0, count: 72))
    let older = LogHeader(copyIn: bytes.span, of: "log-1")
    #expect(older == nil)
    let short = LogHeader(copyIn: bytes.span.extracting(0..<72), of: "log-1")
    #expect(short == nil)
  }

  @Test("a header whose log was synced before its first page or behind its end is damaged")
  func syncedEnd() throws {
    let length = 4 * JournalFormat.pageByteCount
    for (end, isValid) in [(4095, false), (4096, true), (length, true), (length + 1, false)] {
      let bytes = LogHeader(
        number: 3, salt: 5, byteCount: length, firstSequence: 42, syncedEnd: end, previous: nil,
        durability: .disk
      ).encoded()
      let header = try? LogHeader(decoding: bytes.span.extracting(0..<72), of: "log-3")
      #expect((header != nil) == isValid, "\(end)")
    }
  }

  @Test("a checkpoint's header and trailer are decoded as they were encoded")
  func checkpoint() throws {
    let header = CheckpointHeader(number: 2, salt: 9, lastLog: 8, lastLogSalt: 10, nextSequence: 99)
    #expect(header.encoded().count == 64)
    let headerBytes = header.encoded()
    let decoded = try CheckpointHeader(decoding: headerBytes.span, of: "base-2")
    #expect(decoded == header)
    let trailer = CheckpointTrailer(batchCount: 1, recordCount: 2, byteCount: 3)
    let bytes = trailer.encoded(salt: 9)
    #expect(bytes.count == 32)
    let own = CheckpointTrailer(decoding: bytes.span, salt: 9)
    let other = CheckpointTrailer(decoding: bytes.span, salt: 8)
    #expect(own == trailer)
    #expect(other == nil)
  }

  @Test("a newer version is told from damage")
  func newerVersion() {
    var bytes = CheckpointHeader(number: 2, salt: 9, lastLog: 8, lastLogSalt: 10, nextSequence: 99)
      .encoded()
    bytes[8] = 0
    #expect(throws: JournalError.damagedHeader(of: "base-2")) {
      try CheckpointHeader(decoding: bytes.span, of: "base-2")
    }
    bytes.claim(version: 2)
    #expect(throws: JournalError.newerFormat(file: "base-2", version: 2)) {
      try CheckpointHeader(decoding: bytes.span, of: "base-2")
    }
    bytes[0] = UInt8(ascii: "X")
    #expect(throws: JournalError.foreign(file: "base-2")) {
      try CheckpointHeader(decoding: bytes.span, of: "base-2")
    }
  }

  @Test("a header with any changed byte is damaged, not foreign", arguments: 0..<12)
  func damagedBeginning(byte: Int) {
    let checkpoint = CheckpointHeader(
      number: 2, salt: 9, lastLog: 8, lastLogSalt: 10, nextSequence: 99)
    for pattern in [0x01, 0x80, 0xFF] as [UInt8] {
      var bytes = checkpoint.encoded()
      bytes[byte] ^= pattern
      #expect(throws: JournalError.damagedHeader(of: "base-2")) {
        try CheckpointHeader(decoding: bytes.span, of: "base-2")
      }
    }
  }

  static let names: [(String, JournalFileName?)] = [
    ("log-1", .log(1)), ("log-4611686018427387903", .log(1 << 62 - 1)),
    ("log-4611686018427387904", nil), ("base-12", .checkpoint(12)),
    ("log-1.tmp", .temporary("log-1.tmp")), ("base-2.tmp", .temporary("base-2.tmp")),
    ("log-0", nil), ("log-01", nil), ("log-+1", nil), ("log-", nil), ("log-1.tmp.tmp", nil),
    ("log-18446744073709551616", nil), ("lock", nil), ("log-1 ", nil), ("Log-1", nil),
    ("data.tmp", nil),
  ]

  @Test("files with other names are ignored", arguments: names)
  func fileName(name: String, expected: JournalFileName?) {
    #expect(JournalFileName(name) == expected)
    if let expected { #expect(expected.text == name) }
  }
}

extension ContiguousArray<UInt8> {
  /// Changes the version of a header.
  mutating func claim(version: UInt8) {
    self[8] = version
    setInteger(UInt32(0), at: 12)
    JournalFormat.sealHeader(&self)
  }
}

@Suite("Packed records")
struct RecordsTests {
  private func records(_ bodies: [String]) -> JournalRecords {
    var records = JournalRecords()
    for (index, body) in bodies.enumerated() {
      records.append(kind: UInt8(index), body: ContiguousArray(body.utf8).span)
    }
    return records
  }

  private func bodies(_ records: JournalRecords) -> [String] {
    var bodies: [String] = []
    records.forEach { _, body in
      bodies.append(String(decoding: body.withUnsafeBufferPointer { Array($0) }, as: UTF8.self))
    }
    return bodies
  }

  @Test("records are decoded as they were encoded")
  func roundTrip() {
    let packed = records(["", "a", "bc"])
    #expect(packed.count == 3)
    #expect(packed.byteCount == 18)
    #expect(bodies(packed) == ["", "a", "bc"])
  }

  @Test("a split never divides a record")
  func split() {
    let packed = records(["aaaaa", "bbbbb", "cccccccccccccccccccccccc", "d"])
    let parts = packed.split(upTo: 20)
    #expect(parts.map(bodies) == [["aaaaa", "bbbbb"], ["cccccccccccccccccccccccc"], ["d"]])
    #expect(packed.split(upTo: packed.byteCount) == [packed])
  }

  @Test("records that do not fill their payload are detected", arguments: [1, 4, 5, 6])
  func truncated(byteCount: Int) {
    let packed = records(["abc"])
    let bytes = ContiguousArray(packed.bytes.prefix(byteCount))
    var reader = RecordReader(bytes: 0..<byteCount)
    let isFound = reader.next(in: bytes.span) != nil
    #expect(!isFound)
    #expect(!reader.isAtEnd)
  }
}
