import SceneJSON
import SceneModel
import ScenePlatform

/// The collection of the events of a script, and its reports.
extension RunHistory {
  /// The trace of all brokers, without the entries about this process.
  var entries: [TraceEntry] { runs.flatMap(\.entries) }

  /// The next entries come from a new broker.
  mutating func beginRun(state: String?, declared: DeclaredManifest) {
    runs.append(
      BrokerRun(entries: [], acknowledged: acknowledged, state: state, declared: declared))
  }

  mutating func add(_ entry: TraceEntry) { runs[runs.count - 1].entries.append(entry) }

  /// Records that nothing is in progress, and that all entries have arrived.
  mutating func addSettlePoint(silent: Set<Int64>) {
    guard let last = runs.indices.last else { return }
    let point = SettlePoint(entryCount: runs[last].entries.count, silent: silent)
    if runs[last].settlePoints.last != point { runs[last].settlePoints.append(point) }
  }

  func isDelegate(_ client: ScriptClient) -> Bool {
    contents.delegates.contains { $0.process == Int64(client.process.pid) }
  }

  mutating func add(delegate client: ScriptClient) {
    contents.delegates.append(Delegate(process: Int64(client.process.pid)))
  }

  /// Copies everything that a client saved and received.
  mutating func update(from client: ScriptClient) {
    acknowledged.merge(client.acknowledged, uniquingKeysWith: max)
    for (session, generations) in client.saved {
      contents.saved[session, default: [:]].merge(generations) { $1 }
    }
    contents.restored.merge(client.restored) { $1 }
    let process = Int64(client.process.pid)
    if let index = contents.delegates.lastIndex(where: { $0.process == process }) {
      contents.delegates[index].delegateCalls = client.delegateCalls
    }
    for (topic, positions) in client.receivedEvents {
      contents.receivedEvents[TopicObserver(process: process, topic: topic)] = positions
    }
  }

  /// Records the sessions that a command can discard without a trace entry: those that the words
  /// name, and the client's own.
  mutating func recordDiscard(_ words: [String], of client: ScriptClient?) {
    let log = TraceLog(entries)
    for word in words { unconfirmedDiscards.formUnion(log.sessions(called: word)) }
    if let session = client.flatMap({ SessionIdentifier($0.session) }) {
      unconfirmedDiscards.insert(session)
    }
  }

  // MARK: - Timeline

  private static let rowsOfFailure = 12

  func lastRows() -> [String] {
    guard !entries.isEmpty else { return [] }
    let rows = timelineText(title: "").split(separator: "\n").dropFirst()
    return rows.suffix(Self.rowsOfFailure).map(String.init)
  }

  func timelineText(title: String) -> String {
    TimelineText(Timeline(TraceLog(entries))).text(title: title)
  }

  /// Writes the trace of the script as `trace.jsonl` and as `timeline.html`.
  ///
  /// - Returns: The path of the page; nil if the trace is empty or cannot be written.
  func write(to directory: String, title: String, remarks: [String]) -> String? {
    let entries = Array(entries.prefix(end ?? .max))
    guard !entries.isEmpty else { return nil }
    var lines: ContiguousArray<UInt8> = []
    for entry in entries {
      var writer = JSONWriter()
      entry.write(to: &writer)
      lines += writer.bytes + [UInt8(ascii: "\n")]
    }
    var timeline = Timeline(TraceLog(entries))
    // Only the entries about this process are missing, so the page does not report a gap.
    timeline.isWhole = true
    let page = TimelinePage(timeline, title: title, remarks: remarks)
    let path = directory + "/timeline.html"
    do throws(SystemError) {
      try File.write(lines, to: directory + "/trace.jsonl")
      try File.write(page.html.utf8, to: path)
      return path
    } catch {
      return nil
    }
  }
}
