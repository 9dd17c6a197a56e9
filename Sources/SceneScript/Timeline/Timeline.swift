import SceneCommandLine
package import SceneModel

/// A trace as rows and lanes, ready to draw.
///
/// Lane 0 is the broker's. A process has a lane from its first to its last row; then another
/// process can use the lane.
package struct Timeline: Equatable, Sendable {
  package internal(set) var rows: [Row] = []
  package internal(set) var processes: [Process] = []
  /// In the order of their first rows.
  package internal(set) var sessions: [Session] = []
  /// Includes the broker's lane.
  package internal(set) var laneCount = 1
  /// The callbacks without an answer at the end.
  package internal(set) var unanswered: [Wait] = []
  /// The start of the trace, in milliseconds since 1970; nil for an empty trace.
  package internal(set) var start: Int64?
  /// The number of the first entry. Earlier entries are missing.
  package internal(set) var firstNumber: Int64 = 1
  /// Whether no entry is missing, even if the first number is not 1.
  package var isWhole = false

  /// The shortest pause that gets a row of its own, in microseconds.
  package static let longPause: Int64 = 1_000_000
  /// So many or more successive saves of a session are one row.
  static let saveCount = 3
  /// The longest pause between two of them, in microseconds.
  static let savePause: Int64 = 60_000_000

  package struct Process: Equatable, Sendable {
    package var client: ClientReference
    package var lane = 0
    /// The index of its first row.
    package var first: Int
    /// The index of its last row; nil if the process stays to the end.
    package var last: Int?
  }

  package struct Session: Equatable, Sendable {
    package var identifier: SessionIdentifier
    package var name: String?

    /// Not escaped.
    package var label: String { name ?? identifier.short }
  }

  /// A callback without an answer.
  package struct Wait: Equatable, Sendable {
    /// Indices into `processes` and `sessions`.
    package var process: Int
    package var session: Int?
    package var callback: String?
    /// In microseconds since the start of the trace.
    package var since: Int64
  }

  package struct Row: Equatable, Sendable {
    package var content: Content
    /// In microseconds since the start of the trace.
    package var time: Int64
    /// An index into `sessions`.
    package var session: Int?
    /// An index into `processes`; nil for the broker.
    package var process: Int?
    /// The stroke of each lane below the row.
    package var strokes: [Stroke] = []
    /// The time that the broker waited for this answer, in microseconds.
    package var waited: Int64?
    /// The last of the successive saves that the row shows as one.
    package var lastSave: LastSave?
  }

  package struct LastSave: Equatable, Sendable {
    package var generation: Int64
    /// The microseconds from the first save to this one.
    package var duration: Int64
  }

  package enum Content: Equatable, Sendable {
    case entry(TraceEntry)
    /// No event for this time, in microseconds.
    case pause(Int64)
    /// A new broker; all processes must connect again.
    case restart
  }

  /// The stroke of a lane. The raw values order strokes that share a column: the highest wins.
  package enum Stroke: Int, Sendable, CaseIterable {
    case none
    /// A process without a broker.
    case adrift
    case thin
    /// A process with an unanswered callback.
    case heavy
  }

  package var isEmpty: Bool { rows.isEmpty }

  /// The lane of the row's mark.
  func lane(of row: Row) -> Int { row.process.map { processes[$0].lane } ?? 0 }
}

extension Timeline {
  package init(_ log: TraceLog) {
    self.init()
    guard let first = log.first else { return }
    start = first.time
    firstNumber = first.number
    addRows(log.runs, TraceClock(first))
    nameSessions()
    var processLanes = ProcessLanes(rows)
    for index in rows.indices { rows[index].process = processLanes.process(rows[index], at: index) }
    processes = processLanes.processes
    assignLanes()
    drawLanes()
  }

  // MARK: - Time

  /// Adds the rows in the order of time, with pauses and restarts.
  private mutating func addRows(_ runs: [[TraceEntry]], _ clock: TraceClock) {
    var clock = clock
    for (number, var run) in runs.enumerated() {
      run.namePrograms()
      if let first = run.first { clock.begin(first) }
      if number > 0 { add(.restart, at: clock.now) }
      let entries = run.map { (entry: $0, time: clock.time(of: $0)) }
      var rest = entries[...]
      while let first = rest.first {
        add(.entry(first.entry), at: first.time)
        rest = rest.dropFirst(fold(rest))
      }
    }
  }

  private mutating func add(_ content: Content, at time: Int64) {
    if let last = rows.last {
      let now = last.time + (last.lastSave?.duration ?? 0)
      if time - now >= Self.longPause { rows.append(Row(content: .pause(time - now), time: now)) }
    }
    rows.append(Row(content: content, time: time))
  }

