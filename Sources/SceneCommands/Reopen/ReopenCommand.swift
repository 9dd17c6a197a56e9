import SceneCommandLine
import SceneControl
import SceneJSON
import SceneJournalTools
import SceneModel
import ScenePlatform

extension Verb {
  static let reopen = Verb("reopen", run: CommandContext.reopen) { name in
    Command(
      name, "Open the windows again that the user did not close.",
      details: """
        The verb opens each session that `scenectl sessions --was-open` lists, and returns when \
        all of them are connected. A session whose configuration has a launch is activated. \
        For each other session, the verb opens a terminal in which scene runs the stored command.

        An opener is the command of a terminal. The verb appends the words of the command that \
        the window runs; no shell reads them. Built in are tmux, screen, kitty, wezterm, foot, \
        alacritty, gnome-terminal, konsole, xterm, Terminal and iTerm. Without --with and \
        $SCENE_OPENER, the verb uses the terminal that it runs in, or else an installed one.

        With --hint, for a shell profile, the verb prints one line if there are windows to \
        reopen, and otherwise nothing. It needs no broker.
        """,
      arguments: [.any("SESSION", "the sessions; default: all that were open", .session)],
      options: [
        .flag("dry-run", "print the command of each window, and open none"),
        .value(
          "with", "OPENER",
          "a built-in opener, or a command to which the words of the window's "
            + "command are appended; default: $SCENE_OPENER"),
        .flag("ask", "show the command in each window and wait for Enter"),
        .flag("hint", "print one line if there are windows to reopen"),
        .timeout("30s"),
      ],
      exclusive: [["hint", "dry-run"], ["hint", "ask"], ["hint", "with"]],
      examples: [
        "scenectl reopen": "Opens all windows that a crash, a logout or a restart ended.",
        "scenectl reopen --dry-run": "Prints the commands.",
        "scenectl reopen --with 'xterm -geometry 100x40 -e'": "Opens xterms.",
      ],
      environment: [Opener.variable: "the opener; --with has precedence"],
      exits: [.failure: "a session did not come back"])
  }
}

extension CommandContext {
  fileprivate func reopen() throws(ProgramError) -> ExitCode {
    if invocation.has("hint") { return printHint() }
    let sessions = try sessionsToReopen(until: replyDeadline())
    let launching = try launchingConfigurations()
    var run = ReopenRun()
    for session in sessions {
      if session.state != .unattached {
        console.print("\(session.label): is open")
      } else if launching.contains(session.launchKey) {
        try activate(session, &run)
      } else {
        try open(session, &run)
      }
    }
    try waitForWindows(&run)
    if run.madeTmuxSession {
      console.printError("scenectl: the windows are in tmux; to see them, use: tmux attach")
    }
    return run.hasFailed ? .failure : .success
  }

  private func sessionsToReopen(until deadline: Int64) throws(ProgramError) -> [SessionSummary] {
    let words = invocation.arguments("SESSION")
    guard words.isEmpty else { return try findSessions(words).map(\.details.summary) }
    var sessions: [SessionSummary] = []
    try ask { broker throws(ControlError) in
      try broker.forEachPage(of: SessionList(wasOpen: true), until: deadline) { page, _ in
        sessions += page.sessions
      }
    }
    // Without names on the command line, a marked session is not an error.
    return sessions.filter { $0.program?.reopens != false }.sorted { $0.label < $1.label }
  }

  /// The configurations for which the broker starts a program.
  private func launchingConfigurations() throws(ProgramError) -> Set<String> {
    let manifest = try request(ApplicationManifest()).manifest
    let document = JSONDocument()
    guard (try? document.read(manifest.json.bytes.span)) != nil,
      let roles = document.root["configurations"]?.members
    else { return [] }
    var keys: Set<String> = []
    for role in roles {
      for configuration in role.value.elements where configuration["launch"] != nil {
        keys.insert("\(role.name.string ?? "")/\(configuration["name"]?.string ?? "")")
      }
    }
    return keys
  }

  // MARK: - One session

  private func activate(_ session: SessionSummary, _ run: inout ReopenRun) throws(ProgramError) {
    guard !invocation.has("dry-run") else {
      return console.print(
        "\(session.label): " + suggestions().line("activate \(session.argument)"))
    }
    do throws(ProgramError) {
      let request = RequestActivation(
        session: session.session, environment: try environmentOfActivation())
      _ = try replyWithRetry(to: try post(request), about: session.label) { $0.post(request) }
      console.print("\(session.label): open")
    } catch {
      run.hasFailed = true
      console.printError(error, asJSON: printsJSON)
    }
  }

