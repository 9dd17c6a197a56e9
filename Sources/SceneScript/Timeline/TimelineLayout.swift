import SceneModel

extension Timeline {
  package init(_ story: TraceStory) {
    self.init()
    guard let first = story.first else { return }
    start = first.time
    firstNumber = first.number
    putInOrder(story.lives, StoryClock(first))
    nameSessions()
    var cast = Cast(rows)
    for index in rows.indices { rows[index].process = cast.meet(rows[index], at: index) }
    processes = cast.processes
    giveLanes()
    drawLanes()
  }

  // MARK: - When

  /// Rows in the order of time, with the pauses and the new beginnings between them.
  private mutating func putInOrder(_ lives: [[TraceEntry]], _ clock: StoryClock) {
    var clock = clock
    for (number, life) in lives.enumerated() {
      if let first = life.first { clock.begin(first) }
      if number > 0 { add(.restart, at: clock.now) }
      for entry in life { add(.entry(entry), at: clock.time(of: entry)) }
    }
  }

  private mutating func add(_ happening: Happening, at time: Int64) {
    if let now = rows.last?.time, time - now >= Self.longPause {
      rows.append(Row(happening: .pause(time - now), time: now))
    }
    rows.append(Row(happening: happening, time: time))
  }

  // MARK: - About which session

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

  // MARK: - In which lane

  /// Each process in turn gets the leftmost lane that nobody has any more.
  private mutating func giveLanes() {
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
    var pen = LanePen(self)
    for index in rows.indices {
      rows[index].waited = pen.draw(rows[index], at: index)
      rows[index].strokes = pen.strokes
    }
    unanswered = pen.waits
  }
}
