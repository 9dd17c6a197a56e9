// Beginning the next log, and reserving logs ahead.

extension JournalWriter {
  /// The free bytes of this log and the reserved logs, for batches of one page.
  var roomByteCount: Int {
    reserved.reduce(log.remaining) { $0 + $1.byteCount - JournalFormat.pageByteCount }
  }

  /// The bytes that must stay free while new records are rejected. They contain the reserved
  /// batches, the batch in its sync and the collecting batches, each rounded up to pages. With
  /// several logs, the rest of a log may be too short for a batch and is then lost.
  var neededByteCount: Int {
    let page = JournalFormat.pageByteCount
    // Waiting records form one more batch only if two submissions exceed the batch limit.
    let overlong = options.waitingByteCount - options.batchByteLimit
    let batches = overlong <= 0 ? 2 : 2 + 2 * options.waitingByteCount / options.batchByteLimit
    let waiting = JournalFormat.pageBoundary(from: options.waitingByteCount) + batches * page
    return reservedBatchCount * page + (reserved.isEmpty ? waiting : 2 * waiting)
  }

  /// Whether a batch of one page fits without new space and without the needed reserve.
  var canSpareAPage: Bool {
    let page = JournalFormat.pageByteCount
    if spaceShortage != nil { return log.remaining >= neededByteCount + page }
    return log.remaining >= page || !reserved.isEmpty
  }

  /// Whether to reserve another log now.
  private var wantsReserve: Bool {
    let isHalfFull = log.position >= log.header.byteCount / 2
    // Detect a disk that a test has filled at once.
    return (reserved.isEmpty && isHalfFull) || roomByteCount < neededByteCount
      || options.faults?.diskIsFull == true
  }

  mutating func reserveAhead(retrying: Bool) throws(JournalError) {
    if spaceShortage == nil || retrying {
      let wasFull = spaceShortage != nil
      spaceShortage = nil
      do throws(JournalError) {
        while wantsReserve { try reserveLog() }
      } catch .noRoom(let room) {
        spaceShortage = room
        if !wasFull { considerCompaction() }
      }
    }
    updateState()
  }

  mutating func updateState() {
    state = spaceShortage == nil ? .ok : roomByteCount < neededByteCount ? .exhausted : .full
  }

  private mutating func reserveLog() throws(JournalError) {
    let number = (reserved.last?.number ?? log.header.number) + 1
    reserved.append(
      try disk.reserve(
        number, byteCount: options.logByteCount, start: [],
        zeroedEnd: JournalFormat.pageByteCount + options.zeroAheadByteCount))
  }

  /// Begins the next log, which seals this one at its current end.
  mutating func beginLog(forBatchOf byteCount: Int) throws(JournalError) {
    precondition(
      byteCount <= options.logByteCount - JournalFormat.pageByteCount,
      "a batch of \(byteCount) bytes in logs of \(options.logByteCount)")
    if reserved.isEmpty { try reserveLog() }
    // With durability `disk`, each batch is already synced; with `os`, sync the log here.
    if options.durability == .os { try disk.sync(log.file, named: log.name) }
    let next = reserved.removeFirst()
    let header = LogHeader(
      number: next.number, salt: options.makeSalt(), byteCount: next.byteCount,
      firstSequence: nextSequence, syncedEnd: JournalFormat.pageByteCount, previous: log.seal,
      durability: options.durability)
    let page = header.encoded()
    try disk.write(page.span, to: next.file, named: next.temporaryName, at: 0)
    try disk.sync(next.file, named: next.temporaryName)
    sealed.append(
      JournalFiles.Log(
        header: log.header, fileByteCount: log.header.byteCount, sealedEnd: log.position))
    log = OpenLog(
      header: header, file: next.file, position: page.count, zeroedEnd: next.zeroedEnd)
    try disk.publish(next.temporaryName, as: log.name)
    disk.counts.begunLogs += 1
    considerCompaction()
  }

  /// Truncates sealed logs after their ends. Without this, two starts in a row would keep a whole
  /// log for one page.
  mutating func truncateSealed() throws(JournalError) {
    for index in sealed.indices where sealed[index].fileByteCount > sealed[index].byteCount {
      let file = try disk.storage.open(sealed[index].name, for: .writing)
      try file.shorten(to: sealed[index].byteCount)
      sealed[index].fileByteCount = sealed[index].byteCount
      mayFitBallast = true
    }
  }

  /// Writes zeros after the last batch, because a sync without a metadata change is faster. Skips
  /// an unused log, which may never grow.
  mutating func zeroAhead() throws(JournalError) {
    guard hasCommitted else { return }
    let wanted = log.position + options.zeroAheadByteCount
    guard log.zeroedEnd < log.position + options.zeroAheadByteCount / 2,
      log.zeroedEnd < log.header.byteCount
    else { return }
    let end = min(wanted, log.header.byteCount)
    try disk.zero(log.zeroedEnd..<end, of: log.file, named: log.name)
    log.zeroedEnd = end
  }
}
