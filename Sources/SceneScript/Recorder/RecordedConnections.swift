import SceneModel

/// The connections of the processes in a recording, up to the current entry.
struct RecordedConnections {
  /// The processes that the broker launched.
  private let launched: Set<Int64>
  /// The index of the last connection of each process.
  private let last: [Int64: Int]
  /// The index of the current entry.
  private var position = 0

  init(_ entries: [TraceEntry]) {
    launched = Set(entries.filter(\.isAboutLaunching).compactMap(\.client?.pid))
    var last: [Int64: Int] = [:]
    for (index, entry) in entries.filter({ !$0.isAboutLaunching }).enumerated() {
      guard entry.event == .joined || entry.event == .connected else { continue }
      if let client = entry.client { last[client.pid] = index }
    }
    self.last = last
  }

  mutating func advance() { position += 1 }

  func isLaunched(_ process: Int64) -> Bool { launched.contains(process) }

  /// Whether the process connects in the current or a later entry.
  func reconnects(_ process: Int64) -> Bool { last[process, default: -1] >= position }
}

extension TraceEntry {
  /// A line of the script starts each process, so the recorder skips these entries.
  var isAboutLaunching: Bool {
    event == .launched || event == .exited || event == .launchFailed
  }
}
