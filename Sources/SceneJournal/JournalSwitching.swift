// How a writer goes on in the next log, and sees to it that there is one.

extension JournalWriter {
  /// The room in this log and those reserved, for batches of a page each.
  var roomByteCount: Int {
    reserved.reduce(log.remaining) { $0 + $1.byteCount - JournalFormat.pageByteCount }
  }

  /// The room that must be left when nothing more is accepted: for what was set aside, and for what
  /// is on its way already, which is one batch being synced and others gathering, each with its
  /// rounding. Where there are several logs they may not fit into the rest of one, which is lost
  /// then.
  var neededByteCount: Int {
    let page = JournalFormat.pageByteCount
    // What is on its way is one more batch only where two together would be too long for one.
    let overlong = options.waitingByteCount - options.batchByteLimit
    let batches = overlong <= 0 ? 2 : 2 + 2 * options.waitingByteCount / options.batchByteLimit
    let waiting = JournalFormat.pageBoundary(from: options.waitingByteCount) + batches * page
    return setAside * page + (reserved.isEmpty ? waiting : 2 * waiting)
  }

  /// Whether a batch of a page finds room without making any, and without taking any that will be
  /// needed.
  var canSpareAPage: Bool {
    let page = JournalFormat.pageByteCount
    if missingRoom != nil { return log.remaining >= neededByteCount + page }
    return log.remaining >= page || !reserved.isEmpty
  }

  /// Whether another log should be reserved now.
  private var wantsReserve: Bool {
    let isHalfFull = log.position >= log.header.byteCount / 2
    // A disk that a test has filled is met at once.
    return (reserved.isEmpty && isHalfFull) || roomByteCount < neededByteCount
      || options.faults?.diskIsFull == true
  }

  mutating func reserveAhead(retrying: Bool) throws(JournalError) {
    if missingRoom == nil || retrying {
      let wasFull = missingRoom != nil
      missingRoom = nil
      do throws(JournalError) {
        while wantsReserve { try reserveLog() }
      } catch .noRoom(let room) {
        missingRoom = room
        if !wasFull { considerCompaction() }
      }
    }
    updateState()
  }

  mutating func updateState() {
    state = missingRoom == nil ? .ok : roomByteCount < neededByteCount ? .exhausted : .full
  }

  private mutating func reserveLog() throws(JournalError) {
    let number = (reserved.last?.number ?? log.header.number) + 1
    reserved.append(
      try disk.reserve(
        number, byteCount: options.logByteCount, start: [],
        zeroedEnd: JournalFormat.pageByteCount + options.zeroAheadByteCount))
  }

  /// Goes on in the next log, which seals this one where it ends now.
  mutating func switchLog(forBatchOf byteCount: Int) throws(JournalError) {
    precondition(
      byteCount <= options.logByteCount - JournalFormat.pageByteCount,
      "a batch of \(byteCount) bytes in logs of \(options.logByteCount)")
    if reserved.isEmpty { try reserveLog() }
    // Batches are synced one by one; written with durability `os` they are so only here.
    if options.durability == .os { try disk.sync(log.file, named: log.name) }
    let next = reserved.removeFirst()
    let header = LogHeader(
      number: next.number, salt: options.makeSalt(), byteCount: next.byteCount,
      firstSequence: nextSequence, syncedEnd: JournalFormat.pageByteCount, previous: log.seal,
      durability: options.durability)
    let page = header.encoded()
    try disk.write(page, to: next.file, named: next.temporaryName, at: 0)
    try disk.sync(next.file, named: next.temporaryName)
    sealed.append(
      JournalFiles.Log(
        header: log.header, fileByteCount: log.header.byteCount, sealedEnd: log.position))
    log = OpenLog(
      header: header, file: next.file, position: page.count, zeroedEnd: next.zeroedEnd)
    try disk.publish(next.temporaryName, as: log.name)
    disk.counts.switches += 1
    considerCompaction()
  }

  /// Cuts off what follows the ends of sealed logs. Nobody reads it, and a start that was soon
  /// followed by another would keep a whole log for a page.
  mutating func giveBack() throws(JournalError) {
    for index in sealed.indices where sealed[index].fileByteCount > sealed[index].byteCount {
      try disk.shorten(sealed[index].name, to: sealed[index].byteCount)
      sealed[index].fileByteCount = sealed[index].byteCount
      mayFitBallast = true
    }
  }

  /// Keeps bytes written beyond the last batch: syncing a batch is quicker when it does not also
  /// have to say that more of the file is in use. A log that nothing was added to yet may never
  /// need it.
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
