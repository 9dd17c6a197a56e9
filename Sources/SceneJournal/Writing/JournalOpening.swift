/// Continues a journal that was read: in the last log if that log is untouched, else in a new one.
enum JournalOpening {
  /// The log to continue in, the sequence of its next batch, and why the log is shorter than
  /// requested; nil if it is not.
  typealias Begun = (log: OpenLog, nextSequence: UInt64, spaceShortage: SpaceShortage?)

  /// Continues in an untouched log. Nil if its blocks are not allocated, as after a copy, so that
  /// writes could fail on a full disk.
  private static func resume(
    _ last: LogReading, on disk: JournalDisk
  ) throws(JournalError) -> OpenLog? {
    let file = try disk.storage.open(last.log.name, for: .writing)
    guard try file.hasItsRoom() else { return nil }
    return OpenLog(
      header: last.log.header, file: file, position: last.position, zeroedEnd: last.position)
  }

  /// Continues after the last log, and removes the continued log from `files`. Without space for a
  /// new log, an untouched log of another length is used.
  static func goOn(
    files: inout JournalFiles, last: LogReading?, options: JournalOptions,
    on disk: inout JournalDisk
  ) throws(JournalError) -> Begun {
    if let last, last.isUntouched, last.log.isWritten(by: options),
      let log = try resume(last, on: disk)
    {
      files.logs.removeLast()
      return (log, last.nextSequence, nil)
    }
    let found = files
    do throws(JournalError) {
      return try begin(files: &files, last: last, options: options, on: &disk)
    } catch {
      guard case .noRoom(let room) = error, let last, last.isUntouched,
        last.log.header.durability == options.durability, let log = try resume(last, on: disk)
      else { throw error }
      files = found
      files.logs.removeLast()
      return (log, last.nextSequence, room)
    }
  }

  /// Begins the log of this process. The log seals the previous one before its last valid batch,
  /// and repeats that batch. Only that batch may be in the page cache and not on the disk.
  private static func begin(
    files: inout JournalFiles, last: LogReading?, options: JournalOptions,
    on disk: inout JournalDisk
  ) throws(JournalError) -> Begun {
    if let name = last?.log.name, last?.log.header.durability == .os {
      let file = try disk.storage.open(name, for: .writing)
      try disk.sync(file, named: name)
    }
    var reading = last
    let repeated = try reading?.lastRecords()
    let page = JournalFormat.pageByteCount
    let repeatedByteCount = last?.last.map { JournalFormat.pageBoundary(from: $0.byteCount) } ?? 0
    let smallest = page + 2 * repeatedByteCount
    var header = LogHeader(
      number: (last?.log.header.number ?? 0) + 1, salt: options.makeSalt(),
      byteCount: max(options.logByteCount, smallest), firstSequence: 1,
      syncedEnd: page + repeatedByteCount, previous: nil, durability: options.durability)
    guard let last else {
      return (try create(header, repeating: nil, on: &disk), 1, nil)
    }
    let end = last.last?.offset ?? last.position
    header.firstSequence = last.last?.sequence ?? last.nextSequence
    header.previous = LogHeader.Seal(
      end: end, salt: UInt32(truncatingIfNeeded: last.log.header.salt))
    files.logs[files.logs.count - 1].sealedEnd = end
    let (log, spaceShortage) = try create(
      &header, notBelow: max(smallest, options.smallestLogByteCount), repeating: repeated,
      on: &disk)
    return (log, header.firstSequence + (repeated == nil ? 0 : 1), spaceShortage)
  }

  /// Halves the length until the log fits: a broker must serve existing sessions, and only a
  /// running broker can free space.
  private static func create(
    _ header: inout LogHeader, notBelow smallest: Int, repeating records: JournalRecords?,
    on disk: inout JournalDisk
  ) throws(JournalError) -> (log: OpenLog, spaceShortage: SpaceShortage?) {
    var spaceShortage: SpaceShortage?
    while true {
      do throws(JournalError) {
        return (try create(header, repeating: records, on: &disk), spaceShortage)
      } catch {
        guard case .noRoom(let room) = error else { throw error }
        let half = JournalFormat.pageStart(of: header.byteCount / 2)
        guard half >= smallest else {
          let log = try disk.makeLogOfBallast(header) { start(of: $0, repeating: records) }
          guard let log else { throw error }
          return (log, spaceShortage ?? room)
        }
        spaceShortage = spaceShortage ?? room
        header.byteCount = half
      }
    }
  }

  private static func create(
    _ header: LogHeader, repeating records: JournalRecords?, on disk: inout JournalDisk
  ) throws(JournalError) -> OpenLog {
    let start = start(of: header, repeating: records)
    let reserved = try disk.reserve(
      header.number, byteCount: header.byteCount, start: start, zeroedEnd: start.count)
    let log = OpenLog(
      header: header, file: reserved.file, position: start.count, zeroedEnd: reserved.zeroedEnd)
    try disk.publish(reserved.temporaryName, as: log.name)
    disk.counts.begunLogs += 1
    return log
  }

  private static func start(
    of header: LogHeader, repeating records: JournalRecords?
  ) -> ContiguousArray<UInt8> {
    var start = header.encoded()
    if let records {
      // The batch needs no commit marker: the header states that it was synced.
      BatchHeader.encode(
        records, sequence: header.firstSequence, salt: header.salt, to: &start)
      JournalFormat.padToPage(&start)
    }
    return start
  }
}

extension JournalFiles.Log {
  /// Whether a writer with these options would make the same log.
  fileprivate func isWritten(by options: JournalOptions) -> Bool {
    header.durability == options.durability && header.byteCount == options.logByteCount
  }
}
