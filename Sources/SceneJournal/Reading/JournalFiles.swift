/// The files of a journal, with checked headers.
struct JournalFiles: Sendable {
  struct Checkpoint: Sendable {
    var header: CheckpointHeader
    var byteCount: Int

    var name: String { JournalFileName.checkpoint(header.number).text }

    var description: JournalFile {
      JournalFile(
        name: name, number: header.number, byteCount: byteCount,
        kind: .checkpoint(lastLog: header.lastLog))
    }
  }

  struct Log: Sendable {
    var header: LogHeader
    /// The length of the file. A sealed log may be truncated.
    var fileByteCount: Int
    /// The end of this log by the header of the next one; nil for the last log.
    var sealedEnd: Int?

    /// The length of the needed part.
    var byteCount: Int { sealedEnd ?? header.byteCount }

    var name: String { JournalFileName.log(header.number).text }

    var description: JournalFile {
      JournalFile(
        name: name, number: header.number, byteCount: fileByteCount,
        kind: .log(durability: header.durability, sealedEnd: sealedEnd))
    }
  }

  /// The checkpoint that `logs` continue; nil if they begin with log 1.
  var checkpoint: Checkpoint?
  /// The logs without gaps; empty only in a directory without a journal.
  var logs: [Log] = []
  /// The files that a newer checkpoint replaced, and files of an interrupted preparation.
  var leftovers: [String] = []
}

extension JournalFiles {
  /// Finds the files of a journal and checks their order.
  init(in storage: any Storage) throws(JournalError) {
    try find(in: storage)
  }

  /// Adds the files until the first error. The files before the error are valid.
  mutating func find(in storage: any Storage) throws(JournalError) {
    var checkpoints: [UInt64] = []
    var numbers: [UInt64] = []
    let names = try storage.list()
    for name in names {
      switch JournalFileName(name) {
      case .checkpoint(let number): checkpoints.append(number)
      case .log(let number): numbers.append(number)
      case .temporary(let name): leftovers.append(name)
      case nil: continue
      }
    }
    checkpoints.sort()
    numbers.sort()
    leftovers.sort()
    if let newest = checkpoints.popLast() {
      checkpoint = try Checkpoint(number: newest, in: storage)
    }
    let included = checkpoint?.header.lastLog ?? 0
    for name in checkpoints.map({ JournalFileName.checkpoint($0) })
      + numbers.filter({ $0 <= included }).map({ JournalFileName.log($0) })
    {
      try Self.checkOwnership(of: name, in: storage)
      leftovers.append(name.text)
    }
    for number in numbers where number > included {
      try append(try Log(number: number, in: storage))
    }
    if checkpoint == nil, logs.isEmpty, let witness = try witness(in: storage, among: names) {
      throw .gone(witness: witness)
    }
    try logs.last?.checkLength()
    if let checkpoint, logs.isEmpty { throw missingLog(after: included, neededBy: checkpoint.name) }
  }

  /// A file that proves a deleted journal: all other files are prepared only after the first log
  /// has its durable name.
  private func witness(
    in storage: any Storage, among names: [String]
  ) throws(JournalError) -> String? {
    let first = JournalFileName.log(1).temporary
    if let prepared = leftovers.first(where: { $0 != first }) { return prepared }
    guard names.contains(JournalMark.file) else { return nil }
    return try JournalMark.isSet(in: storage) ? JournalMark.file : nil
  }

  /// Adds the next log, which seals the previous one.
  private mutating func append(_ log: Log) throws(JournalError) {
    let last = logs.last?.header.number ?? checkpoint?.header.lastLog ?? 0
    guard log.header.number == last + 1 else {
      throw missingLog(after: last, neededBy: log.name)
    }
    try checkContinuation(of: log)
    if let last = logs.indices.last {
      logs[last].sealedEnd = log.header.previous?.end
      try logs[last].checkLength()
    }
    logs.append(log)
  }

