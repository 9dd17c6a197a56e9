import SceneCommandLine
import SceneControl
import SceneJSON
import SceneModel
import ScenePlatform
import SceneScript

extension Verb {
  private static var lastColumn: String {
    """
    The most recently used session comes first. LAST shows the time since the session was last \
    connected, disconnected or activated, by the clock of the application. A disconnection while \
    no broker ran counts from the start of the next broker.
    """
  }

  static let status = Verb(
    "status", "Show the application and its sessions.", script: .reads, run: CommandContext.status,
    details: lastColumn,
    examples: ["scenectl --json": "Prints the reply to application/status."])

  static let sessions = Verb(
    "sessions", "List the sessions.", script: .reads, traits: [.timeoutIsForReply],
    run: CommandContext.sessions,
    details: lastColumn + """
       For discarded sessions see scenectl trash.

      On a terminal the rows fit the window. --columns and --format print whole values; LAST is \
      then a time in milliseconds since 1970. The columns are \(SessionColumn.names).

      With --json the verb prints a line for each page of the list. With --json --watch it \
      prints a line for each session, and then a line for each change. If the broker ends, \
      --watch waits for the next one, and begins again.
      """,
    options: [
      .flag("watch", short: "w", "keep the list up to date until Ctrl-C"),
      .flag(
        "names",
        "print only the name of each session, or the start of its identifier if it has no name"),
      .value(
        "columns", "LIST", "show these columns, separated by commas",
        .suggested(SessionColumn.allCases.map(\.rawValue))),
      .value(
        "format", "TEXT",
        "print this text for each session, with the value of a column in place of its name in "
          + "braces, such as {name}; {{ and }} print a brace, \\t a tab, \\n a line break", .name),
      .choice(
        "state", ActivationState.allCases.map(\.rawValue), "list the sessions in this state"),
      .flag(
        "was-open",
        "list the sessions without a scene whose user did not close the last one"),
      .value("role", "ROLE", "list the sessions of this role", .name),
      .repeated("where", "NAME=VALUE", "list the sessions with this member in userInfo"),
      .value(
        "timeout", "TIME", "the time for the broker to answer (default: 10s)", .duration),
    ],
    exclusive: [
      ["watch", "names"], ["watch", "timeout"], ["watch", "state"], ["watch", "role"],
      ["watch", "where"], ["watch", "was-open"], ["watch", "format"],
      ["names", "columns", "format", "json"],
    ],
    examples: [
      "scenectl sessions --watch": "Shows the current list on the terminal.",
      "scenectl sessions --state background --where list=inbox":
        "Lists the sessions in the background with this member.",
      "scenectl sessions --was-open":
        "Lists the sessions that a crash, a logout or a restart of the machine ended.",
      "scenectl sessions --columns name,pid,command": "Lists the processes and their commands.",
      "scenectl sessions --format '{pid} {name}'": "Prints a line for each session.",
      "scenectl sessions --json --watch": "Prints an object for each change.",
    ],
    aliases: ["ls", "list", "ps"])

  static let switcher = Verb(
    "switcher", "Switch between sessions by their titles and snapshots.", script: .reads,
    run: CommandContext.switcher,
    details: """
      The most recently used session comes first. A snapshot is the text that a scene last sent \
      to show what it looks like. The snapshot stays after the scene disconnects.

      On a terminal, the arrow keys select a session, and Enter activates it and ends the verb. If \
      the session has no scene, Enter opens its window again, as scenectl reopen does. \
      The other keys are those of scenectl top; ? shows them. Without a terminal, with --json or \
      with --limit, the verb prints the sessions once.
      """,
    options: [
      .value("limit", "N", "the number of sessions (default: 20)", .integer(1...100_000))
    ],
    examples: [
      "scenectl switcher": "Shows a card for each session until you choose one.",
      "scenectl switcher --json": "Prints an object with all properties of each session.",
    ])
}

extension CommandContext {
  fileprivate func status() throws -> ExitCode {
    let request = try broker.post(ApplicationStatus())
    let sessions = printsJSON ? [] : try broker.sessions(until: replyDeadline())
    let json = try broker.result(of: request, until: replyDeadline())
    if printsJSON { return succeed(json) }
    let status = try ControlConnection.read(ApplicationStatus.Reply.self, from: json)
    console.print(line(about: status))
    if !sessions.isEmpty { console.print(try table(of: sessions, at: status.now)) }
    return .success
  }

