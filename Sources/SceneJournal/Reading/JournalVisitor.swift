/// Receives the content of a journal: each file, then its batches, then their records.
package protocol JournalVisitor {
  /// The reason to reject a record. Its description is a clause without a period, for example
  /// "session 7 is not known".
  associatedtype Failure: Error

  /// Receives a file before its batches.
  mutating func visit(_ file: JournalFile)
  /// Receives a valid batch before its records.
  mutating func visit(_ batch: JournalBatch)
  /// Receives a record. The body is valid only during the call.
  mutating func visit(kind: UInt8, body: Span<UInt8>, at offset: Int) throws(Failure)
}

extension JournalVisitor {
  package mutating func visit(_ file: JournalFile) {}
  package mutating func visit(_ batch: JournalBatch) {}
}

/// The result of reading a journal.
package struct JournalReport: Equatable, Sendable {
  /// The bytes after the last valid batch of the last log. The tail is an incomplete write that was
  /// never acknowledged, or damaged acknowledged batches. The disk contains nothing that tells both
  /// cases apart.
  package struct Tail: Equatable, Sendable {
    package var file: String
    package var offset: Int
    /// The length up to the last nonzero byte.
    package var byteCount: Int
  }

  /// The files in the order of reading.
  package var files: [String] = []
  package var batchCount = 0
  package var recordCount = 0
  /// The length of all batches.
  package var byteCount = 0
  package var tail: Tail?
  /// The newest batch; 0 before the first.
  package var newestBatch: UInt64 = 0
  /// The newest confirmed batch. Damage to a later batch looks like an incomplete write. Nil
  /// without a durability guarantee.
  package var confirmedBatch: UInt64?
  /// The removed files, which the journal no longer needs.
  package var removedFiles: [String] = []
}

extension JournalReport.Tail: CustomStringConvertible {
  /// The place and the possible causes. The caller adds a clause.
  package var description: String {
    let bytes = byteCount == 1 ? "1 byte" : "\(byteCount) bytes"
    return "\(file): \(bytes) from offset \(offset) on match no checksum: an incomplete write that "
      + "was never acknowledged, or damage to one or more of the newest saves"
  }
}

extension JournalVisitor {
  /// Passes a valid batch and its records to the visitor.
  mutating func show(
    _ header: BatchHeader, _ batch: Span<UInt8>, in file: String, at offset: Int,
    report: inout JournalReport
  ) throws(JournalError) {
    visit(
      JournalBatch(
        offset: offset, byteCount: header.byteCount, sequence: header.sequence,
        recordCount: header.recordCount))
    var records = RecordReader(bytes: JournalFormat.batchHeaderByteCount..<batch.count)
    var recordCount = 0
    var start = offset + records.position
    while let record = records.next(in: batch) {
      do throws(Failure) {
        try visit(kind: record.kind, body: batch.extracting(record.body), at: start)
      } catch {
        throw .damaged(JournalDamage(file: file, offset: start, cause: .content("\(error)")))
      }
      recordCount += 1
      start = offset + records.position
    }
    guard records.isAtEnd, recordCount == header.recordCount else {
      throw .damaged(JournalDamage(file: file, offset: start, cause: .recordLayout))
    }
    report.batchCount += 1
    report.recordCount += recordCount
    report.byteCount += header.byteCount
  }
}
