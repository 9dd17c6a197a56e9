// How a writer goes on in the next log, and sees to it that there is one.

extension JournalWriter {
  /// The room in this log and those reserved, for batches of a page each.
  var roomByteCount: Int {
    reserved.reduce(log.remaining) { $0 + $1.byteCount - JournalFormat.pageByteCount }
  }

  /// The room that must be left when nothing more is accepted: for what was set aside, and for what
  /// is on its way already, which is one batch being synced and one gathering, each with its rounding.
  /// Where there are several logs they may not fit into the rest of one, which is lost then.
  var neededByteCount: Int {
    let page = JournalFormat.pageByteCount
    let waiting = JournalFormat.pageBoundary(from: options.waitingByteCount) + 2 * page
    return setAside * page + (reserved.isEmpty ? waiting : 2 * waiting)
  }

  /// Whether a batch of a page finds room without making any, and without taking any that will be
  /// needed.
  var canSpareAPage: Bool {
    let page = JournalFormat.pageByteCount
    if isFull { return log.remaining >= neededByteCount + page }
    return log.remaining >= page || !reserved.isEmpty
  }

  /// Whether another log should be reserved now.
  private var wantsReserve: Bool {
    let isHalfFull = log.position >= log.header.byteCount / 2
    return (reserved.isEmpty && isHalfFull) || roomByteCount < neededByteCount
  }

  mutating func reserveAhead(retrying: Bool) throws(JournalError) {
    if !isFull || retrying {
      isFull = false
      do throws(JournalError) {
        while wantsReserve { try reserveLog() }
      } catch .noRoom {
        isFull = true
      }
    }
    updateState()
  }

  mutating func updateState() {
    state = !isFull ? .ok : roomByteCount < neededByteCount ? .exhausted : .full
  }

  private mutating func reserveLog() throws(JournalError) {
    let number = (reserved.last?.number ?? log.header.number) + 1
    do throws(JournalError) {
      reserved.append(
        try disk.reserve(
          number, byteCount: options.logByteCount, start: [],
          zeroedEnd: JournalFormat.pageByteCount + options.zeroAheadByteCount))
    } catch .storage(let error) where error.reason == .noSpace {
      throw .noRoom(error)
    }
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
    sealed.append(JournalFiles.Log(header: log.header, sealedEnd: log.position))
    log = OpenLog(
      header: header, file: next.file, position: page.count, zeroedEnd: next.zeroedEnd)
    try disk.publish(next.temporaryName, as: log.name)
    disk.counts.switches += 1
    considerCompaction()
  }

  /// Keeps bytes written beyond the last batch: syncing a batch is quicker when it does not also have
  /// to say that more of the file is in use.
  /// A log that nothing was added to yet may never need it.
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
