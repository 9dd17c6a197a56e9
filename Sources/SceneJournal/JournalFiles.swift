/// The files of a directory that make up its journal, their headers checked.
struct JournalFiles: Sendable {
  struct Base: Sendable {
    var header: BaseHeader
    var byteCount: Int

    var name: String { JournalFileName.base(header.number).text }

    var description: JournalFile {
      JournalFile(
        name: name, number: header.number, byteCount: byteCount,
        kind: .base(lastLog: header.lastLog))
    }
  }

  struct Log: Sendable {
    var header: LogHeader
    /// How long the file is: from when it is sealed on, it may end where its content does.
    var fileByteCount: Int
    /// Where the log after it says that this one ends; nil for the last.
    var sealedEnd: Int?

    /// How much of the file is needed.
    var byteCount: Int { sealedEnd ?? header.byteCount }

    var name: String { JournalFileName.log(header.number).text }

    var description: JournalFile {
      JournalFile(
        name: name, number: header.number, byteCount: fileByteCount,
        kind: .log(durability: header.durability, sealedEnd: sealedEnd))
    }
  }

  /// What `logs` continue; nil if they begin at log 1.
  var base: Base?
  /// Without a gap; empty only in a directory that never had a journal.
  var logs: [Log] = []
  /// What a newer base replaced, and what was being prepared when a process ended.
  var leftovers: [String] = []
}

extension JournalFiles {
  /// Finds a journal's files and checks that they continue each other.
  init(in storage: any Storage) throws(JournalError) {
    try find(in: storage)
  }

  /// Takes in what can be found until something is wrong; what was found before that is in order.
  mutating func find(in storage: any Storage) throws(JournalError) {
    var bases: [UInt64] = []
    var numbers: [UInt64] = []
    let names = try storage.listing()
    for name in names {
      switch JournalFileName(name) {
      case .base(let number): bases.append(number)
      case .log(let number): numbers.append(number)
      case .temporary(let name): leftovers.append(name)
      case nil: continue
      }
    }
    bases.sort()
    numbers.sort()
    leftovers.sort()
    if let newest = bases.popLast() {
      base = try Base(number: newest, in: storage)
    }
    let included = base?.header.lastLog ?? 0
    for name in bases.map({ JournalFileName.base($0) })
      + numbers.filter({ $0 <= included }).map({ JournalFileName.log($0) })
    {
      try Self.checkOwnership(of: name, in: storage)
      leftovers.append(name.text)
    }
    for number in numbers where number > included {
      try append(try Log(number: number, in: storage))
    }
    if base == nil, logs.isEmpty, let witness = try witness(in: storage, among: names) {
      throw .gone(witness: witness)
    }
    try logs.last?.checkLength()
    if let base, logs.isEmpty { throw missingLog(after: included, neededBy: base.name) }
  }

  /// What tells that there was a journal where nothing is left of it: all but the first log are
  /// prepared only when that one has its name, durably.
  private func witness(
    in storage: any Storage, among names: [String]
  ) throws(JournalError) -> String? {
    let first = JournalFileName.log(1).temporary
    if let prepared = leftovers.first(where: { $0 != first }) { return prepared }
    guard names.contains(JournalMark.file) else { return nil }
    do throws(StorageError) {
      return try JournalMark.isSet(in: storage) ? JournalMark.file : nil
    } catch {
      throw .storage(error)
    }
  }

  /// Adds the next log, which seals the one before it.
  private mutating func append(_ log: Log) throws(JournalError) {
    let last = logs.last?.header.number ?? base?.header.lastLog ?? 0
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
    } else if let base {
      before = base.name
      continues =
        header.previous?.salt == UInt32(truncatingIfNeeded: base.header.lastLogSalt)
        && header.firstSequence == base.header.nextSequence
    } else {
      before = "no other file"
      continues = header.previous == nil && header.firstSequence == 1
    }
    if !continues {
      throw .damaged(
        JournalDamage(
          file: log.name, offset: 0, cause: .doesNotContinue(file: before)))
    }
  }

  /// A file that is going to be removed must at least be ours.
  private static func checkOwnership(
    of name: JournalFileName, in storage: any Storage
  ) throws(JournalError) {
    do throws(JournalError) {
      switch name {
      case .base(let number): _ = try Base(number: number, in: storage)
      case .log(let number): _ = try Log(number: number, in: storage)
      case .temporary: return
      }
    } catch .damaged {
      return
    }
  }
}

extension JournalFiles.Base {
  init(number: UInt64, in storage: any Storage) throws(JournalError) {
    let name = JournalFileName.base(number).text
    let start = try FileStart(
      of: name, in: storage, magic: JournalFormat.baseMagic,
      byteCount: JournalFormat.baseHeaderByteCount)
    header = try start.decode { (bytes) throws(HeaderFlaw) in try BaseHeader(decoding: bytes) }
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
    header = try start.decode { (bytes) throws(HeaderFlaw) in try LogHeader(decoding: bytes) }
    guard header.number == number else {
      throw .damaged(JournalDamage(file: name, offset: 16, cause: .number(header.number)))
    }
    fileByteCount = start.fileByteCount
  }

  /// A log has its whole length from the beginning, and keeps it until it is sealed.
  func checkLength() throws(JournalError) {
    guard fileByteCount >= byteCount else {
      throw .damaged(
        JournalDamage(
          file: name, offset: fileByteCount,
          cause: .tooShort(byteCount: fileByteCount, expected: byteCount)))
    }
  }
}

/// The first bytes of a file, as many as a header has.
private struct FileStart {
  let name: String
  let fileByteCount: Int
  private var bytes: ContiguousArray<UInt8>

  init(
    of name: String, in storage: any Storage, magic: ContiguousArray<UInt8>, byteCount: Int
  ) throws(JournalError) {
    self.name = name
    bytes = ContiguousArray(repeating: 0, count: byteCount)
    let readable: Int
    do throws(StorageError) {
      let file = try storage.open(name, for: .reading)
      fileByteCount = try file.size()
      readable = try file.read(at: 0, count: byteCount, into: &bytes)
    } catch {
      throw .storage(error)
    }
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

  func decode<Header>(
    _ body: (Span<UInt8>) throws(HeaderFlaw) -> Header
  ) throws(JournalError) -> Header {
    do throws(HeaderFlaw) {
      return try body(bytes.span)
    } catch {
      switch error {
      case .foreign: throw .foreign(file: name)
      case .newer(let version): throw .newerFormat(file: name, version: version)
      case .damaged: throw .damaged(JournalDamage(file: name, offset: 0, cause: .header))
      }
    }
  }
}

extension Storage {
  fileprivate func listing() throws(JournalError) -> [String] {
    do throws(StorageError) {
      return try list()
    } catch {
      throw .storage(error)
    }
  }
}