  /// For example `application default: active; 1 session, durability disk, 0 of 1280 MiB used`.
  private func line(about status: ApplicationStatus.Reply) -> String {
    var name = PlainText.escaped(status.name)
    let bundle = [status.bundleName, status.bundleVersion].compactMap(\.self)
    if !bundle.isEmpty { name += " (\(PlainText.escaped(bundle.joined(separator: " "))))" }
    let count = counted(status.sessions, "session", "sessions")
    var line = "application \(name): \(status.phase.rawValue); \(count)"
    line += ", durability \(PlainText.escaped(status.durability))"
    if status.storage != "ok" { line += ", storage \(PlainText.escaped(status.storage))" }
    if status.clock != "real" { line += ", clock \(PlainText.escaped(status.clock))" }
    if let bytes = status.bytes, let limit = status.byteLimit {
      line += ", \(bytes >> 20) of \(limit >> 20) MiB used"
    }
    if let delegate = status.delegate {
      line += ", application delegate: \(PlainText.escaped(delegate.label))"
    }
    if let waiting = status.awaitingDelegate {
      let requests = counted(waiting, "request waits", "requests wait")
      line += "\n\(requests) for \(awaitedDelegate(in: status))"
    }
    if let pressure = status.pressure { line += "\npressure: \(PlainText.escaped(pressure))" }
    return line
  }

  fileprivate func sessions() throws -> ExitCode {
    if invocation.has("watch") { return try watch() }
    var sessions: [SessionSummary] = []
    let filter = try sessionFilter()
    try broker.forEachPage(of: filter, until: replyDeadline()) { page, json in
      sessions += page.sessions
      if printsJSON { console.print(json) }
    }
    if invocation.has("names"), !printsJSON {
      for session in sessions.sorted(by: SessionSummary.precedes) { console.print(session.label) }
    } else if let format = try sessionFormat() {
      for session in sessions.sorted(by: SessionSummary.precedes) {
        console.print(format.line(of: session))
      }
    } else if !printsJSON {
      console.print(try table(of: sessions, at: try applicationTime()))
    }
    if sessions.isEmpty, filter != SessionList(), console.isScreen {
      console.printError("scenectl: no session matches the filter")
    }
    return .success
  }

  /// The filter of `--state`, `--role` and `--where`.
  private func sessionFilter() throws -> SessionList {
    let members = invocation.values("where")
    return SessionList(
      state: invocation.value("state").flatMap(ActivationState.init),
      role: invocation.value("role").map(Role.init(rawValue:)),
      wasOpen: invocation.has("was-open") ? true : nil,
      matching: members.isEmpty ? nil : try object(of: members))
  }

  /// Follows the list for as long as the output has a reader.
  private func watch() throws -> ExitCode {
    var list: ObservedSessions = [:]
    isFollowing = true
    let redraws = console.isScreen && !printsJSON
    let resizes = redraws ? try processControl.signals([.windowChange]) : nil
    let observation = try broker.post(SessionObserve())
    try load(&list)
    _ = try broker.result(of: observation, until: replyDeadline())
    if !printsJSON { try show(list) }
    while true {
      try show(try resizes.map(changes(orResizes:)) ?? nextNotifications(), in: &list)
    }
  }

  private func load(_ list: inout ObservedSessions) throws {
    list = [:]
    try broker.forEachPage(of: SessionList(), until: replyDeadline()) { page, json in
      list.add(page.sessions)
      if printsJSON { printEach(inPage: json) }
    }
  }

  /// The next changes; none if the window has another size.
  private func changes(orResizes resizes: SignalSource) throws -> [ControlNotification] {
    try console.flush()
    let arrived = try broker.takeNotifications()
    guard arrived.isEmpty else { return arrived }
    let poller = try Poller()
    for number in [try broker.descriptor, resizes.number] {
      try poller.add(number, token: 0, interest: .readable)
    }
    var events: ContiguousArray<PollEvent> = []
    try poller.wait(nanoseconds: nil, into: &events)
    while try resizes.next() != nil {}
    try broker.handleInput()
    return try broker.takeNotifications()
  }

  private func show(
    _ changes: [ControlNotification], in list: inout ObservedSessions
  ) throws {
    if changes.contains(where: { $0.interruption == .reconnected }) { try load(&list) }
    for change in changes where change.method == "session/changed" {
      switch change.content {
      case .sessionChanged(let summary): list.add([summary])
      case .sessionDiscarded(let session): list[session] = nil
      default: continue
      }
      if printsJSON { console.print(change.params) }
    }
    if !printsJSON { try show(list) }
  }

  /// Clears a screen first. Elsewhere, an empty line follows each table.
  private func show(_ list: ObservedSessions) throws {
    let now = try applicationTime()
    if console.isScreen { console.clearScreen() }
    console.print(try table(of: list.values, at: now))
    if !console.isScreen { console.print("") }
  }

  private func printEach(inPage json: RawJSON) {
    guard let document = JSONDocument(reading: json.bytes) else { return }
    for session in document.root["sessions"]?.elements ?? document.root.elements {
      console.print(session.raw)
    }
  }

