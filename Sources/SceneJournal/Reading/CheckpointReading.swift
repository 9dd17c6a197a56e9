/// Reads a checkpoint in steps. An incomplete checkpoint is damaged.
struct CheckpointReading: Sendable {
  let checkpoint: JournalFiles.Checkpoint
  private var window: FileWindow
  private var position = JournalFormat.checkpointHeaderByteCount
  private var found = CheckpointTrailer(batchCount: 0, recordCount: 0, byteCount: 0)

  init(
    _ checkpoint: JournalFiles.Checkpoint, in source: JournalSource
  ) throws(JournalError) {
    self.checkpoint = checkpoint
    window = try source.window(of: checkpoint.name, end: checkpoint.byteCount)
  }

  /// Reads about `byteCount` bytes. Returns whether bytes are left.
  mutating func step(
    _ visitor: inout some JournalVisitor, upTo byteCount: Int, report: inout JournalReport
  ) throws(JournalError) -> Bool {
    let stop = position + byteCount
    while position < stop {
      if try isTrailer() { return false }
      guard let batch = try window.batch(at: position, salt: checkpoint.header.salt) else {
        throw damage(.batchBeforeEnd(checkpoint.byteCount))
      }
      found.batchCount += 1
      found.recordCount += UInt64(batch.header.recordCount)
      guard batch.header.sequence == found.batchCount else {
        throw damage(.sequence(expected: found.batchCount, found: batch.header.sequence))
      }
      try visitor.show(
        batch.header, window.bytes.span.extracting(batch.bytes), in: checkpoint.name, at: position,
        report: &report)
      position += batch.header.byteCount
    }
    return true
  }

  /// Whether the next bytes are the trailer. Throws if its counts are wrong.
  private mutating func isTrailer() throws(JournalError) -> Bool {
    let length = JournalFormat.trailerByteCount
    guard checkpoint.byteCount - position <= length else { return false }
    found.byteCount = UInt64(checkpoint.byteCount)
    guard let part = try window.load(position, count: length),
      CheckpointTrailer(decoding: window.bytes.span.extracting(part), salt: checkpoint.header.salt)
        == found
    else { throw damage(.trailer) }
    return true
  }

  private func damage(_ cause: JournalDamage.Cause) -> JournalError {
    .damaged(JournalDamage(file: checkpoint.name, offset: position, cause: cause))
  }
}