  private func open(_ session: SessionSummary, _ run: inout ReopenRun) throws(ProgramError) {
    guard let program = session.program else {
      return fail(
        session, "no command is stored; store one with: scene \(session.sceneWords) -- COMMAND",
        &run)
    }
    guard program.reopens else { return fail(session, "its command must not run again", &run) }
    do throws(SystemError) {
      _ = try Executable.path(of: program.nextArguments, in: program.directory)
    } catch {
      let name = PlainText.word(program.nextArguments.first ?? "")
      let place = PlainText.word(program.directory)
      return fail(session, "cannot run \(name) in \(place): \(error)", &run)
    }
    let opener = try opener()
    let command = opener.command(
      title: session.name ?? session.title ?? session.session.short, try windowCommand(of: session))
    if invocation.has("dry-run") {
      return console.print(
        PlainText.escaped("\(session.label): " + command.map(\.shellWord).joined(separator: " ")))
    }
    do throws(SystemError) {
      let null = try File.open("/dev/null", [.read, .write])
      // In its own process group, so that Ctrl-C reaches only this process.
      let child = try ChildProcess.spawn(
        command[0], Array(command.dropFirst()),
        descriptors: [0: null.number, 1: null.number, 2: null.number], group: 0)
      if opener.makesTmuxSession {
        // The next window opens in this session.
        try child.awaitEnd()
        run.madeTmuxSession = true
      }
      run.windows.append(ReopenRun.Window(session: session, opener: opener.name, child: child))
    } catch {
      fail(session, "\(error)", &run)
    }
  }

  private func fail(_ session: SessionSummary, _ reason: String, _ run: inout ReopenRun) {
    run.hasFailed = true
    console.printError("scenectl: \(session.label): \(reason)")
  }

  /// The command that a window runs: the program `scene` of this installation, for this broker.
  private func windowCommand(of session: SessionSummary) throws(ProgramError) -> [String] {
    let directory = (try? Executable.current()).flatMap(Directory.parent)
    let beside = directory.map { $0 + "/scene" }.flatMap { File.exists($0) ? $0 : nil }
    let socket = Directory.absolute(try socketPath())
    return [beside ?? "scene", "-S", socket, "--session=\(session.session)"]
      + (invocation.has("ask") ? ["--ask"] : [])
  }

  // MARK: - Waiting

  /// Prints a line for each window that is connected, and the reason for each that is not.
  private func waitForWindows(_ run: inout ReopenRun) throws(ProgramError) {
    while !run.windows.isEmpty {
      try console.flush()
      let isLate = deadline.map { SystemClock.monotonic() >= $0 } ?? false
      var open: [ReopenRun.Window] = []
      for window in run.windows {
        switch try progress(of: window) {
        case .connected: console.print("\(window.session.label): open")
        case .asking: console.print("\(window.session.label): waits for Enter in its window")
        case .failed(let reason): fail(window.session, reason, &run)
        case .waiting where isLate:
          fail(window.session, "not connected in time; look into its window", &run)
        case .waiting: open.append(window)
        }
      }
      run.windows = open
      if !open.isEmpty {
        try ask { broker throws(ControlError) in try broker.pause(nanoseconds: 20_000_000) }
      }
    }
  }

  /// Nanoseconds in which a program that cannot run shows that.
  private static let settleTime: Int64 = 250_000_000
  /// Nanoseconds for the reply of the broker to one query.
  private static let progressTimeout: Int64 = 10_000_000_000

  private enum WindowProgress {
    case connected
    /// The window can wait longer than this verb.
    case asking
    case waiting
    case failed(String)
  }

  private func progress(of window: ReopenRun.Window) throws(ProgramError) -> WindowProgress {
    let found = try ask { broker throws(ControlError) in
      // The deadline of the windows is not one of the broker.
      try broker.find(
        window.session.session, until: SystemClock.monotonic() + Self.progressTimeout)
    }
    guard let now = found?.details.summary else { return .failed("the session was discarded") }
    let age = SystemClock.monotonic() - window.start
    if now.state != .unattached, now.state == now.target, age >= Self.settleTime {
      return .connected
    }
    if now.lastUsed > window.session.lastUsed, let end = now.disconnect {
      return .failed("connected, and ended again: \(end.words)")
    }
    if let end = window.child.endIfEnded, end != .exited(0) {
      return .failed("\(PlainText.escaped(window.opener)) ended with status \(end.shellCode)")
    }
    return invocation.has("ask") && age >= Self.settleTime ? .asking : .waiting
  }

  // MARK: - The hint

  /// Nanoseconds for the reply of the broker. A login shell waits for the hint.
  private static let hintTimeout: Int64 = 200_000_000

  /// Reads the journal if no broker answers. Any error means that there is nothing to print.
  private func printHint() -> ExitCode {
    let sessions = try? sessionsToReopen(until: SystemClock.monotonic() + Self.hintTimeout)
    let count = sessions?.count ?? offlineCount()
    if count > 0 {
      let windows = counted(count, "window was", "windows were")
      let line = suggestions().line(sessions == nil ? "reopen --start" : "reopen")
      console.print("\(windows) open before the restart; \(line)")
    }
    return .success
  }

  private func offlineCount() -> Int {
    guard let directory = try? stateDirectory(),
      let sessions = try? OfflineSessions.wasOpen(in: directory)
    else { return 0 }
    return sessions.count { $0.attributes.program?.reopens != false }
  }
}

/// The windows of a run of `reopen` that are not connected yet.
private struct ReopenRun {
  struct Window {
    let session: SessionSummary
    let opener: String
    let child: ChildProcess
    /// By the monotonic clock.
    let start = SystemClock.monotonic()
  }

  var windows: [Window] = []
  var madeTmuxSession = false
  var hasFailed = false
}

extension SessionSummary {
  fileprivate var launchKey: String { "\(role.rawValue)/\(configuration)" }
}
