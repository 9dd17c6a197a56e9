/// A running compaction: it reads sealed files as at a start, and writes their state as a base. It
/// shares no state with the writer.
struct Compaction<Content: JournalContent>: Sendable {
  /// The files that the base will replace.
  let files: JournalFiles
  var reading: JournalReading
  var isRead = false
  var applying = Applying(content: Content())
  var writing: BaseWriting?
  var cursor: Content.Cursor?
  var records = JournalRecords()

  init(_ files: JournalFiles, reading: JournalReading) {
    self.files = files
    self.reading = reading
  }
}

extension JournalWriter {
  /// Begins a compaction if it frees enough space. Called after each seal, and on a full disk,
  /// where any gain is enough.
  mutating func considerCompaction() {
    guard compaction == nil, compactionFailure == nil, !sealed.isEmpty else { return }
    let sealedByteCount = sealed.reduce(base?.byteCount ?? 0) { $0 + $1.byteCount }
    let isLarge =
      (spaceShortage != nil || sealedByteCount > options.compactionByteCount)
      && sealedByteCount > options.compactionFactor * liveByteCount
    guard isLarge || sealed.count + 1 > options.logLimit else { return }
    var files = JournalFiles()
    files.base = base
    files.logs = sealed
    do throws(JournalError) {
      let reading = try JournalReading(
        files, in: disk.storage, windowByteCount: options.stepByteCount)
      compaction = Compaction(files, reading: reading)
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
        compaction.isRead =
          try !compaction.reading.step(&compaction.applying, upTo: options.stepByteCount)
        self.compaction = compaction
      } catch {
        compactionFailure = error
      }
      return
    }
    do throws(JournalError) {
      if let base = try write(&compaction) {
        try replace(compaction.files, with: base)
      } else {
        self.compaction = compaction
      }
    } catch {
      guard error.isNoSpace else { throw error }
      // The next seal tries again.
      try disk.discard(BaseWriting.temporaryName((base?.header.number ?? 0) + 1))
    }
  }

  /// Writes about `stepByteCount` bytes of the base. Returns the base when it is complete and has
  /// its name.
  private mutating func write(
    _ compaction: inout Compaction<Content>
  ) throws(JournalError) -> JournalFiles.Base? {
    var writing: BaseWriting
    if let begun = compaction.writing.take() {
      writing = begun
    } else {
      writing = try BaseWriting(baseHeader(for: compaction), on: &disk)
    }
    var cursor = compaction.cursor ?? compaction.applying.content.start
    var written = 0
    var isMore = true
    while isMore && written < options.stepByteCount {
      compaction.records.removeAll()
      isMore = compaction.applying.content.appendRecords(
        after: &cursor, upTo: options.baseBatchByteCount, to: &compaction.records)
      if compaction.records.isEmpty { continue }
      try writing.append(compaction.records, on: &disk)
      written += compaction.records.byteCount
    }
    if !isMore { return try writing.finish(on: &disk) }
    try writing.sync(on: &disk)
    compaction.cursor = cursor
    compaction.writing = writing
    return nil
  }

  private func baseHeader(for compaction: Compaction<Content>) -> BaseHeader {
    guard let last = compaction.files.logs.last,
      let nextSequence = compaction.reading.lastLog?.nextSequence
    else { preconditionFailure("a compaction without a sealed log") }
    return BaseHeader(
      number: (base?.header.number ?? 0) + 1, salt: options.makeSalt(),
      lastLog: last.header.number, lastLogSalt: last.header.salt, nextSequence: nextSequence)
  }

  private mutating func replace(
    _ files: JournalFiles, with newBase: JournalFiles.Base
  ) throws(JournalError) {
    base = newBase
    liveByteCount = newBase.byteCount
    sealed.removeFirst(files.logs.count)
    disk.counts.compactions += 1
    mayFitBallast = true
    if let old = files.base { try disk.remove(old.name) }
    for log in files.logs { try disk.remove(log.name) }
    considerCompaction()
  }
}
