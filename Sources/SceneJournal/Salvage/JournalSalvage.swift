/// Receives the readable part of a damaged journal: each file, then its valid batches, then their
/// records.
///
/// The visitor throws to reject a record. A rejected record is dropped and counted.
package protocol SalvageVisitor: JournalVisitor {
  /// Receives a record of an invalid batch. The record may be wrong, but can show what was lost.
  mutating func visit(lost kind: UInt8, body: Span<UInt8>)
}

/// The result of a salvage.
package struct SalvageReport: Equatable, Sendable {
  /// An unreadable part.
  package struct Loss: Equatable, Sendable {
    package var file: String
    /// The range in the file; empty for a missing file.
    package var bytes: Range<Int>
    /// The number of lost records, if known.
    package var recordCount: Int?
    /// A clause, for example "it is missing".
    package var reason: String
  }

  /// The files in the order of reading.
  package var files: [String] = []
  package var batchCount = 0
  /// The number of accepted records.
  package var recordCount = 0
  /// The number of rejected records.
  package var droppedCount = 0
  package var losses: [Loss] = []
  package var tail: JournalReport.Tail?

  package init() {}
}

extension Journal {
  /// Passes the valid part of a damaged journal to `visitor`, in the order of writing. Never
  /// writes. Throws only errors of the disk.
  package static func salvage(
    _ storage: any Storage, visitor: inout some SalvageVisitor,
    options: JournalOptions = JournalOptions()
  ) throws(JournalError) -> SalvageReport {
    let source = JournalSource(storage, options)
    let files = try SalvageFiles(in: source)
    var salvage = JournalSalvage(source)
    salvage.report.losses = files.missing
    for (index, file) in files.files.enumerated() {
      let next = files.files.dropFirst(index + 1).first
      try salvage.read(file, before: next, &visitor)
    }
    return salvage.report
  }
}

/// Reads the files in order and skips invalid parts.
private struct JournalSalvage {
  let source: JournalSource
  var report = SalvageReport()
  /// The last batch of the previous log.
  private var last: JournalBatch?

  init(_ source: JournalSource) { self.source = source }

  mutating func read(
    _ file: SalvageFile, before next: SalvageFile?, _ visitor: inout some SalvageVisitor
  ) throws(JournalError) {
    report.files.append(file.name)
    visitor.visit(file.description)
    var search = try BatchSearch(file, in: source)
    report.losses += file.flaws
    let limit = try sequenceLimit(of: file, before: next)
    var position = search.position
    if let last, file.logHeader?.firstSequence == last.sequence {
      // A start repeats a batch; count the first copy only.
      position = search.boundary(from: position + last.byteCount)
    }
    last = nil
    var stop: Int?
    while let batch = try search.next() {
      if batch.header.sequence >= limit {
        stop = batch.offset
        break
      }
      if batch.offset > position { try lose(position..<batch.offset, of: &search, &visitor) }
      guard let bytes = try search.window.load(batch.offset, count: batch.header.byteCount)
      else { break }
      show(batch, search.window.bytes.span.extracting(bytes), &visitor)
      position = search.position
    }
    if case .checkpoint = file.header { last = nil }
    let usedEnd = try search.usedEnd(from: position)
    let end = min(file.seal(by: next)?.end ?? stop ?? usedEnd, file.readableEnd)
    try finish(
      at: position..<max(position, end), of: &search, isLast: next == nil, &visitor)
  }

  /// Ends a file without further valid batches.
  private mutating func finish(
    at part: Range<Int>, of search: inout BatchSearch, isLast: Bool,
    _ visitor: inout some SalvageVisitor
  ) throws(JournalError) {
    let file = search.file
    switch file.header {
    case .checkpoint:
      if let end = try search.trailerEnd(at: part.lowerBound) {
        if end == part.upperBound { return }
        report.losses.append(
          .init(
            file: file.name, bytes: end..<part.upperBound, recordCount: 0,
            reason: "these bytes follow the end of the checkpoint"))
      } else {
        try lose(part, of: &search, &visitor)
      }
    case .log(let header):
      if part.isEmpty { return }
      if isLast, !file.isShort, let header, part.lowerBound >= header.syncedEnd {
        report.tail = JournalReport.Tail(
          file: file.name, offset: part.lowerBound, byteCount: part.count)
      } else {
        try lose(part, of: &search, &visitor)
      }
    }
  }

  /// The first sequence of this log that the next log repeats, or that a start abandoned.
  private func sequenceLimit(
    of file: SalvageFile, before next: SalvageFile?
  ) throws(JournalError) -> UInt64 {
    guard let next, next.continues(file) else { return .max }
    var search = try BatchSearch(next, in: source)
    let first = try search.next()?.header.sequence ?? .max
    // The first batch of a log may repeat the last batch of the previous log.
    return min(first, next.logHeader.map { $0.firstSequence + 1 } ?? .max)
  }

  /// Passes the records of a valid batch to the visitor.
  private mutating func show<Visitor: SalvageVisitor>(
    _ batch: BatchSearch.Found, _ bytes: Span<UInt8>, _ visitor: inout Visitor
  ) {
    let place = JournalBatch(
      offset: batch.offset, byteCount: bytes.count, sequence: batch.header.sequence,
      recordCount: batch.header.recordCount)
    report.batchCount += 1
    last = place
    visitor.visit(place)
    var records = RecordReader(bytes: JournalFormat.batchHeaderByteCount..<bytes.count)
    var start = batch.offset + records.position
    while let record = records.next(in: bytes) {
      do throws(Visitor.Failure) {
        try visitor.visit(kind: record.kind, body: bytes.extracting(record.body), at: start)
        report.recordCount += 1
      } catch {
        report.droppedCount += 1
      }
      start = batch.offset + records.position
    }
  }

  /// Records a part without valid batches. A plausible batch in it may show what was lost.
  private mutating func lose(
    _ part: Range<Int>, of search: inout BatchSearch, _ visitor: inout some SalvageVisitor
  ) throws(JournalError) {
    var recordCount = 0
    var isAllKnown = !part.isEmpty
    var position = part.lowerBound
    while position < part.upperBound {
      if try search.trailerEnd(at: position) == part.upperBound { break }
      guard let header = try search.doubtfulHeader(at: position) else {
        isAllKnown = false
        position += search.stride
        continue
      }
      recordCount += header.recordCount
      if let bytes = try search.window.load(position, count: header.byteCount) {
        let batch = search.window.bytes.span.extracting(bytes)
        var records = RecordReader(bytes: JournalFormat.batchHeaderByteCount..<batch.count)
        while let record = records.next(in: batch) {
          visitor.visit(lost: record.kind, body: batch.extracting(record.body))
        }
      }
      position = search.boundary(from: position + header.byteCount)
    }
    report.losses.append(
      .init(
        file: search.file.name, bytes: part, recordCount: isAllKnown ? recordCount : nil,
        reason: "the data does not match its checksum"))
  }
}
