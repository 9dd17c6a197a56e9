/// A file of a damaged journal, possibly without a valid header.
struct SalvageFile {
  enum Header {
    case checkpoint(CheckpointHeader?)
    case log(LogHeader?)

    /// The salt; nil if the header and its copy are damaged.
    var salt: UInt64? {
      switch self {
      case .checkpoint(let header): header?.salt
      case .log(let header): header?.salt
      }
    }
  }

  let name: String
  let number: UInt64
  let header: Header
  /// The salt of the header or its copy. With a wrong salt, no batch is valid.
  let salt: UInt64
  /// The length of the file.
  let byteCount: Int
  /// The problems of the header and of the length.
  private(set) var flaws: [SalvageReport.Loss] = []
  /// Whether the file is too short.
  private(set) var isShort = false

  /// Nil for a file in preparation. Throws only errors of the disk.
  init?(_ fileName: JournalFileName, in storage: any Storage) throws(JournalError) {
    let (isCheckpoint, number): (Bool, UInt64)
    switch fileName {
    case .temporary: return nil
    case .checkpoint(let value): (isCheckpoint, number) = (true, value)
    case .log(let value): (isCheckpoint, number) = (false, value)
    }
    name = fileName.text
    self.number = number
    var page = ContiguousArray<UInt8>(repeating: 0, count: JournalFormat.pageByteCount)
    let file = try storage.open(name, for: .reading)
    byteCount = try file.size()
    _ = try file.read(at: 0, count: page.count, into: &page)
    var error: JournalError?
    do throws(JournalError) {
      if isCheckpoint {
        let found = try? CheckpointHeader(decoding: page.span, of: name)
        header = .checkpoint(found?.number == number ? found : nil)
        _ = try JournalFiles.Checkpoint(number: number, in: storage)
      } else {
        let found = [
          try? LogHeader(decoding: page.span, of: name), LogHeader(copyIn: page.span, of: name),
        ]
        header = .log(found.lazy.compactMap(\.self).first { $0.number == number })
        _ = try JournalFiles.Log(number: number, in: storage)
      }
    } catch let flaw {
      error = flaw
    }
    salt = header.salt ?? page.span.integer(at: 24, as: UInt64.self)
    guard let error else { return }
    var flaw = try Self.flaw(error, of: name)
    if header.salt != nil { flaw.reason += "; the copy of the header is intact" }
    flaws = [flaw]
  }

  private static func flaw(
    _ error: JournalError, of name: String
  ) throws(JournalError) -> SalvageReport.Loss {
    var loss = SalvageReport.Loss(
      file: name, bytes: 0..<JournalFormat.logHeaderByteCount, recordCount: 0,
      reason: "\(JournalDamage.Cause.header)")
    switch error {
    case .storage, .noRoom, .gone: throw error
    case .foreign: loss.reason = "the first bytes are damaged"
    case .newerFormat(_, let version): loss.reason = "the header claims format \(version)"
    case .damaged(let damage): loss.reason = "\(damage.cause)"
    }
    return loss
  }

  /// Reports a file that is shorter than its known end.
  fileprivate mutating func checkLength(before next: SalvageFile?) {
    guard let header = logHeader else { return }
    let seal = seal(by: next)
    guard let end = seal?.end ?? (next == nil ? header.byteCount : nil), byteCount < end else {
      return
    }
    let cause = JournalDamage.Cause.tooShort(byteCount: byteCount, expected: end)
    isShort = true
    flaws.append(
      .init(file: name, bytes: byteCount..<end, recordCount: nil, reason: "\(cause)"))
  }
}

extension SalvageFile {
  var logHeader: LogHeader? {
    if case .log(let header) = header { header } else { nil }
  }

  /// The largest offset that a broker would read.
  var readableEnd: Int { min(byteCount, logHeader?.byteCount ?? byteCount) }

  var description: JournalFile {
    switch header {
    case .checkpoint(let header):
      JournalFile(
        name: name, number: number, byteCount: byteCount,
        kind: .checkpoint(lastLog: header?.lastLog ?? 0))
    case .log(let header):
      JournalFile(
        name: name, number: number, byteCount: byteCount,
        kind: .log(durability: header?.durability ?? .disk, sealedEnd: nil))
    }
  }

