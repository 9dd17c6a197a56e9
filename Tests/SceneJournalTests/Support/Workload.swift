import SceneJournal
import SceneTestSupport

/// A reproducible sequence of calls to a writer.
struct Workload {
  enum Step {
    case commit(JournalRecords)
    case attest
    case reserveBatches(Int)
    case capacity(Int)
    /// The process ends, and another one opens the journal.
    case reopen
  }

  let options: JournalOptions
  let steps: [Step]
  /// The content after 0, 1, 2 … commits.
  let states: [Notes]

  init(_ options: JournalOptions, _ steps: [Step]) throws {
    self.options = options
    self.steps = steps
    var states = [Notes()]
    for case .commit(let records) in steps {
      states.append(try states[states.count - 1].adding(records))
    }
    self.states = states
  }

  /// Whether the disk is sometimes full.
  var isCramped: Bool {
    steps.contains { if case .capacity = $0 { true } else { false } }
  }

  /// Commits of all sizes, which cause new logs, compactions and reopenings, and overwrite each
  /// other.
  static func mixed(
    _ options: JournalOptions, commits: Int = 60, seed: UInt64 = 7
  ) throws -> Workload {
    var random = SeededGenerator(seed: seed)
    var steps: [Step] = []
    for index in 1...commits {
      steps.append(.commit(records(index, using: &random)))
      if index % 5 == 0 { steps.append(.attest) }
      if index % 23 == 0 { steps.append(.reopen) }
    }
    return try Workload(options, steps)
  }

  /// The same at random moments, on a disk that is sometimes full.
  static func cramped(
    _ options: JournalOptions, commits: Int = 60, seed: UInt64 = 7
  ) throws -> Workload {
    var random = SeededGenerator(seed: seed)
    var steps: [Step] = []
    for index in 1...commits {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: steps.append(.attest)
      case 1: steps.append(.reopen)
      case 2: steps.append(.reserveBatches(.random(in: 0...6, using: &random)))
      case 3...5:
        let byteCount = options.logByteCount
        steps.append(.capacity(.random(in: byteCount...4 * byteCount, using: &random)))
      case 6: steps.append(.capacity(.max))
      default: break
      }
      steps.append(.commit(records(index, using: &random)))
    }
    return try Workload(options, steps)
  }

  private static func records(
    _ index: Int, using random: inout SeededGenerator
  ) -> JournalRecords {
    var records = JournalRecords()
    // Makes each state unique, so that the recovered state shows the number of commits.
    records.set(0, "\(index)")
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let number = Int.random(in: 1...12, using: &random)
      if Int.random(in: 0..<4, using: &random) == 0 {
        records.clear(number)
      } else {
        let length = Int.random(in: 0...1500, using: &random)
        records.set(number, String(repeating: "\(index % 10)", count: length))
      }
    }
    return records
  }
}

/// The progress of a workload.
struct Progress {
  /// The submitted commits, the last one perhaps without a result.
  var submitted = 0
  /// The number of calls of the disk before each acknowledgement.
  var acknowledgements: [Int] = []
  /// The acknowledged commits.
  var acknowledged: Int { acknowledgements.count }
  var error: JournalError?
  /// The total of all writers.
  var begunLogs = 0
  var compactions = 0
  /// All observed states of the free space.
  var storageStates: Set<DiskRoom> = []
  /// The number of commits and starts without space.
  var waits = 0
  /// The compactions that ended on a full disk.
  var compactionsWhileFull = 0
}

extension Workload {
  /// Runs on an empty disk until the end or the first failure. Repeats calls that fail for lack of
  /// space.
  func run(on disk: SimulatedDisk) -> Progress {
    var progress = Progress()
    do throws(JournalError) {
      var writer = try open(disk, &progress)
      for step in steps {
        switch step {
        case .commit(let records):
          progress.submitted += 1
          try commit(records, to: &writer, on: disk, &progress)
          progress.acknowledgements.append(disk.calls)
        case .attest: try writer.writeCommitMarker()
        case .reserveBatches(let count): writer.reservedBatchCount = count
        case .capacity(let byteCount): disk.capacity = max(byteCount, disk.usedByteCount)
        case .reopen:
          progress.begunLogs += writer.counts.begunLogs
          writer = try open(disk, &progress)
        }
        try writer.prepareAhead(retrying: true)
        try compact(&writer, &progress)
        progress.storageStates.insert(writer.state)
      }
      while writer.isCompacting { try compact(&writer, &progress) }
      progress.begunLogs += writer.counts.begunLogs
    } catch {
      progress.error = error
    }
    return progress
  }

  private func compact(
    _ writer: inout JournalWriter, _ progress: inout Progress
  ) throws(JournalError) {
    let before = writer.counts.compactions
    _ = try writer.compactStep()
    let count = writer.counts.compactions - before
    progress.compactions += count
    if writer.state != .ok { progress.compactionsWhileFull += count }
  }

  private func commit(
    _ records: JournalRecords, to writer: inout JournalWriter, on disk: SimulatedDisk,
    _ progress: inout Progress
  ) throws(JournalError) {
    do throws(JournalError) {
      try writer.commit(records)
    } catch {
      guard case .noRoom = error else { throw error }
      progress.waits += 1
      disk.capacity = .max
      try writer.commit(records)
    }
  }

  private func open(
    _ disk: SimulatedDisk, _ progress: inout Progress
  ) throws(JournalError) -> JournalWriter {
    var notes = Notes()
    do throws(JournalError) {
      return try JournalWriter(disk, options: options, content: &notes)
    } catch {
      guard case .noRoom = error else { throw error }
      progress.waits += 1
      disk.capacity = .max
      notes = Notes()
      return try JournalWriter(disk, options: options, content: &notes)
    }
  }

  /// The number of commits that produces `notes`; nil if there is none.
  func commits(in notes: Notes) -> Int? {
    states.firstIndex(of: notes)
  }
}
