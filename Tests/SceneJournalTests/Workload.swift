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

  /// Commits of all sizes, which switch, compact, reopen and overwrite each other.
  static func mixed(
    _ options: JournalOptions, commits: Int = 60, seed: UInt64 = 7
  ) throws -> Workload {
    var random = SeededGenerator(seed: seed)
    var steps: [Step] = []
    for index in 1...commits {
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
      steps.append(.commit(records))
      if index % 5 == 0 { steps.append(.attest) }
      if index % 23 == 0 { steps.append(.reopen) }
    }
    return try Workload(options, steps)
  }
}

/// How far a workload came.
struct Progress {
  /// Commits that were handed over, the last one perhaps without an answer.
  var submitted = 0
  /// Commits that were acknowledged.
  var acknowledged = 0
  var error: JournalError?
  var counts = JournalCounts()
}

extension Workload {
  /// Runs from the beginning on an empty disk until it is done or something fails.
  func run(on disk: SimulatedDisk) -> Progress {
    var progress = Progress()
    do throws(JournalError) {
      var writer = try open(disk)
      for step in steps {
        switch step {
        case .commit(let records):
          progress.submitted += 1
          try writer.commit(records)
          progress.acknowledged += 1
        case .attest: try writer.attestIdle()
        case .setAside(let count): writer.setAside = count
        case .capacity(let byteCount): disk.capacity = byteCount
        case .reopen: writer = try open(disk)
        }
        try writer.prepareAhead(retrying: true)
        _ = try writer.compactStep()
        progress.counts = writer.counts
      }
      while try writer.compactStep() {}
      progress.counts = writer.counts
    } catch {
      progress.error = error
    }
    return progress
  }

  private func open(_ disk: SimulatedDisk) throws(JournalError) -> NotesWriter {
    var notes = Notes()
    return try NotesWriter(disk, options: options, content: &notes)
  }

  /// How many commits `notes` are the result of; nil if no number of them gives these.
  func commits(in notes: Notes) -> Int? {
    states.firstIndex(of: notes)
  }
}
