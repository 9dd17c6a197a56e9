import SceneJSON
import SceneModel
import ScenePlatform

/// The events of one script, collected for the invariants, the reports and the timeline.
struct EventHistory {
  /// The trace of all brokers, without the entries about this process.
  var entries: [TraceEntry] = []
  /// The index where the script ended and the final check began; nil before.
  var end: Int?
  /// The brokers, each with the index of its first entry and without its entries.
  private var runs: [(start: Int, run: RunHistory.BrokerRun)] = []
  /// The newest generation of each session that a client knows is saved.
  private var acknowledged: [SessionIdentifier: Int64] = [:]
  private var unconfirmedDiscards: Set<SessionIdentifier> = []
  private(set) var contents = RunHistory.Contents()

  /// The next entries come from a new broker.
  mutating func beginRun(state: String?, declared: DeclaredManifest) {
    let run = RunHistory.BrokerRun(
      entries: [], acknowledged: acknowledged, state: state, declared: declared)
    runs.append((entries.count, run))
  }

  /// Records that nothing is in progress, and that all entries have arrived.
  mutating func addSettlePoint(silent: Set<Int64>) {
    guard let last = runs.indices.last else { return }
    let point = RunHistory.SettlePoint(entryCount: entries.count - runs[last].start, silent: silent)
    if runs[last].run.settlePoints.last != point { runs[last].run.settlePoints.append(point) }
  }

  func isDelegate(_ client: ScriptClient) -> Bool {
    contents.delegates.contains { $0.process == Int64(client.process.pid) }
  }

  mutating func add(delegate client: ScriptClient) {
    contents.delegates.append(RunHistory.Delegate(process: Int64(client.process.pid)))
  }

  /// Copies everything that a client saved and received.
  mutating func update(from client: ScriptClient) {
    for (text, generation) in client.acknowledged {
      guard let session = SessionIdentifier(text) else { continue }
      acknowledged[session] = max(generation, acknowledged[session] ?? 0)
    }
    contents.update(from: client)
  }

  /// Records the sessions that a command can discard without a trace entry: those that the words
  /// name, and the client's own.
  mutating func recordDiscard(_ words: [String], of client: ScriptClient?) {
    let log = TraceLog(entries)
    for word in words {
      let prefix = IdentifierPrefix(word)
      unconfirmedDiscards.formUnion(log.sessions(named: word) { prefix?.matches($0) ?? false })
    }
    if let session = client.flatMap({ SessionIdentifier($0.session) }) {
      unconfirmedDiscards.insert(session)
    }
  }

  /// The input of the invariants, with the sessions and activities that the last broker stores.
  func runHistory(
    _ sessions: [SessionSummary]?, _ kept: [SessionIdentifier: RawJSON]
  ) -> RunHistory {
    let ends = runs.dropFirst().map(\.start) + [entries.count]
    var contents = contents
    contents.kept = kept
    return RunHistory(
      runs: zip(runs, ends).map { run, end in
        var run = run
        run.run.entries = Array(entries[run.start..<end])
        return run.run
      },
      acknowledged: acknowledged, unconfirmedDiscards: unconfirmedDiscards, sessions: sessions,
      contents: contents)
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
    let entries = entries[..<(end ?? entries.endIndex)]
    guard !entries.isEmpty else { return nil }
    var lines: ContiguousArray<UInt8> = []
    for entry in entries {
      var writer = JSONWriter()
      entry.write(to: &writer)
      lines += writer.bytes + [UInt8(ascii: "\n")]
    }
    var timeline = Timeline(TraceLog(Array(entries)))
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

extension RunHistory.Contents {
  fileprivate mutating func update(from client: ScriptClient) {
    for (text, generations) in client.saved {
      guard let session = SessionIdentifier(text) else { continue }
      saved[session, default: [:]].merge(generations) { _, new in new }
    }
    restored.merge(client.restored) { _, new in new }
    let process = Int64(client.process.pid)
    if let index = delegates.lastIndex(where: { $0.process == process }) {
      delegates[index].delegateCalls = client.delegateCalls
    }
    for (topic, positions) in client.receivedEvents {
      receivedEvents[RunHistory.TopicObserver(process: process, topic: topic)] = positions
    }
  }
}
