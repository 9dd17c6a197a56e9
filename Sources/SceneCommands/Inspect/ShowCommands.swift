import SceneCommandLine
import SceneControl
import SceneJSON
import SceneModel
import SceneScript

extension Verb {
  static let show = Verb(
    "show", "Show all properties of a session.", script: .reads, run: CommandContext.show,
    arguments: [.optional("SESSION", "the session; default: $SCENE_SESSION", .session)],
    options: [
      .value(
        "value", "PATH",
        "print only this value, such as activity.userInfo.line: a string without quotes, any "
          + "other value as JSON",
        .suggested([
          "session", "name", "title", "state", "target", "role", "configuration", "client.name",
          "client.pid", "lastUsed", "generation", "program.arguments", "program.directory",
          "sceneSession.userInfo", "activity", "activity.activityType", "activity.userInfo",
        ]))
    ],
    examples: [
      "scenectl show packing": "Shows the session and its saved activity.",
      "scenectl show packing --value activity.userInfo.line": "Prints a value, such as 42.",
    ],
    exits: [.failure: "the session has no such value"])

  static let history = Verb(
    "history", "Show the stored activities of a session.", script: .reads,
    run: CommandContext.history,
    details: """
      Each saved activity is a generation of the session. In a crash loop, several clients in a \
      row crash with the same activity. The broker then withholds that activity from the next \
      client, and the list marks it as withheld. `scenectl restore` makes it current again.

      A terminal gets the beginning of a long activity, and a pipe all of it.
      """,
    arguments: [.optional("SESSION", "the session; default: $SCENE_SESSION", .session)],
    examples: ["scenectl history packing": "Prints a line for each generation, newest last."])

  static let why = Verb(
    "why", "Show the chain of causes for a session's state.", script: .reads,
    run: CommandContext.why,
    details: "Each line shows an action, its reason and the process that requested it.",
    arguments: [.optional("SESSION", "the session; default: $SCENE_SESSION", .session)],
    examples: [
      "scenectl why packing": "Prints the reasons since the broker started, newest last."
    ])
}

extension CommandContext {
  fileprivate func show() throws -> ExitCode {
    let session = try findSession()
    if let path = invocation.value("value") { return try showValue(at: path, of: session) }
    if printsJSON {
      console.print(session.json)
    } else {
      console.print(page(about: session, at: try applicationTime()))
    }
    return .success
  }

  private func showValue(at text: String, of session: FoundSession) throws -> ExitCode {
    guard let path = ValuePath(text) else {
      throw ProgramError(.usage, "\(ConditionError.badPath(text))")
    }
    let document = JSONDocument()
    try document.read(session.json.bytes.span)
    guard let value = path.value(inSession: document.root), !value.isNull else {
      let label = session.details.summary.label
      let problem = "\(label) has no value \(PlainText.escaped(text))"
      throw ProgramError(.failure, problem + members(besides: text, in: document.root))
    }
    if let string = value.string, !printsJSON {
      console.print(string)
    } else {
      console.print(value.raw)
    }
    return .success
  }

  /// The names of all values, unless the path begins with one of them.
  private func members(besides path: String, in root: JSONValue) -> String {
    let names = root.members.compactMap(\.name.string) + ["activity"]
    let isBegun = names.contains { path == $0 || path.hasPrefix("\($0).") }
    return isBegun ? "" : "; the values are \(names.joined(separator: ", "))"
  }

