/// Reads a log in steps, up to its seal or up to the last valid batch.
struct LogReading: Sendable {
  let log: JournalFiles.Log
  private var window: FileWindow
  /// The offset of the next batch.
  private(set) var position = JournalFormat.pageByteCount
  private(set) var nextSequence: UInt64
  /// The last valid batch.
  private(set) var last: JournalBatch?
  /// Whether other bytes follow the last valid batch.
  private var hasTail = false

  init(_ log: JournalFiles.Log, in source: JournalSource) throws(JournalError) {
    self.log = log
    nextSequence = log.header.firstSequence
    window = try source.window(of: log.name, end: log.byteCount)
  }

  /// Reads about `byteCount` bytes. Returns whether bytes are left.
  mutating func step(
    _ visitor: inout some JournalVisitor, upTo byteCount: Int, report: inout JournalReport
  ) throws(JournalError) -> Bool {
    let stop = position + byteCount
    while position < stop {
      if position == log.sealedEnd { return false }
      guard let batch = try window.batch(at: position, salt: log.header.salt) else {
        try end(report: &report)
        return false
      }
      guard batch.header.sequence == nextSequence else {
        throw damage(.sequence(expected: nextSequence, found: batch.header.sequence))
      }
      try visitor.show(
        batch.header, window.bytes.span.extracting(batch.bytes), in: log.name, at: position,
        report: &report)
      last = JournalBatch(
        offset: position, byteCount: batch.header.byteCount, sequence: nextSequence,
        recordCount: batch.header.recordCount)
      nextSequence += 1
      position = JournalFormat.pageBoundary(from: position + batch.header.byteCount)
    }
    return true
  }

  /// Whether the log contains only bytes from before it got its name.
  var isUntouched: Bool { position == log.header.syncedEnd && !hasTail }

  /// The newest batch that a later batch or the header confirms.
  var confirmedBatch: UInt64? {
    guard log.header.durability == .disk else { return nil }
    guard let last, last.recordCount > 0, last.offset >= log.header.syncedEnd else {
      return nextSequence - 1
    }
    return last.sequence - 1
  }

  /// The records of the last valid batch.
  mutating func lastRecords() throws(JournalError) -> JournalRecords? {
    guard let last else { return nil }
    guard let batch = try window.batch(at: last.offset, salt: log.header.salt) else {
      throw damage(.batchBeforeEnd(position))
    }
    let payload = batch.bytes.dropFirst(JournalFormat.batchHeaderByteCount)
    return JournalRecords(packed: window.bytes[payload], count: batch.header.recordCount)
  }

  /// Handles an invalid batch at `position`. A later valid batch proves damage, because each batch
  /// is written after the sync of the previous one.
  private mutating func end(report: inout JournalReport) throws(JournalError) {
    try log.checkLength()
    if let sealedEnd = log.sealedEnd { throw damage(.batchBeforeEnd(sealedEnd)) }
    if position < log.header.syncedEnd { throw damage(.batchBeforeEnd(log.header.syncedEnd)) }
    var lastUsed = position
    var page = position
    while page < window.end {
      // Skip unwritten pages: most of a log is only reserved.
      page = JournalFormat.pageStart(of: try window.nextWritten(from: page))
      let length = min(JournalFormat.pageByteCount, window.end - page)
      guard length > 0,
        let bytes = try window.load(page, count: length)
      else { break }
      if let used = window.bytes.span.extracting(bytes).lastNonzero {
        lastUsed = page + used + 1
        if page > position && log.header.durability == .disk,
          try window.batch(at: page, salt: log.header.salt) != nil
        {
          throw damage(.batchBeforeValid(at: page))
        }
      }
      page += JournalFormat.pageByteCount
    }
    hasTail = lastUsed > position
    if hasTail {
      report.tail = JournalReport.Tail(
        file: log.name, offset: position, byteCount: lastUsed - position)
    }
  }

  private func damage(_ cause: JournalDamage.Cause) -> JournalError {
    .damaged(JournalDamage(file: log.name, offset: position, cause: cause))
  }
}

extension Span<UInt8> {
  /// The index of the last nonzero byte.
  var lastNonzero: Int? {
    let raw = unsafe bytes
    var end = count
    while end >= 8, unsafe raw.unsafeLoadUnaligned(fromByteOffset: end - 8, as: UInt64.self) == 0 {
      end -= 8
    }
    while end > 0 {
      end -= 1
      if self[end] != 0 { return end }
    }
    return nil
  }
}
