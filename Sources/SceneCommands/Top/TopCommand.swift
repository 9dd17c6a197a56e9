import SceneCommandLine
import SceneControl
import SceneJSON
import SceneModel
import ScenePlatform

extension Verb {
  static let top = Verb(
    "top", "Show all sessions live, and act on them by keys.", run: CommandContext.top,
    details: """
      The most recently used session comes first. GEN is the number of the last saved activity. \
      WAIT is the callback that the scene has not answered, with its age. MEM and CPU are those \
      of the client and of the processes that it started, or - if they are unknown.

      The arrow keys select a session. a activates it, b sends it to the background, r reclaims \
      it, c closes it, o reopens it in a new terminal, d discards it after a question, and w shows \
      why it is in its state. The view has no discarded sessions: see scenectl trash. / filters \
      the list, ? shows all keys, and q quits. If the broker ends, the view waits for the next \
      broker.

      Without a terminal, or with --json, the verb prints the sessions once.
      """,
    examples: [
      "scenectl top": "Shows the sessions until you press q.",
      "scenectl top | cat": "Prints the table once.",
      "scenectl top --json": "Prints an object for each session.",
    ])
}

extension CommandContext {
  /// Whether the verb can show a view on a terminal, and take keys.
  var isInteractive: Bool {
    console.isScreen && !printsJSON && StandardStream.input.isTerminal
  }

  fileprivate func top() throws -> ExitCode {
    if isInteractive { return try TopLoop(self, .table).run() }
    let (sessions, model) = try observedModel()
    let usage = try sampledUsage(of: model)
    if printsJSON {
      for session in sessions.sorted(by: SessionSummary.precedes) {
        console.print(entry(of: session, model, usage))
      }
    } else {
      console.print(table(of: model.rows(at: model.now(), usage: usage)))
    }
    return .success
  }

  private func observedModel() throws -> ([SessionSummary], TopModel) {
    var model = TopModel()
    model.take(try request(ApplicationStatus()))
    try observeTrace(after: nil)
    let sessions = try broker.sessions(until: replyDeadline())
    model.take(sessions)
    for notification in try broker.takeNotifications() {
      if case .trace(let entry) = notification.content { model.take(.trace(entry)) }
    }
    return (sessions, model)
  }

  /// The time between the two samples that give the CPU usage, in nanoseconds.
  private static let sampleTime: Int64 = 200_000_000

  private func sampledUsage(of model: TopModel) throws -> TopUsage {
    var usage = TopUsage()
    let clients = model.clients
    guard !clients.isEmpty else { return usage }
    usage.take(ProcessUsage.all, at: SystemClock.monotonic(), of: clients)
    try broker.pause(nanoseconds: Self.sampleTime)
    usage.take(ProcessUsage.all, at: SystemClock.monotonic(), of: clients)
    return usage
  }

  private func table(of rows: [TopRow]) -> Table {
    var table = Table(TopColumn.allCases.map(\.heading))
    for row in rows { table.add(TopColumn.allCases.map { Table.Cell(row[$0]) }) }
    return table
  }

  private func entry(
    of session: SessionSummary, _ model: TopModel, _ usage: TopUsage
  ) -> TopEntry {
    let wait = model.wait(of: session.session)
    let value = session.client.flatMap { usage.value(of: $0) }
    var entry = TopEntry()
    entry.summary = session
    (entry.wait, entry.waitAge) = (wait?.what, wait.map { max(0, model.now() - $0.since) })
    entry.residentBytes = value?.residentBytes
    entry.cpuPercent = value?.percent.map { Int64($0.rounded()) }
    return entry
  }
}

/// A session in the output of `scenectl top --json`: its summary, and what is known of its process.
private struct TopEntry: JSONStructure {
  var summary = SessionSummary()
  /// The callback without an answer.
  var wait: String?
  /// Milliseconds.
  var waitAge: Int64?
  var residentBytes: Int64?
  var cpuPercent: Int64?

  init() {}

  mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try summary.visitMembers(&visitor)
    try visitor.optional("wait", &wait)
    try visitor.optional("waitAge", &waitAge)
    try visitor.optional("residentBytes", &residentBytes)
    try visitor.optional("cpuPercent", &cpuPercent)
  }
}
