/// Is shown a journal as it is read: each file, then each of its batches, then each of its records.
package protocol JournalVisitor {
  /// A file begins.
  mutating func visit(_ file: JournalFile)
  /// A batch of that file checked; its records follow.
  mutating func visit(_ batch: JournalBatch)
  /// A record of that batch. The body is valid during the call only.
  mutating func visit(
    kind: UInt8, body: Span<UInt8>, at offset: Int
  ) throws(JournalContentError)
}

extension JournalVisitor {
  package mutating func visit(_ file: JournalFile) {}
  package mutating func visit(_ batch: JournalBatch) {}
}

/// A base or a log, as it is read.
package struct JournalFile: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// Everything through the log of that number, up to where it was sealed.
    case base(lastLog: UInt64)
    /// What came since; `sealedEnd` is nil for the last log.
    case log(durability: Durability, sealedEnd: Int?)
  }

  package var name: String
  package var number: UInt64
  package var byteCount: Int
  package var kind: Kind
}

/// A batch, as it is read.
package struct JournalBatch: Equatable, Sendable {
  /// Where in the file its header is.
  package var offset: Int
  /// The bytes of header and records.
  package var byteCount: Int
  package var sequence: UInt64
  package var recordCount: Int
}

/// What reading a journal has found.
package struct JournalReport: Equatable, Sendable {
  /// What lies behind the last batch of the last log and is none: a write that was cut short and
  /// never acknowledged, or batches that were, and damage that reaches to the end of them: to the
  /// newest before anything vouched for it, or to several and what vouched for them. Nothing on the
  /// disk tells which.
  package struct Tail: Equatable, Sendable {
    package var file: String
    package var offset: Int
    /// How many bytes there are, up to the last that is not zero.
    package var byteCount: Int
  }

  /// The files that were read, in that order.
  package var files: [String] = []
  package var batchCount = 0
  package var recordCount = 0
  /// The bytes of all batches.
  package var byteCount = 0
  package var tail: Tail?
  /// The newest batch; 0 before the first.
  package var newestBatch: UInt64 = 0
  /// The newest batch that something vouches for: damage to it alone would be noticed, and damage to
  /// a later one would look like a write that was cut short. Nil where nothing is promised of the disk.
  package var attestedBatch: UInt64?
  /// What was removed because nothing needs it any more.
  package var removedFiles: [String] = []
}

extension JournalReport: CustomStringConvertible {
  /// For example "2 files, 17 batches, 203 records; removed log-1".
  package var description: String {
    var text = "\(files.count) files, \(batchCount) batches, \(recordCount) records"
    if let tail {
      text += "; \(tail)"
    }
    if !removedFiles.isEmpty {
      text += "; removed \(removedFiles.joined(separator: ", "))"
    }
    return text
  }
}

extension JournalReport.Tail: CustomStringConvertible {
  /// What is known of it, for people, as a sentence to be continued.
  package var description: String {
    let bytes = byteCount == 1 ? "1 byte" : "\(byteCount) bytes"
    return "\(file) can be read up to offset \(offset); the \(bytes) after it match no checksum: "
      + "a write that was cut short and never acknowledged, or damage that reaches to the end of "
      + "what was written, be it one save or several, and nothing tells which"
  }
}

extension JournalVisitor {
  /// Shows a batch that checked, and its records.
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
      do throws(JournalContentError) {
        try visit(kind: record.kind, body: batch.extracting(record.body), at: start)
      } catch {
        throw .damaged(JournalDamage(file: file, offset: start, cause: .content(error)))
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

/// Adds up what a journal says.
struct Applying<Content: JournalContent>: JournalVisitor {
  var content: Content

  mutating func visit(
    kind: UInt8, body: Span<UInt8>, at offset: Int
  ) throws(JournalContentError) {
    try content.apply(kind: kind, body: body)
  }
}
