/// Records, packed in the format of a batch's payload.
///
/// Each record has a length of four bytes, a kind of one byte and an opaque body.
package struct JournalRecords: Equatable, Sendable {
  /// The maximum length of a body, so that a record fits a batch. The owner accepts only much
  /// shorter records.
  package static let bodyByteLimit = 7 << 20

  /// The number of records.
  package private(set) var count = 0
  private(set) var bytes = ContiguousArray<UInt8>()

  package init() {}

  /// The payload of a batch with `count` records.
  init(packed bytes: some Collection<UInt8>, count: Int) {
    self.bytes = ContiguousArray(bytes)
    self.count = count
  }

  package var isEmpty: Bool { count == 0 }

  /// The length in a batch.
  package var byteCount: Int { bytes.count }

  /// Adds a record with a copy of `body`.
  package mutating func append(kind: UInt8, body: Span<UInt8>) {
    precondition(body.count <= Self.bodyByteLimit, "a record body of \(body.count) bytes")
    bytes.appendInteger(UInt32(body.count))
    bytes.append(kind)
    unsafe body.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    count += 1
  }

  /// Adds all records of `other`.
  package mutating func append(_ other: JournalRecords) {
    bytes.append(contentsOf: other.bytes)
    count += other.count
  }

  /// Removes all records and keeps the memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Visits the records in order.
  package func forEach<Failure: Error>(
    _ body: (UInt8, Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var reader = RecordReader(bytes: bytes.startIndex..<bytes.endIndex)
    while let record = reader.next(in: bytes.span) {
      try body(record.kind, bytes.span.extracting(record.body))
    }
  }

  /// Splits the records into values of at most `limit` bytes. Never splits a record: a longer one
  /// gets its own value.
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

/// Iterates over packed records.
struct RecordReader {
  static let headerByteCount = 5

  private var bytes: Range<Int>

  init(bytes: Range<Int>) {
    self.bytes = bytes
  }

  /// The offset of the next record's header.
  var position: Int { bytes.lowerBound }

  /// Whether the reader has consumed all bytes. If not, the next record exceeds the end.
  var isAtEnd: Bool { bytes.isEmpty }

  /// The kind and the body's range of the next record; nil at the end, or if the record exceeds the
  /// end.
  mutating func next(in span: Span<UInt8>) -> (kind: UInt8, body: Range<Int>)? {
    guard bytes.count >= Self.headerByteCount else { return nil }
    let length = Int(span.integer(at: bytes.lowerBound, as: UInt32.self))
    guard length <= bytes.count - Self.headerByteCount else { return nil }
    let body = bytes.lowerBound + Self.headerByteCount
    bytes = body + length..<bytes.upperBound
    return (span[body - 1], body..<body + length)
  }
}