  private func table(of sessions: some Collection<SessionSummary>, at now: Int64) throws -> Table {
    let given = invocation.knows("columns") ? try givenColumns() : nil
    let hasPrograms = sessions.contains { $0.program != nil }
    let columns = given ?? SessionColumn.standard(hasPrograms: hasPrograms)
    var table = Table(columns.map(\.column), isWhole: given != nil)
    for session in sessions.sorted(by: SessionSummary.precedes) {
      table.add(
        columns.map { column in
          let text = given == nil ? column.text(of: session, at: now) : column.value(of: session)
          return Table.Cell(text ?? "-", column == .state ? session.state.style : .plain)
        })
    }
    return table
  }

  /// The columns of `--columns`; nil without the option.
  private func givenColumns() throws -> [SessionColumn]? {
    try invocation.value("columns")?.split(separator: ",", omittingEmptySubsequences: false)
      .map { word in
        guard let column = SessionColumn(rawValue: word.lowercased()) else {
          throw unknownColumn(String(word), in: "columns")
        }
        return column
      }
  }

  private func sessionFormat() throws -> SessionFormat? {
    try invocation.value("format").map { text in
      try SessionFormat(text) { unknownColumn($0, in: "format") }
    }
  }

  private func unknownColumn(_ word: String, in option: String) -> UsageError {
    invocation.usageError(
      "--\(option): there is no column \(PlainText.word(word)); the columns are "
        + SessionColumn.names)
  }

  /// Prints a card for each of the most recently used sessions.
  fileprivate func switcher() throws -> ExitCode {
    if isInteractive, !invocation.has("limit") { return try TopLoop(self, .cards).run() }
    let sessions = try broker.sessions(until: replyDeadline()).sorted(by: SessionSummary.precedes)
    let now = try applicationTime()
    let shown = sessions.prefix(invocation.integer("limit") ?? Self.sessionsInSwitcher)
    var isFirst = true
    for summary in shown {
      // The session can be discarded meanwhile.
      let found = try broker.find(summary.session, until: replyDeadline())
      guard let session = found else { continue }
      if printsJSON {
        console.print(session.json)
      } else {
        if !isFirst { console.print("") }
        console.print(card(of: session.details, at: now))
      }
      isFirst = false
    }
    if shown.count < sessions.count, !printsJSON {
      let rest = sessions.count - shown.count
      console.print("\n… and \(rest) more; --limit \(sessions.count) shows them")
    }
    return .success
  }

  private static let sessionsInSwitcher = 20

  private func card(of session: SessionDetails, at now: Int64) -> String {
    let lines = session.summary.card(session.sceneSession.subtitle, session.snapshot, at: now)
    return lines.map { line in console.columns.map { PlainText.cut(line, to: $0) } ?? line }
      .joined(separator: "\n")
  }
}

extension SessionSummary {
  private static let linesOfSnapshot = 8

  /// The lines of a card, escaped. The first one is such as
  /// `packing "Packing list", background, 2s ago`, and the last ones are the snapshot.
  func card(_ subtitle: String?, _ snapshot: String?, at now: Int64) -> [String] {
    var heading = label
    if let title { heading += " \"\(PlainText.escaped(title))\"" }
    if let subtitle { heading += " (\(PlainText.escaped(subtitle)))" }
    heading += ", \(shownState(at: now)), \(Age.text(from: lastUsed, to: now)) ago"
    let program = program.map { ["  " + $0.lineWithDirectory] } ?? []
    let lines = snapshot?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
    let shown = lines.prefix(Self.linesOfSnapshot).map { "  " + PlainText.escaped(String($0)) }
    return [heading] + program + shown + (lines.count > Self.linesOfSnapshot ? ["  …"] : [])
  }
}

/// The current sessions, in no order.
typealias ObservedSessions = [SessionIdentifier: SessionSummary]

extension ObservedSessions {
  mutating func add(_ summaries: [SessionSummary]) {
    for summary in summaries { self[summary.session] = summary }
  }
}

extension ActivationState {
  fileprivate var style: Style {
    switch self {
    case .unattached: .faint
    case .background, .foregroundInactive: .plain
    case .foregroundActive: .good
    }
  }
}

extension SessionProgram {
  /// The command for the next run, as in a shell.
  var line: String { Self.line(nextArguments) }

  static func line(_ words: [String]) -> String {
    words.map(\.shellWord).joined(separator: " ")
  }

  /// The line with the name of the program in place of its path, such as `vim src/notes.txt`.
  var shortLine: String {
    var words = nextArguments
    if let program = words.first { words[0] = Directory.lastPart(of: program) }
    return Self.line(words)
  }

  /// For example `vim notes.txt, in ~/texts`.
  var lineWithDirectory: String {
    PlainText.escaped("\(line), in \(SessionColumn.short(directory))")
  }
}

extension SessionSummary {
  /// The order of a list: the most recently used session is first.
  static func precedes(_ one: SessionSummary, _ other: SessionSummary) -> Bool {
    (other.lastUsed, one.session) < (one.lastUsed, other.session)
  }
}
