import SceneModel

/// Who is there: finds out from the rows which processes come, and when they go.
struct Cast {
  private(set) var processes: [Timeline.Process] = []
  /// Those that the broker knows, by their numbers.
  private var present: [Int64: Presence] = [:]
  /// Those whose broker has gone.
  private var adrift: [Int64: Presence] = [:]
  /// The last row that is about a process which was never seen to join.
  private let lastMentions: [Int64: Int]

  private struct Presence {
    var process: Int
    /// One process may be connected several times; that it was started counts as once.
    var connections = 1
  }

  init(_ rows: [Timeline.Row]) {
    var mentions: [Int64: Int] = [:]
    for (index, row) in rows.enumerated() {
      // What was asked and not answered goes on to the end.
      guard let entry = row.entry, let client = entry.client else { continue }
      mentions[client.pid] = entry.event == .callback ? nil : index
    }
    lastMentions = mentions
  }

  /// The process that a row is about.
  mutating func meet(_ row: Timeline.Row, at index: Int) -> Int? {
    if row.happening == .restart { loseAll(at: index) }
    guard let entry = row.entry, let client = entry.client else { return nil }
    defer {
      if entry.event == .left || entry.event == .exited { leave(client, at: index) }
    }
    if let presence = present[client.pid] {
      if entry.event == .joined { present[client.pid]?.connections += 1 }
      return presence.process
    }
    // Its end is told for each scene that it had.
    if entry.event == .exited { return nil }
    let process = comeBack(client) ?? processes.count
    if process == processes.count {
      // Of one that did not join here nothing is known but what is told of it.
      let isKnown = entry.event == .joined || entry.event == .launched
      let last = isKnown ? nil : lastMentions[client.pid]
      processes.append(Timeline.Process(client: client, first: index, last: last))
    }
    present[client.pid] = Presence(process: process)
    return process
  }

  /// The same process with another broker, if it is one.
  private mutating func comeBack(_ client: ClientReference) -> Int? {
    guard let process = adrift.removeValue(forKey: client.pid)?.process,
      processes[process].client == client
    else { return nil }
    processes[process].last = nil
    return process
  }

  private mutating func leave(_ client: ClientReference, at index: Int) {
    guard let presence = present[client.pid] else { return }
    present[client.pid]?.connections -= 1
    guard presence.connections <= 1 else { return }
    present[client.pid] = nil
    processes[presence.process].last = index
  }

  /// Unless it comes back, a process has gone with its broker, as far as one knows.
  private mutating func loseAll(at index: Int) {
    for presence in present.values { processes[presence.process].last = index }
    adrift = present
    present = [:]
  }
}

extension Timeline.Row {
  var entry: TraceEntry? {
    if case .entry(let entry) = happening { entry } else { nil }
  }
}
