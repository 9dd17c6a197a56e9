import SceneCommandLine
import SceneControl
import SceneJournalTools
import SceneModel
import ScenePlatform
import SceneScript

extension Verb {
  static let discard = Verb(
    "discard", "Delete sessions; the trash keeps what was saved for them.", script: .acts,
    run: CommandContext.discard,
    details: """
      The verb needs SESSION, --all or --unattached: it does not use $SCENE_SESSION. If any named \
      session does not exist, the broker discards none. On a terminal the verb asks before it \
      discards all or all unattached sessions; without a terminal it does not ask.

      The trash keeps a session with saved content for 24 hours, or for the time in policies.trash \
      of the manifest: see scenectl trash. An application with an application delegate has no \
      trash by default. With --offline, the next delegate to connect gets the report.
      """,
    arguments: [.any("SESSION", "the sessions", .session)],
    options: [
      .flag(
        "all",
        "discard all sessions of the application, also the copies of sessions that are away"),
      .flag(
        "unattached",
        "discard the sessions that no client holds or waits for, and that are not away"),
      .value(
        "older-than", "TIME", "with --unattached: only sessions that no client used for this time",
        .duration),
      .flag(
        "dry-run",
        "print the sessions and discard none; with --unattached also those that a client waits for, "
          + "as after a reclaim or an upgrade"),
      .flag("now", "keep nothing in the trash; SESSION can be a session in the trash"),
      .flag("yes", short: "y", "do not ask"),
    ] + Option.offline + [.timeout(), .noWait],
    exclusive: [
      ["offline", "no-wait"], ["dry-run", "no-wait"], ["offline", "dry-run"],
      ["offline", "unattached"], ["all", "unattached"],
    ],
    examples: [
      "scenectl discard packing": "Returns when the session is in the trash.",
      "scenectl discard --now packing": "Returns when the session is gone.",
      "scenectl discard --unattached --older-than 30d --dry-run":
        "Prints the sessions that were last used 30 days ago or earlier.",
      "scenectl discard --all": "Returns when no session is left.",
      "scenectl discard --offline packing": "Discards the session while no broker runs.",
    ],
    exits: [.tryAgain: "with --offline: a broker is running"])

  static let trash = Verb(
    "trash", "List the discarded sessions that can return.", script: .reads,
    run: CommandContext.trash,
    details: """
      The newest session comes first, and IN is the time until the session is gone. A full storage \
      empties the trash first.
      """,
    options: [
      .flag("empty", "delete the sessions in the trash"),
      .flag("names", "print only the name or the identifier of each session"),
      .flag("yes", short: "y", "do not ask"),
    ] + Option.offline,
    exclusive: [["empty", "names"]],
    examples: [
      "scenectl trash": "Prints a line for each session.",
      "scenectl trash --empty": "Returns when the trash is empty.",
    ],
    exits: [.tryAgain: "with --offline --empty: a broker is running"])

  static let undiscard = Verb(
    "undiscard", "Take a session out of the trash.", script: .acts,
    run: CommandContext.undiscard,
    details: """
      The name, the stored activities and the data directory of the session are as before. If \
      several sessions in the trash have the name, the verb takes the newest one.
      """,
    arguments: [
      .required(
        "SESSION", "a session in the trash",
        .listed(by: "trash --names", with: ["application", "socket"]))
    ],
    options: [.value("name", "NAME", "another name for the session", .name)] + Option.offline
      + [.timeout()],
    examples: [
      "scenectl undiscard packing": "The session is present again.",
      "scenectl undiscard packing --name boxes": "The session is called boxes.",
    ],
    exits: [
      .failure: "the name is taken", .noSession: "the trash has no such session",
      .tryAgain: "the scene has not ended, or with --offline: a broker is running",
    ])
}

extension Option {
  fileprivate static let offline: [Option] = [
    .flag("offline", "use the state directory while no broker runs"),
    .value("state", "DIR", "with --offline: the state directory", .directory),
  ]
}

extension CommandContext {
  fileprivate func discard() throws -> ExitCode {
    if invocation.has("older-than"), !invocation.has("unattached") {
      throw invocation.usageError("--older-than requires --unattached")
    }
    let isOffline = try checkOffline()
    let words = try discardedWords()
    if isOffline {
      guard try words != nil || confirms("all sessions") else { return .failure }
      return try discardOffline(words)
    }
    guard let words else { return try discardMany() }
    let sessions =
      invocation.has("now")
      ? try words.map { try discardable($0) } : try findSessions(words).map(\.details.summary)
    if invocation.has("dry-run") { return listDiscarded(sessions) }
    return try discard(sessions, as: sessions.map(\.label).joined(separator: ", "))
  }