  /// A line for each property that is set.
  private func page(about session: FoundSession, at now: Int64) -> String {
    let summary = session.details.summary
    let record = session.details.sceneSession
    var rows: [(String, String)] = [("identifier", "\(summary.session)")]
    func add(_ label: String, _ value: String?) {
      if let value { rows.append((label, PlainText.escaped(value))) }
    }
    add("name", summary.name)
    add("title", summary.title)
    add("subtitle", record.subtitle)
    add("role", summary.role.rawValue)
    add("configuration", summary.configuration)
    add("state", summary.shownState(at: now))
    if summary.target != summary.state { add("target", summary.target.rawValue) }
    if let program = summary.program {
      let mark = program.reopens ? "" : " (no reopen)"
      add("command", SessionProgram.line(program.arguments) + mark)
      add("resume command", program.resume.map(SessionProgram.line))
      add("environment", program.environment.map(SessionProgram.line))
      add("retry", program.retry.flatMap { $0 == 0 ? "never" : Interval(seconds: $0)?.phrase })
      add("on hangup", program.onHangup?.rawValue)
      add("on activate", program.onActivate)
      add("directory", program.directory)
      add("confirmed", program.from.map { "not yet; the command came from \($0)" })
    }
    add("place", ScenePlacement(summary.placement)?.tmux.map { "tmux \($0.target)" })
    add("client", summary.client?.label)
    add("disconnected", summary.disconnect?.words)
    if let end = session.details.lastEnd?.content, summary.disconnect == nil {
      add("last end", "\(end.outcome.words), \(Age.text(from: end.time, to: now)) ago")
    }
    add("last used", Age.text(from: summary.lastUsed, to: now) + " ago")
    if record.userInfo != .empty { add("userInfo", record.userInfo.json.description) }
    add("generation", summary.generation == 0 ? nil : "\(summary.generation)")
    add("withheld", summary.withheld.map { words(about: $0, of: summary) })
    add("activity", record.stateRestorationActivity?.json.description ?? "none")
    add("can activate for", record.activationConditions?.canActivate.text)
    add("prefers", record.activationConditions?.prefersToActivate.text)
    add("snapshot", session.details.snapshot)
    let width = rows.reduce(0) { max($0, $1.0.count) }
    return rows.map { label, value in
      label + String(repeating: " ", count: width - label.count + 2) + value
    }
    .joined(separator: "\n")
  }

  /// For example "generation 3, crashLoop; get it back with: scenectl restore packing".
  private func words(about withheld: Withholding, of session: SessionSummary) -> String {
    "generation \(withheld.generation), \(withheld.reason); get it back with: "
      + suggestions().line("restore \(session.argument)")
  }

  /// For example "is at desktop; take it back with: scenectl move packing --from desktop".
  func words(about away: SessionAway, of session: SessionSummary) throws -> String {
    let hasAgent = try isAgentRunning()
    let options = suggestions().options
    if away.isArriving, !hasAgent {
      return "has not arrived completely from \(PlainText.escaped(away.to)); repeat the move: "
        + PlainText.escaped(suggestions().line("move \(session.argument) --from \(away.way)"))
    }
    guard away.isConfirmed || hasAgent else {
      return "is away, and \(PlainText.escaped(away.to)) has not confirmed its arrival; repeat the "
        + "move: "
        + PlainText.escaped(suggestions().line("move \(session.argument) --to \(away.way)"))
    }
    return PlainText.escaped(away.place(of: session.argument, options, hasAgent: hasAgent))
  }

  fileprivate func history() throws -> ExitCode {
    let (json, history, _) = try historyOfSession()
    if printsJSON { return succeed(json) }
    let now = try applicationTime()
    var table = Table(["GENERATION", "SAVED", "BYTES", "ACTIVITY"])
    for generation in history.generations {
      let activity = generation.activity
      table.add([
        Table.Cell(mark(on: generation, history.withheld)),
        Table.Cell(Age.text(from: generation.saved, to: now) + " ago"),
        Table.Cell("\(activity?.byteCount ?? 0)"),
        Table.Cell(activity?.json.description ?? "none"),
      ])
    }
    if !table.isEmpty { console.print(table) }
    if let end = history.end { console.print("Disconnected: \(end.words)") }
    if table.isEmpty, console.isScreen {
      console.printError("scenectl: the session has no saved activity")
    }
    return .success
  }

  /// The number of a generation and whether it is withheld, for example "3 (withheld, crashLoop)".
  private func mark(on generation: Generation, _ withheld: Withholding?) -> String {
    guard let withheld, withheld.generation == generation.number else {
      return "\(generation.number)"
    }
    return "\(generation.number) (withheld, \(PlainText.escaped(withheld.reason.rawValue)))"
  }

  fileprivate func why() throws -> ExitCode {
    do {
      let (json, history, session) = try historyOfSession()
      if printsJSON { return succeed(json) }
      try printReasons(history.reasons, of: session.client)
      // After a restart the broker has only the stored end of the last scene.
      if let end = history.end, !history.reasons.contains(where: { $0.event == .disconnected }) {
        console.print("Disconnected: \(end.words)")
      }
      if let away = session.away {
        console.print("The session \(try words(about: away, of: session))")
      } else if let end = history.end {
        console.print(
          end.isByUser
            ? "The user closed the window, so scenectl reopen does not open it."
            : history.staysClosed
              ? "The manifest keeps windows of this kind closed, so scenectl reopen does not open it."
              : "The user did not close the window, so scenectl reopen opens it again.")
      }
      return .success
    } catch {
      let failure = failure(for: error)
      guard failure.code == .noSession, !printsJSON else { throw failure }
      throw try explained(failure)
    }
  }

