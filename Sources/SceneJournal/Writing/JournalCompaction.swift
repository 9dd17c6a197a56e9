/// A running compaction: it reads sealed files as at a start, and writes their state as a
/// checkpoint. It shares no state with the writer.
struct Compaction: Sendable {
  /// The files that the checkpoint will replace.
  let files: JournalFiles
  var reading: JournalReading
  var isRead = false
  var content: any JournalContent
  var writing: CheckpointWriting?
  var records = JournalRecords()

  init(_ files: JournalFiles, reading: JournalReading, content: any JournalContent) {
    self.files = files
    self.reading = reading
    self.content = content
  }
}

extension JournalWriter {
  /// Begins a compaction if it frees enough space. Called after each seal, and on a full disk,
  /// where any gain is enough.
  mutating func considerCompaction() {
    guard compaction == nil, compactionFailure == nil, !sealed.isEmpty else { return }
    let sealedByteCount = sealed.reduce(checkpoint?.byteCount ?? 0) { $0 + $1.byteCount }
    let isLarge =
      (spaceShortage != nil || sealedByteCount > options.compactionByteCount)
      && sealedByteCount > options.compactionFactor * liveByteCount
    guard isLarge || sealed.count + 1 > options.logLimit else { return }
    var files = JournalFiles()
    files.checkpoint = checkpoint
    files.logs = sealed
    do throws(JournalError) {
      let source = JournalSource(disk.storage, options, reportsProgress: false)
      let reading = try JournalReading(files, in: source)
      compaction = Compaction(files, reading: reading, content: makeCompactionContent())
    } catch {
      compactionFailure = error
    }
  }

  mutating func compact() throws(JournalError) {
    guard var compaction = compaction.take() else { return }
    guard compaction.isRead else {
      // The state in memory is right even if its files are unreadable, so only the compaction
      // fails.
      do throws(JournalError) {
        compaction.isRead = try !compaction.reading.step(&compaction.content)
        self.compaction = compaction
      } catch {
        compactionFailure = error
      }
      return
    }
    do throws(JournalError) {
      if let checkpoint = try write(&compaction) {
        try replace(compaction.files, with: checkpoint)
      } else {
        self.compaction = compaction
      }
    } catch {
      guard error.isNoSpace else { throw error }
      // The next seal tries again.
      try disk.discard(CheckpointWriting.temporaryName((checkpoint?.header.number ?? 0) + 1))
    }
  }

  /// Writes about `stepByteCount` bytes of the checkpoint. Returns the checkpoint when it is
  /// complete and has its name.
  private mutating func write(
    _ compaction: inout Compaction
  ) throws(JournalError) -> JournalFiles.Checkpoint? {
    var writing: CheckpointWriting
    if let begun = compaction.writing.take() {
      writing = begun
    } else {
      writing = try CheckpointWriting(checkpointHeader(for: compaction), on: &disk)
    }
    var written = 0
    var isMore = true
    while isMore && written < options.stepByteCount {
      compaction.records.removeAll()
      isMore = compaction.content.appendNextRecords(
        upTo: options.checkpointBatchByteCount, to: &compaction.records)
      if compaction.records.isEmpty { continue }
      try writing.append(compaction.records, on: &disk)
      written += compaction.records.byteCount
    }
    if !isMore { return try writing.finish(on: &disk) }
    try writing.sync(on: &disk)
    compaction.writing = writing
    return nil
  }

  private func checkpointHeader(for compaction: Compaction) -> CheckpointHeader {
    guard let last = compaction.files.logs.last,
      let nextSequence = compaction.reading.lastLog?.nextSequence
    else { preconditionFailure("a compaction without a sealed log") }
    return CheckpointHeader(
      number: (checkpoint?.header.number ?? 0) + 1, salt: options.makeSalt(),
      lastLog: last.header.number, lastLogSalt: last.header.salt, nextSequence: nextSequence)
  }

  private mutating func replace(
    _ files: JournalFiles, with newCheckpoint: JournalFiles.Checkpoint
  ) throws(JournalError) {
    checkpoint = newCheckpoint
    liveByteCount = newCheckpoint.byteCount
    sealed.removeFirst(files.logs.count)
    disk.counts.compactions += 1
    mayFitBallast = true
    if let old = files.checkpoint { try disk.discard(old.name) }
    for log in files.logs { try disk.discard(log.name) }
    considerCompaction()
  }
}