  /// The session, which can be in the trash.
  private func discardable(_ word: String) throws -> SessionSummary {
    do {
      return try findSessions([word])[0].details.summary
    } catch let error as ProgramError where error.code == .noSession {
      guard let trashed = try discarded(word) else { throw error }
      return trashed
    }
  }

  /// The number of identifiers in a request, which fit every frame.
  private static var discardedAtOnce: Int { 200 }

  /// The arguments for the sessions to discard; nil for all sessions, or all unattached ones.
  private func discardedWords() throws -> [String]? {
    let words = invocation.arguments("SESSION")
    let option = ["all", "unattached"].first(where: invocation.has)
    switch (words.isEmpty, option) {
    case (false, nil): return words
    case (true, _?): return nil
    case (false, let option?): throw invocation.usageError("give either SESSION or --\(option)")
    case (true, nil):
      throw invocation.usageError(
        "SESSION is missing: discard does not use $SCENE_SESSION; name the sessions, or use --all "
          + "or --unattached")
    }
  }

  private func discardMany() throws -> ExitCode {
    var sessions = try broker.sessions(until: replyDeadline())
    if invocation.has("unattached") {
      let time = invocation.nanoseconds("older-than") ?? 0
      let latest = try applicationTime() - time / 1_000_000
      sessions = sessions.filter {
        $0.state == .unattached && $0.away == nil && $0.lastUsed <= latest
      }
    }
    if invocation.has("dry-run") { return listDiscarded(sessions) }
    guard try sessions.isEmpty || confirms(counted(sessions.count, "session", "sessions")) else {
      return .failure
    }
    var rest = sessions[...]
    while !rest.isEmpty {
      let code = try discard(
        rest.prefix(Self.discardedAtOnce),
        as: invocation.has("all") ? "all sessions" : "unattached sessions")
      guard code == .success else { return code }
      rest = rest.dropFirst(Self.discardedAtOnce)
    }
    return .success
  }

  private func listDiscarded(_ sessions: [SessionSummary]) -> ExitCode {
    for session in sessions {
      if printsJSON { console.print(session) } else { console.print(session.label) }
    }
    return .success
  }