  private func printReasons(_ reasons: [TraceEntry], of client: ClientReference?) throws {
    let status = try request(ApplicationStatus())
    for line in reasons.reasonLines(of: client, at: status.now, since: status.startedAt) {
      console.print(line)
    }
  }

  /// Prints the trace entries of a session that no longer exists, and returns the error to throw.
  private func explained(_ failure: ProgramError) throws -> ProgramError {
    let word = try sessionArguments()[0]
    guard (try? observeTrace(after: nil)) != nil,
      let kept = try? broker.takeNotifications()
    else { return failure }
    let filter = TraceFilter.word(word)
    let reasons = kept.compactMap { notification -> TraceEntry? in
      guard case .trace(let entry)? = notification.content, entry.explains,
        filter.passes(entry)
      else { return nil }
      return entry
    }
    guard !reasons.isEmpty else {
      var failure = failure
      failure.message +=
        "\nThe trace has no entry about \(PlainText.word(word)); if a request failed, repeat the "
        + "request to see its error"
      return failure
    }
    if let renamed = renamed(reasons) {
      return ProgramError(
        .noSession,
        "\(PlainText.word(word)) is now called \(renamed.label)\n"
          + "Show the reasons of its state with: \(suggestions().line("why \(renamed.argument)"))")
    }
    try printReasons(reasons, of: nil)
    // The error names the way out of the trash.
    if reasons.last(where: { $0.event == .discarded })?.reason == "trash" { return failure }
    return ProgramError(
      .noSession,
      "\(PlainText.word(word)) no longer exists; the output shows its last reasons")
  }

  /// The session that the last reason is about, if the session still exists.
  private func renamed(_ reasons: [TraceEntry]) -> SessionSummary? {
    guard let session = reasons.last?.session else { return nil }
    let found = try? broker.find(session, until: replyDeadline())
    return found?.details.summary
  }

  private func historyOfSession() throws -> (RawJSON, SessionHistory.Reply, SessionSummary) {
    let session = try findSession()
    let json = try broker.result(
      of: broker.post(SessionHistory(session: session.identifier)), until: replyDeadline())
    let history = try ControlConnection.read(SessionHistory.Reply.self, from: json)
    return (json, history, session.details.summary)
  }
}

extension [TraceEntry] {
  /// The reasons of a session's state: a line for each entry, with its age and its sentence.
  /// `client` is the session's client now, and `start` the start of the broker.
  func reasonLines(
    of client: ClientReference?, at now: Int64, since start: Int64
  ) -> [String] {
    var reasons = self
    reasons.namePrograms(client)
    let ages = reasons.map { Age.text(from: $0.time, to: now) + " ago" }
    let width = ages.reduce(0) { Swift.max($0, $1.count) }
    let lines = zip(reasons, ages).map { reason, age in
      String(repeating: " ", count: width - age.count) + age + "  " + reason.sentence
    }
    // The trace of a broker begins with its start, and keeps a limited number of entries.
    // A launch begins before its session exists.
    if reasons.contains(where: { $0.event == .created }) { return lines }
    let age = Age.text(from: start, to: now)
    return ["Earlier causes are gone; the broker started \(age) ago."] + lines
  }
}

extension DisconnectOutcome {
  /// For example "the watchdog disconnected the scene: didEnterBackground exceeded its budget".
  var explanation: String {
    let callback = callback.map { PlainText.escaped($0) }
    guard reason == .watchdog, let callback else { return "the scene disconnected (\(words))" }
    return "the watchdog disconnected the scene: \(callback) exceeded its budget"
  }

  /// For example "watchdog, in didEnterBackground" or "connectionLost; its process was terminated
  /// by KILL".
  var words: String {
    let place = callback.map { ", in \($0)" } ?? ""
    // The sender of the signal says more than the exit.
    let exit = signal != nil && exit?.signal == signal?.signal ? nil : exit
    let rest = [cause?.words, exit.map { "its process \($0)" }, signal?.description]
      .compactMap(\.self)
    return PlainText.escaped((["\(reason)\(place)"] + rest).joined(separator: "; "))
  }
}
