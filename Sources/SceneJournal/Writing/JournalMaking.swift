extension Journal {
  /// Makes a journal in an empty directory, which the caller has locked. `fill` appends records to
  /// an empty value and returns whether more follow.
  ///
  /// The journal consists of a checkpoint and an empty log. The log is written first, so that an
  /// interrupted call leaves no complete journal.
  package static func make(
    in storage: any Storage, options: JournalOptions = JournalOptions(),
    fill: (inout JournalRecords) -> Bool
  ) throws(JournalError) {
    var disk = JournalDisk(storage)
    let lastLogSalt = options.makeSalt()
    let log = LogHeader(
      number: 2, salt: options.makeSalt(), byteCount: JournalFormat.pageByteCount,
      firstSequence: 2, syncedEnd: JournalFormat.pageByteCount,
      previous: LogHeader.Seal(
        end: JournalFormat.pageByteCount, salt: UInt32(truncatingIfNeeded: lastLogSalt)),
      durability: .disk)
    let reserved = try disk.reserve(
      log.number, byteCount: log.byteCount, start: log.encoded(), zeroedEnd: log.byteCount)
    try disk.publish(reserved.temporaryName, as: JournalFileName.log(log.number).text)
    var writing = try CheckpointWriting(
      CheckpointHeader(
        number: 1, salt: options.makeSalt(), lastLog: log.number - 1, lastLogSalt: lastLogSalt,
        nextSequence: log.firstSequence), on: &disk)
    var records = JournalRecords()
    var isMore = true
    while isMore {
      records.removeAll()
      isMore = fill(&records)
      if !records.isEmpty { try writing.append(records, on: &disk) }
    }
    _ = try writing.finish(on: &disk)
  }
}
