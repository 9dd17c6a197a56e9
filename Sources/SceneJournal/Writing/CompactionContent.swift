/// The content of a compaction, of any type.
///
/// With it, the writer and its thread are not generic. This module cannot specialize generic code
/// for the content of another module, and each unspecialized call looks up metadata.
protocol CompactionContent: Sendable {
  /// Applies the next records, of about `byteCount` bytes. Returns whether records are left.
  mutating func apply(
    _ reading: inout JournalReading, upTo byteCount: Int
  ) throws(JournalError) -> Bool

  /// Appends the next live records until `records` has at least `byteCount` bytes. Returns whether
  /// records are left.
  mutating func appendNextRecords(upTo byteCount: Int, to records: inout JournalRecords) -> Bool
}

/// The content of a compaction, of one type.
struct TypedCompactionContent<Content: JournalContent>: CompactionContent {
  private var applying = Applying(content: Content())
  /// Nil before the first record is written.
  private var cursor: Content.Cursor?

  init() {}

  mutating func apply(
    _ reading: inout JournalReading, upTo byteCount: Int
  ) throws(JournalError) -> Bool {
    try reading.step(&applying, upTo: byteCount)
  }

  mutating func appendNextRecords(
    upTo byteCount: Int, to records: inout JournalRecords
  ) -> Bool {
    var cursor = self.cursor.take() ?? applying.content.start
    defer { self.cursor = cursor }
    return applying.content.appendRecords(after: &cursor, upTo: byteCount, to: &records)
  }
}