  /// Makes the last row, which shows the first entry, show the saves that follow it too. Returns
  /// the number of entries that the row shows.
  private mutating func fold(_ entries: ArraySlice<(entry: TraceEntry, time: Int64)>) -> Int {
    var saves = entries.prefix(1)
    for next in entries.dropFirst() {
      guard let last = saves.last, next.entry.continues(last.entry),
        next.time - last.time < Self.savePause
      else { break }
      saves.append(next)
    }
    guard saves.count >= Self.saveCount, let first = saves.first, let last = saves.last,
      let generation = last.entry.generation
    else { return 1 }
    rows[rows.count - 1].lastSave = LastSave(
      generation: generation, duration: last.time - first.time)
    return saves.count
  }

  // MARK: - Sessions

  private mutating func nameSessions() {
    var indices: [SessionIdentifier: Int] = [:]
    for (number, row) in rows.enumerated() {
      guard let entry = row.entry, let identifier = entry.session else { continue }
      let index = indices[identifier] ?? sessions.count
      if index == sessions.count {
        indices[identifier] = index
        sessions.append(Session(identifier: identifier))
      }
      if let name = entry.name { sessions[index].name = name }
      rows[number].session = index
    }
  }

  // MARK: - Lanes

  /// Gives each process the leftmost free lane.
  private mutating func assignLanes() {
    var lastRows: [Int] = []
    for index in processes.indices {
      let first = processes[index].first
      let last = processes[index].last ?? .max
      if let free = lastRows.firstIndex(where: { $0 < first }) {
        lastRows[free] = last
        processes[index].lane = free + 1
      } else {
        lastRows.append(last)
        processes[index].lane = lastRows.count
      }
    }
    laneCount = lastRows.count + 1
  }

  private mutating func drawLanes() {
    var layout = LaneLayout(self)
    for index in rows.indices {
      rows[index].waited = layout.draw(rows[index], at: index)
      rows[index].strokes = layout.strokes
    }
    unanswered = layout.waits
  }
}

extension TraceEntry {
  /// Whether this is the next save of the same scene.
  fileprivate func continues(_ save: TraceEntry) -> Bool {
    event == .saved && save.event == .saved && session == save.session && client == save.client
      && by == save.by && generation == save.generation.map { $0 + 1 }
  }
}

extension Timeline {
  /// The text of a row, escaped. With `naming`, the text names the process because the drawing does
  /// not.
  func words(for row: Row, at index: Int, naming: Bool) -> String {
    switch row.content {
    case .pause(let time):
      return "\(TimeFormat.length(time)) later"
    case .restart:
      // A broker that ends in order first disconnects all clients.
      let hadClients =
        index > 0 && rows[index - 1].strokes.dropFirst().contains { $0 == .thin || $0 == .heavy }
      return "the broker \(hadClients ? "was killed" : "ended") and started again"
    case .entry(let entry):
      var words = entry.sentence
      if let last = row.lastSave, let first = entry.generation {
        words =
          "saved generations \(first) to \(last.generation) in "
          + TimeFormat.length(last.duration)
      }
      if let process = row.process, !entry.sentenceNamesProcess,
        naming || processes[process].first == index
      {
        words = PlainText.escaped(processes[process].client.label) + ": " + words
      }
      if let waited = row.waited, waited >= Self.noticeableWait {
        words += ", after \(TimeFormat.length(waited))"
      }
      return words
    }
  }

  /// The shortest wait that the text of an answer mentions, in microseconds.
  private static var noticeableWait: Int64 { 100_000 }

  /// The numbers of processes and sessions, and the duration.
  var facts: [String] {
    guard let start, let first = rows.first, let last = rows.last else {
      return ["no events"]
    }
    var facts = [
      counted(processes.count, "process", "processes"),
      counted(sessions.count, "session", "sessions"),
      "\(TimeFormat.length(last.time - first.time)) "
        + "from \(TimeFormat.date(start + first.time / 1000))",
    ]
    if firstNumber > 1, !isWhole { facts.append("without the entries before \(firstNumber)") }
    return facts
  }

  /// A sentence for each unanswered callback, escaped.
  var unansweredCallbacks: [String] {
    unanswered.map { wait in
      let session = wait.session.map { " of \(sessions[$0].label)" } ?? ""
      let callback = wait.callback ?? "a callback"
      return PlainText.escaped(
        "\(processes[wait.process].client.label) has not answered \(callback)\(session), "
          + "sent at \(TimeFormat.seconds(wait.since))")
    }
  }
}
