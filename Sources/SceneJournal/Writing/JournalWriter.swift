/// Writes a journal, without a thread and a clock. Each call returns when its work is done.
///
/// Call ``commit(_:)`` for records, then ``prepareAhead(retrying:)``. Call ``compactStep()`` while
/// ``isCompacting``, and ``writeCommitMarker()`` 1 s after the last commit. After an error other
/// than ``JournalError/noRoom(_:)``, every later call throws the same error, because a sync after a
/// failed sync proves nothing.
package struct JournalWriter: ~Copyable, Sendable {
  let options: JournalOptions
  var disk: JournalDisk
  var log: OpenLog
  /// The reserved logs in the order of their numbers.
  var reserved: [ReservedLog] = []
  /// The missing space while the next log cannot be reserved.
  package internal(set) var spaceShortage: SpaceShortage?
  var checkpoint: JournalFiles.Checkpoint?
  var sealed: [JournalFiles.Log] = []
  var nextSequence: UInt64
  var compaction: Compaction?
  /// Makes the empty content of a compaction.
  let makeCompactionContent: @Sendable () -> any JournalContent
  /// The length of the ballast, and whether longer ballast may fit now.
  var ballastByteCount: Int
  var mayFitBallast = true
  /// The approximate bytes of the live content of the sealed files.
  var liveByteCount: Int
  /// Whether a batch was added since the opening.
  private(set) var hasCommitted = false
  private var failure: JournalError?
  private var batch = ContiguousArray<UInt8>()

  /// The report of the opening.
  package let report: JournalReport
  /// The number of batches of one page to reserve for a full disk: the ends of holds.
  package var reservedBatchCount = 0
  package internal(set) var state = DiskRoom.ok
  /// The error that ended compaction. The journal continues.
  package internal(set) var compactionFailure: JournalError?

  package var counts: JournalCounts { disk.counts }

  /// Reads a journal into the empty `content`, and continues in the last log or a new one. The
  /// caller has locked the directory.
  ///
  /// Throws ``JournalError/noRoom(_:)`` if there is no space for a new log. After this error, after
  /// damage and after foreign files, no record has changed.
  package init<Content: JournalContent>(
    _ storage: any Storage, options: JournalOptions, content: inout Content
  ) throws(JournalError) {
    precondition(options.durability != .none, "a journal without files has no writer")
    precondition(
      JournalFormat.batchHeaderByteCount + options.batchByteLimit
        <= options.logByteCount - JournalFormat.pageByteCount, "a batch must fit into a log")
    var disk = JournalDisk(storage)
    var files = try JournalFiles(in: storage)
    var reading = try JournalReading(files, in: JournalSource(storage, options))
    while try reading.step(&content) {}
    var report = reading.report
    // A visible name may still be lost in a power loss if its process was killed before the sync.
    // So the names are synced before replaced files are removed and before the log grows.
    let isUntouched = reading.lastLog?.isUntouched ?? true
    if isUntouched || !files.leftovers.isEmpty { try disk.syncDirectory() }
    for name in files.leftovers {
      try storage.remove(name)
      report.removedFiles.append(name)
    }
    (log, nextSequence, spaceShortage) = try JournalOpening.goOn(
      files: &files, last: reading.lastLog, options: options, on: &disk)
    ballastByteCount = disk.ballastByteCount()
    self.options = options
    self.disk = disk
    checkpoint = files.checkpoint
    sealed = files.logs
    self.report = report
    liveByteCount = content.byteCount
    makeCompactionContent = { Content() }
    updateState()
    considerCompaction()
  }

  /// Writes records and, with durability `disk`, syncs them.
  ///
  /// Records up to the batch limit are atomic. More records are split, and an error may leave the
  /// first ones written. Throws ``JournalError/noRoom(_:)`` without space; the caller may try
  /// again.
  package mutating func commit(_ records: JournalRecords) throws(JournalError) {
    try alive { (writer) throws(JournalError) in
      for part in records.split(upTo: writer.options.batchByteLimit) where !part.isEmpty {
        try writer.append(part)
      }
    }
  }

  /// Whether damage to the last batch would look like an incomplete write.
  package var awaitsCommitMarker: Bool {
    log.awaitsCommitMarker && options.durability == .disk
  }

  /// Appends an empty batch, the commit marker, which proves that the previous batch was complete.
  /// Does nothing without an unconfirmed batch or spare space.
  package mutating func writeCommitMarker() throws(JournalError) {
    try alive { (writer) throws(JournalError) in
      guard writer.awaitsCommitMarker else { return }
      if writer.canSpareAPage { try writer.append(JournalRecords()) }
    }
  }

  /// Whether a compaction runs.
  package var isCompacting: Bool { compaction != nil }

  /// Does one step of a running compaction. Returns whether it continues.
  package mutating func compactStep() throws(JournalError) -> Bool {
    try alive { (writer) throws(JournalError) in try writer.compact() }
    return isCompacting
  }

  /// Writes zeros after the last batch, truncates sealed logs, and reserves logs ahead. Updates
  /// ``state``.
  ///
  /// After a failure for lack of space, tries again only if `retrying`.
  package mutating func prepareAhead(retrying: Bool) throws(JournalError) {
    try alive { (writer) throws(JournalError) in
      try writer.zeroAhead()
      try writer.truncateSealed()
      try writer.keepBallast(retrying: retrying)
      try writer.reserveAhead(retrying: retrying)
    }
  }

  /// Syncs all written records at any durability.
  package mutating func flush() throws(JournalError) {
    try alive { (writer) throws(JournalError) in
      if writer.options.durability == .os {
        try writer.disk.sync(writer.log.file, named: writer.log.name)
      }
    }
  }

  /// Runs `body` unless the writer has failed, and stores a new failure.
  private mutating func alive(
    _ body: (inout JournalWriter) throws(JournalError) -> Void
  ) throws(JournalError) {
    if let failure { throw failure }
    do throws(JournalError) {
      try body(&self)
    } catch {
      if case .noRoom = error { throw error }
      failure = error
      throw error
    }
  }

  private mutating func append(_ records: JournalRecords) throws(JournalError) {
    batch.removeAll(keepingCapacity: true)
    // The salt belongs to the log, so switch the log before encoding the batch.
    let byteCount = JournalFormat.pageBoundary(
      from: JournalFormat.batchHeaderByteCount + records.byteCount)
    if byteCount > log.remaining { try beginLog(forBatchOf: byteCount) }
    BatchHeader.encode(records, sequence: nextSequence, salt: log.header.salt, to: &batch)
    JournalFormat.padToPage(&batch)
    let faults = records.isEmpty ? nil : options.faults
    faults?.pass(.beforeAppend)
    let bytes = batch
    try disk.write(bytes.span, to: log.file, named: log.name, at: log.position)
    faults?.pass(.afterAppend)
    if options.durability == .disk {
      faults?.pass(.beforeSync)
      try disk.sync(log.file, named: log.name)
      faults?.pass(.afterSync)
    }
    // If another process could overwrite the batch, it is not durable.
    try disk.storage.checkLocks()
    log.position += byteCount
    log.zeroedEnd = max(log.zeroedEnd, log.position)
    log.awaitsCommitMarker = !records.isEmpty
    hasCommitted = true
    nextSequence += 1
    disk.counts.batches += 1
    disk.counts.records += records.count
    updateState()
  }
}
