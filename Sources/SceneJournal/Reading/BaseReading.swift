/// Reads a base in steps. An incomplete base is damaged.
struct BaseReading: Sendable {
  let base: JournalFiles.Base
  private var window: FileWindow
  private var position = JournalFormat.baseHeaderByteCount
  private var found = BaseTrailer(batchCount: 0, recordCount: 0, byteCount: 0)

  init(_ base: JournalFiles.Base, file: any StorageFile, windowByteCount: Int) {
    self.base = base
    window = FileWindow(file, end: base.byteCount, byteLimit: windowByteCount)
  }

  /// Reads about `byteCount` bytes. Returns whether bytes are left.
  mutating func step(
    _ visitor: inout some JournalVisitor, upTo byteCount: Int, report: inout JournalReport
  ) throws(JournalError) -> Bool {
    let stop = position + byteCount
    while position < stop {
      if try isTrailer() { return false }
      guard let batch = try window.batch(at: position, salt: base.header.salt) else {
        throw damage(.batchBeforeEnd(base.byteCount))
      }
      found.batchCount += 1
      found.recordCount += UInt64(batch.header.recordCount)
      guard batch.header.sequence == found.batchCount else {
        throw damage(.sequence(expected: found.batchCount, found: batch.header.sequence))
      }
      try visitor.show(
        batch.header, window.bytes.span.extracting(batch.bytes), in: base.name, at: position,
        report: &report)
      position += batch.header.byteCount
    }
    return true
  }

  /// Whether the next bytes are the trailer. Throws if its counts are wrong.
  private mutating func isTrailer() throws(JournalError) -> Bool {
    let length = JournalFormat.trailerByteCount
    guard base.byteCount - position <= length else { return false }
    found.byteCount = UInt64(base.byteCount)
    guard let part = try window.load(position, count: length),
      BaseTrailer(decoding: window.bytes.span.extracting(part), salt: base.header.salt) == found
    else { throw damage(.trailer) }
    return true
  }

  private func damage(_ cause: JournalDamage.Cause) -> JournalError {
    .damaged(JournalDamage(file: base.name, offset: position, cause: cause))
  }
}
