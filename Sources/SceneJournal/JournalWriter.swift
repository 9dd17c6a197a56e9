/// What the disk has room for.
package enum DiskRoom: Equatable, Sendable {
  case ok
  /// The next log could not be reserved: what grows must be refused.
  case full
  /// All that is left is needed for what was set aside.
  case exhausted
}

/// Writes a journal. It has no thread and no clock of its own: every call returns when it is done.
///
/// Call ``commit(_:)`` with what is to be durable, ``prepareAhead(retrying:)`` after it,
/// ``compactStep()`` while ``isCompacting``, and ``attestIdle()`` when a second has passed without a
/// commit. After any error but ``JournalError/noRoom(_:)`` the writer is dead: every later call
/// throws the same error, because a second sync after a failed one proves nothing.
package struct JournalWriter<Content: JournalContent>: ~Copyable, Sendable {
  let options: JournalOptions
  var disk: JournalDisk
  var log: OpenLog
  /// Logs reserved ahead, in the order of their numbers.
  var reserved: [ReservedLog] = []
  /// Set when a log could not be reserved, until one can.
  package internal(set) var missingRoom: MissingRoom?
  var base: JournalFiles.Base?
  var sealed: [JournalFiles.Log] = []
  var nextSequence: UInt64
  var compaction: Compaction<Content>?
  /// The length of the ballast that there is, and whether a longer one may fit now.
  var ballastByteCount: Int
  var mayFitBallast = true
  /// About how many bytes the sealed files add up to, as far as this is known.
  var liveByteCount: Int
  /// Whether anything was added since it was opened.
  private(set) var hasCommitted = false
  private var failure: JournalError?
  private var batch = ContiguousArray<UInt8>()

  /// What opening it has found.
  package let report: JournalReport
  /// How many batches must still find room when the disk is full, each of one page: the ends of holds.
  package var setAside = 0
  package internal(set) var state = DiskRoom.ok
  /// Why compaction was given up for good; the journal itself goes on.
  package internal(set) var compactionFailure: JournalError?

  package var counts: JournalCounts { disk.counts }

  /// Reads a journal into `content`, which must be fresh, and goes on in its last log or begins a new
  /// one, in a directory that is locked by the caller.
  ///
  /// Throws ``JournalError/noRoom(_:)`` if there is no room for a log that has to be begun; nothing
  /// that counts was touched then, as after damage and foreign files.
  package init(
    _ storage: any Storage, options: JournalOptions, content: inout Content
  ) throws(JournalError) {
    precondition(options.durability != .none, "a journal without files has no writer")
    precondition(
      JournalFormat.batchHeaderByteCount + options.batchByteLimit
        <= options.logByteCount - JournalFormat.pageByteCount, "a batch must fit into a log")
    let opening = try JournalOpening(storage, options: options, content: &content)
    self.options = options
    disk = opening.disk
    log = opening.log
    base = opening.files.base
    sealed = opening.files.logs
    nextSequence = opening.nextSequence
    report = opening.report
    missingRoom = opening.missingRoom
    ballastByteCount = opening.ballastByteCount
    liveByteCount = content.byteCount
    updateState()
    considerCompaction()
  }

  /// Writes records and, with durability `disk`, syncs them; when it returns they are as durable as
  /// was promised.
  ///
  /// Records of up to the batch limit are kept or lost together. More are parted between records,
  /// and an error may leave the first of them behind. Throws ``JournalError/noRoom(_:)`` when there
  /// is no room now; the same records may be handed over again.
  package mutating func commit(_ records: JournalRecords) throws(JournalError) {
    try alive { (writer) throws(JournalError) in
      for part in records.split(upTo: writer.options.batchByteLimit) where !part.isEmpty {
        try writer.append(part)
      }
    }
  }

  /// Whether the last batch would be taken for a torn one if it were damaged now.
  package var awaitsAttestation: Bool {
    log.awaitsAttestation && options.durability == .disk
  }

  /// Appends an empty batch, which proves that the one before it was complete. Does nothing if that
  /// is proved already, or if the room is needed for something better.
  package mutating func attestIdle() throws(JournalError) {
    try alive { (writer) throws(JournalError) in
      guard writer.awaitsAttestation else { return }
      if writer.canSpareAPage { try writer.append(JournalRecords()) }
    }
  }

  /// Whether ``compactStep()`` has something to do.
  package var isCompacting: Bool { compaction != nil }

  /// Reads or writes about a MiB of a compaction that has begun; returns whether it goes on.
  package mutating func compactStep() throws(JournalError) -> Bool {
    try alive { (writer) throws(JournalError) in try writer.compact() }
    return isCompacting
  }

  /// Writes zeros ahead of the last batch, gives back what sealed logs do not need, and reserves logs
  /// before they are needed; then ``state`` is up to date.
  ///
  /// When that failed before for want of room, it is tried again only if `retrying`.
  package mutating func prepareAhead(retrying: Bool) throws(JournalError) {
    try alive { (writer) throws(JournalError) in
      try writer.zeroAhead()
      try writer.giveBack()
      try writer.keepBallast(retrying: retrying)
      try writer.reserveAhead(retrying: retrying)
    }
  }

  /// Makes everything written durable, whatever the durability is.
  package mutating func flush() throws(JournalError) {
    try alive { (writer) throws(JournalError) in
      if writer.options.durability == .os {
        try writer.disk.sync(writer.log.file, named: writer.log.name)
      }
    }
  }

  /// Runs `body` unless something failed before, and remembers if it does.
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
    // The salt is the log's, so whether it fits is known before the batch is encoded.
    let byteCount = JournalFormat.pageBoundary(
      from: JournalFormat.batchHeaderByteCount + records.byteCount)
    if byteCount > log.remaining { try switchLog(forBatchOf: byteCount) }
    BatchHeader.encode(records, sequence: nextSequence, salt: log.header.salt, to: &batch)
    JournalFormat.padToPage(&batch)
    let faults = records.isEmpty ? nil : options.faults
    faults?.pass(.beforeAppend)
    try disk.write(batch, to: log.file, named: log.name, at: log.position)
    faults?.pass(.afterAppend)
    if options.durability == .disk {
      faults?.pass(.beforeSync)
      try disk.sync(log.file, named: log.name)
      faults?.pass(.afterSync)
    }
    // A batch that another process may overwrite is not durable.
    try disk.checkLocks()
    log.position += byteCount
    log.zeroedEnd = max(log.zeroedEnd, log.position)
    log.awaitsAttestation = !records.isEmpty
    hasCommitted = true
    nextSequence += 1
    disk.counts.batches += 1
    disk.counts.records += records.count
    updateState()
  }
}
