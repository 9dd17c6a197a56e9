/// Records on their way to or from the disk, packed one after another as a batch carries them.
///
/// Each record is a length of four bytes, a kind of one byte and a body that is only carried.
package struct JournalRecords: Equatable, Sendable {
  /// The longest body a record may have, so that one fits a batch. Nothing that is accepted comes
  /// near: its owner sees to it.
  package static let bodyByteLimit = 7 << 20

  /// How many records there are.
  package private(set) var count = 0
  private(set) var bytes = ContiguousArray<UInt8>()

  package init() {}

  /// Records as a batch carries them; there must be `count`.
  init(packed bytes: some Collection<UInt8>, count: Int) {
    self.bytes = ContiguousArray(bytes)
    self.count = count
  }

  package var isEmpty: Bool { count == 0 }

  /// The bytes they take in a batch.
  package var byteCount: Int { bytes.count }

  /// Adds a record with a copy of `body`.
  package mutating func append(kind: UInt8, body: Span<UInt8>) {
    append(kind: kind) { bytes in
      unsafe body.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
  }

  /// Adds a record with a copy of `body`.
  package mutating func append(kind: UInt8, body: ContiguousArray<UInt8>) {
    append(kind: kind) { $0.append(contentsOf: body) }
  }

  /// Adds a record whose body `encode` appends to the bytes it is given; it must only append.
  package mutating func append(kind: UInt8, encode: (inout ContiguousArray<UInt8>) -> Void) {
    let start = bytes.count
    bytes.appendInteger(UInt32(0))
    bytes.append(kind)
    let bodyStart = bytes.count
    encode(&bytes)
    let bodyByteCount = bytes.count - bodyStart
    precondition(
      0...Self.bodyByteLimit ~= bodyByteCount, "a record body of \(bodyByteCount) bytes")
    bytes.setInteger(UInt32(bodyByteCount), at: start)
    count += 1
  }

  /// Adds all records of `other`.
  package mutating func append(_ other: JournalRecords) {
    bytes.append(contentsOf: other.bytes)
    count += other.count
  }

  /// Empties it but keeps its memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Goes through the records in order.
  package func forEach<Failure: Error>(
    _ body: (UInt8, Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var reader = RecordReader(bytes: bytes.startIndex..<bytes.endIndex)
    while let record = reader.next(in: bytes.span) {
      try body(record.kind, bytes.span.extracting(record.body))
    }
  }

  /// The same records as several values of at most `limit` bytes each; a record is never parted, so
  /// one that is longer than that alone stays alone.
  func split(upTo limit: Int) -> [JournalRecords] {
    if byteCount <= limit { return [self] }
    var parts: [JournalRecords] = []
    var part = JournalRecords()
    forEach { kind, body in
      if !part.isEmpty && part.byteCount + RecordReader.headerByteCount + body.count > limit {
        parts.append(part)
        part = JournalRecords()
      }
      part.append(kind: kind, body: body)
    }
    parts.append(part)
    return parts
  }
}

/// Walks over packed records.
struct RecordReader {
  static let headerByteCount = 5

  private var bytes: Range<Int>

  init(bytes: Range<Int>) {
    self.bytes = bytes
  }

  /// Where the next record's header is.
  var position: Int { bytes.lowerBound }

  /// Whether every byte belonged to a record; if not, the next record does not fit.
  var isAtEnd: Bool { bytes.isEmpty }

  /// The next record's kind and where its body is; nil at the end and when it does not fit.
  mutating func next(in span: Span<UInt8>) -> (kind: UInt8, body: Range<Int>)? {
    guard bytes.count >= Self.headerByteCount else { return nil }
    let length = Int(span.integer(at: bytes.lowerBound, as: UInt32.self))
    guard length <= bytes.count - Self.headerByteCount else { return nil }
    let body = bytes.lowerBound + Self.headerByteCount
    bytes = body + length..<bytes.upperBound
    return (span[body - 1], body..<body + length)
  }
}