  /// Whether this is the log after `other`; true if the header is unreadable.
  func continues(_ other: SalvageFile) -> Bool {
    guard case .log(let header) = header, case .log = other.header, number == other.number + 1
    else { return false }
    return header.map { $0.previous?.salt == UInt32(truncatingIfNeeded: other.salt) } ?? true
  }

  /// The seal of this log in the next one.
  func seal(by next: SalvageFile?) -> LogHeader.Seal? {
    guard let next, next.continues(self) else { return nil }
    return next.logHeader?.previous
  }
}

/// The files of a damaged journal in the order of reading.
struct SalvageFiles {
  private(set) var files: [SalvageFile] = []
  private(set) var missing: [SalvageReport.Loss] = []

  init(in source: JournalSource) throws(JournalError) {
    let storage = source.storage
    var checkpoints: [SalvageFile] = []
    var logs: [SalvageFile] = []
    for name in try storage.list() {
      guard let fileName = JournalFileName(name) else { continue }
      do throws(JournalError) {
        guard let file = try SalvageFile(fileName, in: storage) else { continue }
        if case .checkpoint = fileName { checkpoints.append(file) } else { logs.append(file) }
      } catch .storage(let error) where error.reason == .notAFile {
        missing.append(
          .init(file: name, bytes: 0..<0, recordCount: nil, reason: error.message))
      }
    }
    checkpoints.sort { $0.number < $1.number }
    logs.sort { $0.number < $1.number }
    if let newest = checkpoints.last,
      let lastLog = try Self.lastLog(inWhole: newest, source)
    {
      // A valid checkpoint replaces all earlier files.
      checkpoints = [newest]
      logs.removeAll { $0.number <= lastLog }
    }
    for checkpoint in checkpoints {
      if case .checkpoint(let header?) = checkpoint.header {
        let included = logs.prefix { $0.number <= header.lastLog }
        files += included
        logs.removeFirst(included.count)
      }
      files.append(checkpoint)
    }
    files += logs
    for index in files.indices {
      files[index].checkLength(before: files.dropFirst(index + 1).first)
    }
    findMissing()
  }

  /// The last log that a checkpoint contains; nil if the checkpoint is damaged.
  private static func lastLog(
    inWhole file: SalvageFile, _ source: JournalSource
  ) throws(JournalError) -> UInt64? {
    guard file.flaws.isEmpty, case .checkpoint(let header?) = file.header else { return nil }
    var reading = try CheckpointReading(
      JournalFiles.Checkpoint(header: header, byteCount: file.byteCount), in: source)
    var visitor = NullVisitor()
    var report = JournalReport()
    do throws(JournalError) {
      while try reading.step(&visitor, upTo: source.windowByteCount, report: &report) {}
      return header.lastLog
    } catch .damaged {
      return nil
    }
  }

  private mutating func findMissing() {
    // The next log; nil if unknown.
    var expected: UInt64? = 1
    for file in files {
      switch file.header {
      case .checkpoint(let header): expected = header.map { $0.lastLog + 1 }
      case .log:
        if let expected, expected < file.number { miss(expected, through: file.number - 1) }
        expected = file.number + 1
      }
    }
    if let expected, case .checkpoint = files.last?.header { miss(expected, through: expected) }
  }

  private mutating func miss(_ first: UInt64, through last: UInt64) {
    let name = JournalFileName.log(first).text
    if first == last, missing.contains(where: { $0.file == name }) { return }
    let isCheckpointMissing = first == 1
    var reason = "the file is missing"
    if last > first { reason = "all logs through \(JournalFileName.log(last).text) are missing" }
    if isCheckpointMissing { reason += ", or the checkpoint that replaced it" }
    missing.append(.init(file: name, bytes: 0..<0, recordCount: nil, reason: reason))
  }
}

/// A visitor that ignores everything.
private struct NullVisitor: JournalVisitor {
  mutating func visit(kind: UInt8, body: Span<UInt8>, at offset: Int) {}
}
