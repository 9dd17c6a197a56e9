extension Journal {
  /// Makes a journal in an empty directory that is locked by the caller, of the records that `fill`
  /// appends to the empty value it is given; it returns whether there are more.
  ///
  /// It consists of a base and of an empty log, which comes first: until all is written there is
  /// nothing that could be taken for a whole journal.
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
    var writing = try BaseWriting(
      BaseHeader(
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
