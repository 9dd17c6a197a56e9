import SceneJournal
import SceneTestSupport

/// A script of calls to a writer, the same every time.
struct Workload {
  enum Step {
    case commit(JournalRecords)
    case attest
    case setAside(Int)
    case capacity(Int)
    /// The process ends in order and another opens the journal.
    case reopen
  }

  let options: JournalOptions
  let steps: [Step]
  /// What the journal adds up to after none, one, two … of the commits.
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

  /// Whether its disk is full now and then.
  var isCramped: Bool {
    steps.contains { if case .capacity = $0 { true } else { false } }
  }

  /// Commits of all sizes, which switch, compact, reopen and overwrite each other.
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

  /// The same at random moments, on a disk that is full now and then.
  static func cramped(
    _ options: JournalOptions, commits: Int = 60, seed: UInt64 = 7
  ) throws -> Workload {
    var random = SeededGenerator(seed: seed)
    var steps: [Step] = []
    for index in 1...commits {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: steps.append(.attest)
      case 1: steps.append(.reopen)
      case 2: steps.append(.setAside(.random(in: 0...6, using: &random)))
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
    // Makes every state one of its kind, so that what is recovered says how far it came.
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

/// How far a workload came.
struct Progress {
  /// Commits that were handed over, the last one perhaps without an answer.
  var submitted = 0
  /// Commits that were acknowledged.
  var acknowledged = 0
  var error: JournalError?
  /// Of all that opened the journal one after the other.
  var switches = 0
  var compactions = 0
  /// What the disk had room for, at one time or another.
  var storageStates: Set<DiskRoom> = []
  /// How often a commit or a start found no room at all.
  var waits = 0
  /// Compactions that came to their end on a full disk.
  var compactionsWhileFull = 0
}

extension Workload {
  /// Runs from the beginning on an empty disk until it is done or something fails. What finds no
  /// room is tried again when there is some.
  func run(on disk: SimulatedDisk) -> Progress {
    var progress = Progress()
    do throws(JournalError) {
      var writer = try open(disk, &progress)
      for step in steps {
        switch step {
        case .commit(let records):
          progress.submitted += 1
          try commit(records, to: &writer, on: disk, &progress)
          progress.acknowledged += 1
        case .attest: try writer.attestIdle()
        case .setAside(let count): writer.setAside = count
        case .capacity(let byteCount): disk.capacity = max(byteCount, disk.usedByteCount)
        case .reopen:
          progress.switches += writer.counts.switches
          writer = try open(disk, &progress)
        }
        try writer.prepareAhead(retrying: true)
        try compact(&writer, &progress)
        progress.storageStates.insert(writer.state)
      }
      while writer.isCompacting { try compact(&writer, &progress) }
      progress.switches += writer.counts.switches
    } catch {
      progress.error = error
    }
    return progress
  }

  private func compact(
    _ writer: inout NotesWriter, _ progress: inout Progress
  ) throws(JournalError) {
    let before = writer.counts.compactions
    _ = try writer.compactStep()
    let count = writer.counts.compactions - before
    progress.compactions += count
    if writer.state != .ok { progress.compactionsWhileFull += count }
  }

  private func commit(
    _ records: JournalRecords, to writer: inout NotesWriter, on disk: SimulatedDisk,
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
  ) throws(JournalError) -> NotesWriter {
    var notes = Notes()
    do throws(JournalError) {
      return try NotesWriter(disk, options: options, content: &notes)
    } catch {
      guard case .noRoom = error else { throw error }
      progress.waits += 1
      disk.capacity = .max
      notes = Notes()
      return try NotesWriter(disk, options: options, content: &notes)
    }
  }

  /// How many commits `notes` are the result of; nil if no number of them gives these.
  func commits(in notes: Notes) -> Int? {
    states.firstIndex(of: notes)
  }
}
