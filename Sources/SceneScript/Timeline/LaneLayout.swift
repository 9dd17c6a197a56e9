import SceneModel

/// Computes the strokes of all lanes, row by row.
struct LaneLayout {
  /// The stroke of each lane below the current row.
  private(set) var strokes: [Timeline.Stroke]
  /// The unanswered callbacks, oldest first.
  private(set) var waits: [Timeline.Wait] = []
  private let processes: [Timeline.Process]
  /// The processes that end in each row.
  private let leaving: [Int: [Int]]

  init(_ timeline: Timeline) {
    processes = timeline.processes
    strokes = [.thin] + Array(repeating: .none, count: timeline.laneCount - 1)
    var leaving: [Int: [Int]] = [:]
    for (index, process) in processes.enumerated() {
      if let last = process.last { leaving[last, default: []].append(index) }
    }
    self.leaving = leaving
  }

  /// Advances to the next row.
  ///
  /// - Returns: The time that the broker waited for the answer in this row, in microseconds.
  mutating func draw(_ row: Timeline.Row, at index: Int) -> Int64? {
    if row.content == .restart { setAdrift() }
    if let process = row.process { strokes[processes[process].lane] = .thin }
    let answered = note(row)
    for wait in answered { strokes[processes[wait.process].lane] = .thin }
    // A process can have several scenes, so another callback can still wait.
    for wait in waits { strokes[processes[wait.process].lane] = .heavy }
    for process in leaving[index] ?? [] {
      strokes[processes[process].lane] = .none
      waits.removeAll { $0.process == process }
    }
    return row.entry?.event == .disconnected ? nil : answered.first.map { row.time - $0.since }
  }

  /// A new broker waits for no callback.
  private mutating func setAdrift() {
    waits = []
    for lane in strokes.indices.dropFirst() where strokes[lane] != .none {
      strokes[lane] = .adrift
    }
  }

  /// Updates the unanswered callbacks; returns those that end in this row.
  private mutating func note(_ row: Timeline.Row) -> [Timeline.Wait] {
    guard let entry = row.entry else { return [] }
    switch entry.event {
    case .callback:
      guard let process = row.process else { return [] }
      waits.append(
        Timeline.Wait(
          process: process, session: row.session, callback: entry.callback, since: row.time))
      return []
    case .acknowledged, .failed, .overran:
      let index = waits.firstIndex {
        $0.session == row.session && $0.callback == entry.callback
      }
      return index.map { [waits.remove(at: $0)] } ?? []
    case .disconnected:
      let over = waits.filter { $0.session == row.session }
      waits.removeAll { $0.session == row.session }
      return over
    default:
      return []
    }
  }
}
