import SceneModel

/// Finds the processes in the rows, with their first and last rows.
struct ProcessLanes {
  private(set) var processes: [Timeline.Process] = []
  /// The connected processes by process identifier.
  private var present: [Int64: Patch] = [:]
  /// The processes whose broker has ended.
  private var adrift: [Int64: Patch] = [:]
  /// The last row about each process that did not join.
  private let lastMentions: [Int64: Int]

  private struct Patch {
    let process: Int
    let client: ClientReference
    /// A process can have several connections; its launch counts as one.
    var connections = 1
  }

  init(_ rows: [Timeline.Row]) {
    var mentions: [Int64: Int] = [:]
    for (index, row) in rows.enumerated() {
      // An unanswered callback extends the lane to the end.
      guard let entry = row.entry, let client = entry.client else { continue }
      mentions[client.pid] = entry.event == .callback ? nil : index
    }
    lastMentions = mentions
  }

  /// The index of the process of a row.
  mutating func process(_ row: Timeline.Row, at index: Int) -> Int? {
    if row.content == .restart { disconnectAll(at: index) }
    guard let entry = row.entry, let client = entry.client else { return nil }
    defer {
      if entry.event == .left || entry.event == .exited { leave(client, at: index) }
    }
    if let presence = present[client.pid] {
      if client.program != nil { processes[presence.process].client = client }
      if entry.event == .joined { present[client.pid]?.connections += 1 }
      return presence.process
    }
    // An exit has one entry for each scene.
    if entry.event == .exited { return nil }
    let process = reconnect(client, entry.event) ?? processes.count
    if process == processes.count {
      // A process that did not join ends with its last entry.
      let isKnown = entry.event == .joined || entry.event == .launched
      let last = isKnown ? nil : lastMentions[client.pid]
      processes.append(Timeline.Process(client: client, first: index, last: last))
    }
    present[client.pid] = Patch(process: process, client: client)
    return process
  }

  /// The same process after a restart of the broker. A launched process is new, and one with
  /// another start time only has the same number.
  private mutating func reconnect(_ client: ClientReference, _ event: TraceEvent) -> Int? {
    guard let before = adrift.removeValue(forKey: client.pid), event != .launched,
      before.client.canBe(client)
    else { return nil }
    processes[before.process].last = nil
    return before.process
  }

  private mutating func leave(_ client: ClientReference, at index: Int) {
    guard let presence = present[client.pid] else { return }
    present[client.pid]?.connections -= 1
    guard presence.connections <= 1 else { return }
    present[client.pid] = nil
    processes[presence.process].last = index
  }

  /// Ends all processes at the end of a broker. Those that reconnect continue.
  private mutating func disconnectAll(at index: Int) {
    for presence in present.values { processes[presence.process].last = index }
    adrift = present
    present = [:]
  }
}

extension Timeline.Row {
  var entry: TraceEntry? {
    if case .entry(let entry) = content { entry } else { nil }
  }
}