  private func missingLog(after number: UInt64, neededBy name: String) -> JournalError {
    .damaged(
      JournalDamage(
        file: JournalFileName.log(number + 1).text, offset: 0, cause: .missingFile(beside: name)))
  }

  private func checkContinuation(of log: Log) throws(JournalError) {
    let header = log.header
    let continues: Bool
    let before: String
    if let last = logs.last {
      let previous = last.header
      before = last.name
      continues =
        header.previous.map { seal in
          seal.salt == UInt32(truncatingIfNeeded: previous.salt)
            && JournalFormat.pageByteCount...previous.byteCount ~= seal.end
            && seal.end == JournalFormat.pageBoundary(from: seal.end)
        } ?? false
    } else if let checkpoint {
      before = checkpoint.name
      continues =
        header.previous?.salt == UInt32(truncatingIfNeeded: checkpoint.header.lastLogSalt)
        && header.firstSequence == checkpoint.header.nextSequence
    } else {
      before = "the start of a journal"
      continues = header.previous == nil && header.firstSequence == 1
    }
    if !continues {
      throw .damaged(
        JournalDamage(
          file: log.name, offset: 0, cause: .doesNotContinue(file: before)))
    }
  }

  /// Throws unless a file to remove belongs to the journal.
  private static func checkOwnership(
    of name: JournalFileName, in storage: any Storage
  ) throws(JournalError) {
    do throws(JournalError) {
      switch name {
      case .checkpoint(let number): _ = try Checkpoint(number: number, in: storage)
      case .log(let number): _ = try Log(number: number, in: storage)
      case .temporary: return
      }
    } catch .damaged {
      return
    }
  }
}

extension JournalFiles.Checkpoint {
  init(number: UInt64, in storage: any Storage) throws(JournalError) {
    let name = JournalFileName.checkpoint(number).text
    let start = try FileStart(
      of: name, in: storage, magic: JournalFormat.checkpointMagic,
      byteCount: JournalFormat.checkpointHeaderByteCount)
    header = try CheckpointHeader(decoding: start.bytes.span, of: name)
    byteCount = start.fileByteCount
    guard header.number == number else {
      throw .damaged(JournalDamage(file: name, offset: 16, cause: .number(header.number)))
    }
  }
}

extension JournalFiles.Log {
  init(number: UInt64, in storage: any Storage) throws(JournalError) {
    let name = JournalFileName.log(number).text
    let start = try FileStart(
      of: name, in: storage, magic: JournalFormat.logMagic,
      byteCount: JournalFormat.logHeaderByteCount)
    header = try LogHeader(decoding: start.bytes.span, of: name)
    guard header.number == number else {
      throw .damaged(JournalDamage(file: name, offset: 16, cause: .number(header.number)))
    }
    fileByteCount = start.fileByteCount
  }

  /// Checks the length: an unsealed log has its whole length.
  func checkLength() throws(JournalError) {
    guard fileByteCount >= byteCount else {
      throw .damaged(
        JournalDamage(
          file: name, offset: fileByteCount,
          cause: .tooShort(byteCount: fileByteCount, expected: byteCount)))
    }
  }
}

/// The first bytes of a file, with the length of a header.
private struct FileStart {
  let fileByteCount: Int
  private(set) var bytes: ContiguousArray<UInt8>

  init(
    of name: String, in storage: any Storage, magic: ContiguousArray<UInt8>, byteCount: Int
  ) throws(JournalError) {
    bytes = ContiguousArray(repeating: 0, count: byteCount)
    let file = try storage.open(name, for: .reading)
    fileByteCount = try file.size()
    let readable = try file.read(at: 0, count: byteCount, into: &bytes)
    if readable < byteCount {
      if !magic.starts(with: bytes.prefix(min(readable, magic.count))) {
        throw .foreign(file: name)
      }
      throw .damaged(
        JournalDamage(
          file: name, offset: readable,
          cause: .tooShort(byteCount: fileByteCount, expected: byteCount)))
    }
  }
}