  /// Asks the user on a terminal before sessions are discarded that the command line does not name.
  /// As with systemctl, a script needs no option.
  private func confirms(_ sessions: String) throws -> Bool {
    guard StandardStream.input.isTerminal, StandardStream.error.isTerminal, !invocation.has("yes")
    else { return true }
    try StandardStream.error.write("Discard \(sessions) and everything saved for them? [y/N] ")
    if let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) { return true }
    console.printError("scenectl: nothing was discarded")
    return false
  }

  private func discard(
    _ sessions: some Collection<SessionSummary>, as label: String
  ) throws -> ExitCode {
    let request = RequestDestruction(
      sessions: sessions.map(\.session), unattached: invocation.has("unattached"),
      now: invocation.has("now"))
    guard let json = try replyUnlessAccepted(to: request, about: label) else { return .success }
    if printsJSON { return succeed(json) }
    let reply = try ControlConnection.read(RequestDestruction.Reply.self, from: json)
    if let until = reply.until {
      printWayBack(of: Array(sessions), until: until, at: try applicationTime())
    }
    return .success
  }

  /// For example "packing: discarded; to undo within 24 h: scenectl undiscard packing".
  private func printWayBack(of sessions: [SessionSummary], until: Int64, at now: Int64) {
    let time = "to undo within \(Self.rest(until, at: now))"
    let options = invocation.has("offline") ? offlineOptions : ""
    if let only = sessions.first, sessions.count == 1 {
      console.print(
        "\(only.label): discarded; \(time): "
          + suggestions().line("undiscard\(options) \(only.argument)"))
    } else {
      console.print(
        "\(sessions.count) sessions: discarded; \(time), see: "
          + suggestions().line("trash\(options)"))
    }
  }

  /// The options of the same offline verb, each after a space.
  private var offlineOptions: String {
    " --offline" + (invocation.value("state").map { " --state \($0.shellPath)" } ?? "")
  }

  /// A time for people: hours, minutes below two hours, or seconds below two minutes.
  private static func rest(_ until: Int64, at now: Int64) -> String {
    let seconds = max(0, (until - now + 999) / 1000)
    guard seconds >= 120 else { return "\(seconds) s" }
    let minutes = (seconds + 59) / 60
    return minutes < 120 ? "\(minutes) min" : "\((minutes + 30) / 60) h"
  }

  /// Discards sessions while no broker runs; nil for all sessions.
  private func discardOffline(_ words: [String]?) throws -> ExitCode {
    let trashed = try withOfflineState { directory, now throws(ProgramError) in
      try OfflineDiscard.run(words, in: directory, at: now, now: invocation.has("now"))
    }
    guard let until = trashed.first?.until, !printsJSON else { return .success }
    let now = SystemClock.wall() / 1_000_000
    printWayBack(of: trashed.map(SessionSummary.init), until: until, at: now)
    return .success
  }

  // MARK: - The trash

  fileprivate func trash() throws -> ExitCode {
    let isOffline = try checkOffline()
    let sessions =
      isOffline
      ? try OfflineDiscard.trash(in: try stateDirectory()).reversed().map(SessionSummary.init)
      : try discardedSessions()
    if invocation.has("empty") { return try empty(sessions) }
    if printsJSON || invocation.has("names") { return listDiscarded(sessions) }
    let now = isOffline ? SystemClock.wall() / 1_000_000 : try applicationTime()
    var table = Table(["NAME", "SESSION", "IN", "TITLE", "COMMAND"])
    for session in sessions {
      table.add([
        Table.Cell(session.name ?? "-"), Table.Cell(session.session.short),
        Table.Cell(Self.rest(session.until ?? now, at: now)), Table.Cell(session.title ?? ""),
        Table.Cell(session.program?.shortLine ?? ""),
      ])
    }
    if table.isEmpty {
      if console.isScreen { console.printError("scenectl: the trash is empty") }
    } else {
      console.print(table)
    }
    return .success
  }

  private func empty(_ sessions: [SessionSummary]) throws -> ExitCode {
    guard
      try sessions.isEmpty
        || confirms(counted(sessions.count, "session", "sessions") + " in the trash")
    else { return .failure }
    if invocation.has("offline") {
      try withOfflineState { directory, _ throws(ProgramError) in
        try OfflineDiscard.emptyTrash(in: directory)
      }
      return .success
    }
    var rest = sessions[...]
    while !rest.isEmpty {
      let request = RequestDestruction(
        sessions: rest.prefix(Self.discardedAtOnce).map(\.session), now: true)
      _ = try awaitedReply(to: broker.post(request), "trash")
      rest = rest.dropFirst(Self.discardedAtOnce)
    }
    return .success
  }

  fileprivate func undiscard() throws -> ExitCode {
    let (word, name) = (invocation.arguments("SESSION")[0], invocation.value("name"))
    if try checkOffline() {
      let session = try withOfflineState { directory, _ throws(ProgramError) in
        try OfflineDiscard.undo(word, name: name, in: directory)
      }
      printReturned(session.map { SessionSummary($0, scene: nil) })
      return .success
    }
    guard var session = try discarded(word) else {
      throw ProgramError(
        .noSession,
        "no session in the trash is called \(PlainText.word(word))\n"
          + "List the trash with: " + suggestions().line("trash"))
    }
    let request = SessionUndiscard(session: session.session, name: name)
    let json = try awaitedReply(to: broker.post(request), session.label)
    session.name = name ?? session.name
    if printsJSON { return succeed(json) }
    printReturned(session)
    return .success
  }

  private func printReturned(_ session: SessionSummary?) {
    guard let session, !printsJSON else { return }
    console.print(
      "\(session.label): undiscarded"
        + (session.canReopen
          ? "; open it with: " + suggestions().line("reopen \(session.argument)") : ""))
  }

  /// The sessions in the trash, the newest first.
  private func discardedSessions() throws -> [SessionSummary] {
    var sessions: [SessionSummary] = []
    try broker.forEachPage(of: SessionList(discarded: true), until: replyDeadline()) { page, _ in
      sessions += page.sessions
    }
    return sessions
  }

  /// The newest session in the trash with this name, identifier or prefix.
  func discarded(_ word: String) throws -> SessionSummary? {
    let sessions = try discardedSessions()
    if let named = sessions.first(where: { $0.name == word }) { return named }
    let matches = sessions.filter { IdentifierPrefix(word)?.matches($0.session) == true }
    guard matches.count < 2 else {
      throw ambiguousPrefix(
        word, SessionResolve.Reply(matches: matches.map(\.session), count: matches.count))
    }
    return matches.first
  }

  /// Whether the verb works without a broker.
  private func checkOffline() throws -> Bool {
    if invocation.has("state"), !invocation.has("offline") {
      throw invocation.usageError("--state requires --offline")
    }
    return invocation.has("offline")
  }
}

extension SessionSummary {
  fileprivate init(_ trashed: TrashedSession) {
    self.init(trashed.session, scene: nil)
    until = trashed.until
  }
}
