/// Reads a checkpoint and its logs in order, in steps. Never writes.
struct JournalReading: Sendable {
  private enum Stage: Sendable {
    case checkpoint(CheckpointReading)
    case log(LogReading, index: Int)
    case end(LogReading?)
  }

  private let source: JournalSource
  private let files: JournalFiles
  private var stage = Stage.end(nil)
  /// The current file, if the visitor has not received it yet.
  private var entered: JournalFile?
  private(set) var report = JournalReport()

  init(_ files: JournalFiles, in source: JournalSource) throws(JournalError) {
    self.files = files
    self.source = source
    if let checkpoint = files.checkpoint {
      stage = .checkpoint(try CheckpointReading(checkpoint, in: source))
      enter(checkpoint.description)
    } else {
      try enterLog(0, after: nil)
    }
  }

  /// The last log after its end was read; nil before, and without logs.
  var lastLog: LogReading? {
    if case .end(let log) = stage { log } else { nil }
  }

  /// Reads about as many bytes as a window has. Returns whether bytes are left.
  mutating func step(_ visitor: inout some JournalVisitor) throws(JournalError) -> Bool {
    let byteCount = source.windowByteCount
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
    stage = .log(try LogReading(log, in: source), index: index)
    enter(log.description)
  }

  private mutating func enter(_ file: JournalFile) {
    entered = file
    report.files.append(file.name)
  }
}
