/// Reads a checkpoint and its logs in order, in steps. Never writes.
struct JournalReading: Sendable {
  private enum Stage: Sendable {
    case checkpoint(CheckpointReading)
    case log(LogReading, index: Int)
    case end(LogReading?)
  }

  private let storage: any Storage
  private let files: JournalFiles
  private let windowByteCount: Int
  private var stage = Stage.end(nil)
  /// The current file, if the visitor has not received it yet.
  private var entered: JournalFile?
  private(set) var report = JournalReport()

  init(
    _ files: JournalFiles, in storage: any Storage, windowByteCount: Int
  ) throws(JournalError) {
    self.files = files
    self.storage = storage
    self.windowByteCount = windowByteCount
    if let checkpoint = files.checkpoint {
      stage = .checkpoint(
        CheckpointReading(
          checkpoint, file: try storage.open(checkpoint.name, for: .reading),
          windowByteCount: windowByteCount))
      enter(checkpoint.description)
    } else {
      try enterLog(0, after: nil)
    }
  }

  /// The last log after its end was read; nil before, and without logs.
  var lastLog: LogReading? {
    if case .end(let log) = stage { log } else { nil }
  }

  /// Reads about `byteCount` bytes. Returns whether bytes are left.
  mutating func step(
    _ visitor: inout some JournalVisitor, upTo byteCount: Int
  ) throws(JournalError) -> Bool {
    if let file = entered.take() { visitor.visit(file) }
    switch stage {
    case .checkpoint(var reading):
      stage = .end(nil)
      if try reading.step(&visitor, upTo: byteCount, report: &report) {
        stage = .checkpoint(reading)
      } else {
        try enterLog(0, after: nil)
      }
    case .log(var reading, let index):
      stage = .end(nil)
      if try reading.step(&visitor, upTo: byteCount, report: &report) {
        stage = .log(reading, index: index)
      } else {
        try enterLog(index + 1, after: reading)
      }
    case .end:
      break
    }
    if case .end = stage { return false }
    return true
  }
}

extension JournalReading {
  private mutating func enterLog(_ index: Int, after previous: LogReading?) throws(JournalError) {
    guard index < files.logs.count else {
      stage = .end(previous)
      report.newestBatch = previous.map { $0.nextSequence - 1 } ?? 0
      report.confirmedBatch = previous?.confirmedBatch
      return
    }
    let log = files.logs[index]
    if let previous, previous.nextSequence != log.header.firstSequence {
      let cause = JournalDamage.Cause.sequence(
        expected: previous.nextSequence, found: log.header.firstSequence)
      throw .damaged(JournalDamage(file: log.name, offset: 0, cause: cause))
    }
    stage = .log(
      LogReading(
        log, file: try storage.open(log.name, for: .reading), windowByteCount: windowByteCount),
      index: index)
    enter(log.description)
  }

  private mutating func enter(_ file: JournalFile) {
    entered = file
    report.files.append(file.name)
  }
}
