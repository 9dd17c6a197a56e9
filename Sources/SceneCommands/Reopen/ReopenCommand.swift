import SceneCommandLine
import SceneControl
import SceneJSON
import SceneJournalTools
import SceneModel
import ScenePlatform

extension Verb {
  static let reopen = Verb(
    "reopen", "Open the windows again that the user did not close.", run: CommandContext.reopen,
    details: """
      The verb opens each session that `scenectl sessions --was-open` lists, and returns when \
      all of them have been connected for two seconds. It reports each program that fails \
      before. A session whose configuration has a launch is activated. For each other session, \
      the verb opens a terminal in which scene runs the stored command, or shows its prompt if \
      it ran none. Windows open in the order in which their sessions were made. A window of \
      tmux returns to its session, window and layout if the opener is tmux, or none is named.

      An opener is the command of a terminal. The verb appends the words of the command that \
      the window runs; no shell reads them. Built in are tmux, screen, kitty, wezterm, foot, \
      alacritty, gnome-terminal, konsole, xterm, Terminal and iTerm. Without --with and \
      $SCENE_OPENER, the verb uses the terminal that it runs in, or else an installed one.

      With --hint, for a shell profile, the verb prints one line if there are windows to \
      reopen, and otherwise nothing. It needs no broker.
      """,
    arguments: [.any("SESSION", "the sessions; default: all that were open", .session)],
    options: [
      .flag("dry-run", "print what each window runs and the command that opens it; open none"),
      .repeated("where", "NAME=VALUE", "open the sessions with this member in userInfo"),
      .opener,
      .flag("ask", "show the command in each window and wait for Enter"),
      .flag("hint", "print one line if there are windows to reopen"),
      .timeout("30s"),
    ],
    exclusive: [["hint", "dry-run"], ["hint", "ask"], ["hint", "with"], ["hint", "where"]],
    examples: [
      "scenectl reopen": "Opens all windows that a crash, a logout or a restart ended.",
      "scenectl reopen --dry-run": "Prints the commands.",
      "scenectl reopen --where project=trip":
        "Opens the windows of these sessions, also of those that their user closed.",
      "scenectl reopen --with 'xterm -geometry 100x40 -e'": "Opens xterms.",
    ],
    environment: [Opener.variable: "the opener; --with has precedence"],
    exits: [.failure: "a session did not come back"])
}

extension CommandContext {
  fileprivate func reopen() throws -> ExitCode {
    if invocation.has("hint") { return printHint() }
    let sessions = try sessionsToReopen()
    let launching = Set(
      try configurations().filter(\.isLaunched).map { "\($0.role)/\($0.name)" })
    var run = ReopenRun()
    if opensPlaces, sessions.contains(where: { ScenePlacement($0.placement)?.tmux != nil }) {
      try noteOpenPanes(&run)
    }
    if sessions.isEmpty, console.isScreen {
      console.printError(
        "scenectl: no window to open; a window that its user closed opens with: "
          + suggestions().line("reopen NAME"))
    }
    for session in sessions {
      if session.hasWindow {
        console.print("\(session.label): is open")
      } else if let away = session.away {
        fail(session, "the session \(try words(about: away, of: session))", &run)
      } else if launching.contains(session.launchKey) {
        try activate(session, &run)
      } else {
        try open(session, &run)
      }
    }
    guard !invocation.has("dry-run") else { return run.hasFailed ? .failure : .success }
    run.tmux.restoreLayouts()
    try waitForWindows(&run)
    for line in run.attaching where !environment.isSet("TMUX") {
      console.printError("scenectl: the windows are in tmux; to see them, use: \(line)")
    }
    return run.hasFailed ? .failure : .success
  }

  func sessionsToReopen() throws -> [SessionSummary] {
    let selected = try selectedSessions()
    let words = invocation.arguments("SESSION")
    guard words.isEmpty else { return try findSessions(words).map(\.details.summary) }
    var sessions = selected ?? []
    if selected == nil {
      try broker.forEachPage(of: SessionList(wasOpen: true), until: replyDeadline()) { page, _ in
        // Where the user selects no sessions, a marked one is not an error.
        sessions += page.sessions.filter { $0.program?.reopens != false }
      }
    }
    return sessions.sorted { $0.age < $1.age }
  }

  /// Panes that open beside those of open scenes return to their windows.
  private func noteOpenPanes(_ run: inout ReopenRun) throws {
    for session in try broker.sessions(until: replyDeadline()) where session.state != .unattached {
      if let place = ScenePlacement(session.placement)?.tmux { run.tmux.note(place) }
    }
  }

  // MARK: - One session

  private func activate(_ session: SessionSummary, _ run: inout ReopenRun) throws {
    guard !invocation.has("dry-run") else {
      return console.print(
        "\(session.label): " + suggestions().line("activate \(session.argument)"))
    }
    do {
      let request = RequestActivation(
        session: session.session, environment: try environmentOfActivation())
      _ = try replyWithRetry(to: broker.post(request), request, about: session.label)
      run.windows.append(ReopenRun.Window(session: session))
    } catch {
      run.hasFailed = true
      console.printError(failure(for: error), asJSON: printsJSON)
    }
  }

  private func open(_ session: SessionSummary, _ run: inout ReopenRun) throws {
    let placement = ScenePlacement(session.placement)
    guard session.program != nil || session.hadPrompt else {
      return fail(
        session,
        "no command is stored; store one with: "
          + suggestions().line("\(session.sceneWords) -- COMMAND", of: "scene"), &run)
    }
    if !session.hadPrompt, let program = session.program, let problem = problem(with: program) {
      return fail(session, problem, &run)
    }
    if invocation.has("dry-run") { return try plan(session, placement?.tmux, &run) }
    if let place = placement?.tmux, opensPlaces, try open(session, in: place, &run) { return }
    let opener = try opener()
    guard var window = try window(of: session, opener, &run) else { return }
    try awaitWindow(&window)
    run.madeTmuxSession = run.madeTmuxSession || opener.makesTmuxSession
    run.windows.append(window)
  }

  /// Opens a window in its former place. Returns false if tmux cannot.
  private func open(
    _ session: SessionSummary, in place: TmuxPlace, _ run: inout ReopenRun
  ) throws -> Bool {
    while true {
      let opening = run.tmux.opening(for: place)
      guard var window = try window(of: session, opening.opener, &run) else { return true }
      try awaitWindow(&window)
      guard let process = window.opener, let end = process.child.endIfEnded,
        end != .exited(0) || !run.tmux.opened(opening, process.output.text)
      else {
        run.windows.append(window)
        return true
      }
      guard run.tmux.forgetNeighbor(of: opening) else { return false }
    }
  }

  /// Prints what would run.
  private func plan(
    _ session: SessionSummary, _ place: TmuxPlace?, _ run: inout ReopenRun
  ) throws {
    let opening = opensPlaces ? place.map(run.tmux.opening) : nil
    let opener = if let opening { opening.opener } else { try opener() }
    let command = try command(of: opener, for: session)
    if let opening { run.tmux.suppose(opening) }
    let program = session.hadPrompt ? nil : session.program
    console.print("\(session.label): \(program?.lineWithDirectory ?? "the prompt of scene")")
    console.print(PlainText.escaped("  " + command.map(\.shellWord).joined(separator: " ")))
  }

  private func command(
    of opener: Opener, for session: SessionSummary
  ) throws -> [String] {
    let title = session.name ?? session.title ?? session.session.short
    return opener.command(title: title, try windowCommand(of: session))
  }

  /// Starts an opener. Reports a failure, and then returns nil.
  private func window(
    of session: SessionSummary, _ opener: Opener, _ run: inout ReopenRun
  ) throws -> ReopenRun.Window? {
    let command = try command(of: opener, for: session)
    do throws(SystemError) {
      let null = try File.open("/dev/null", .read)
      let output = try TemporaryFile()
      // In its own process group, so that Ctrl-C reaches only this process.
      let child = try ChildProcess.spawn(
        command[0], Array(command.dropFirst()),
        descriptors: [0: null.number, 1: output.number, 2: output.number], group: 0)
      return ReopenRun.Window(
        session: session, opener: OpenerProcess(opener: opener, child: child, output: output))
    } catch {
      fail(session, "\(error)", &run)
      return nil
    }
  }

  /// Why the command of a session cannot run; nil if it can.
  private func problem(with program: SessionProgram) -> String? {
    guard program.reopens else { return "its command must not run again" }
    do throws(SystemError) {
      _ = try Executable.path(of: program.nextArguments, in: program.directory)
      return nil
    } catch {
      let name = PlainText.word(program.nextArguments.first ?? "")
      return "cannot run \(name) in \(PlainText.word(program.directory)): \(error)"
    }
  }

  private func fail(_ session: SessionSummary, _ reason: String, _ run: inout ReopenRun) {
    run.hasFailed = true
    console.printError("scenectl: \(session.label): \(reason)")
  }

  /// The command that a window runs: the program `scene` of this installation, for this broker.
  private func windowCommand(of session: SessionSummary) throws -> [String] {
    let socket = Directory.absolute(try socketPath())
    return [Executable.installed("scene"), "-S", socket, "--session=\(session.session)"]
      + (session.hadPrompt ? ["--prompt"] : asks(about: session) ? ["--ask"] : [])
  }

  /// Whether the window waits for Enter. The user has not seen a command that another host
  /// published.
  private func asks(about session: SessionSummary) -> Bool {
    invocation.has("ask") || session.program?.from != nil
  }

  // MARK: - Waiting

  /// Prints a line for each window that is connected, and the reason for each that is not.
  private func waitForWindows(_ run: inout ReopenRun) throws {
    while !run.windows.isEmpty {
      try console.flush()
      let isLate = deadline.map { SystemClock.monotonic() >= $0 } ?? false
      var open: [ReopenRun.Window] = []
      for var window in run.windows {
        switch try progress(of: &window) {
        case .open: console.print("\(window.session.label): open")
        case .asking: console.print("\(window.session.label): waits for Enter in its window")
        case .failed(let reason): fail(window.session, reason, &run)
        case .waiting where isLate:
          fail(window.session, "not connected in time; look into its window", &run)
        case .waiting, .watched: open.append(window)
        }
      }
      run.windows = open
      if !open.isEmpty {
        try broker.pause(nanoseconds: 20_000_000)
      }
    }
  }

  /// Waits until the opener has ended or the scene is connected: the windows open one after the
  /// other. tmux ends soon, and prints where the window is.
  private func awaitWindow(_ window: inout ReopenRun.Window) throws {
    guard let process = window.opener else { return }
    let time = process.opener.isTmux ? Self.tmuxTime : Self.orderTime
    let limit = min(SystemClock.monotonic() + time, deadline ?? .max)
    while process.child.endIfEnded == nil, SystemClock.monotonic() < limit {
      if !process.opener.isTmux {
        guard case .waiting = try progress(of: &window), window.connection == nil else { return }
      }
      try broker.pause(nanoseconds: 5_000_000)
    }
  }

  /// Nanoseconds for a window to open before the next one.
  private static let orderTime: Int64 = 1_000_000_000
  /// Nanoseconds for tmux to open a window.
  private static let tmuxTime: Int64 = 10_000_000_000
  /// Nanoseconds after which a window that waits for Enter shows its command.
  private static let settleTime: Int64 = 250_000_000
  /// Nanoseconds after the connection in which a program that fails is reported.
  private static let watchTime: Int64 = 2_000_000_000
  /// Nanoseconds for the reply of the broker to one query.
  private static let progressTimeout: Int64 = 10_000_000_000

  private enum WindowProgress {
    case open
    /// Connected; its program can still fail.
    case watched
    /// The window can wait longer than this verb.
    case asking
    case waiting
    case failed(String)
  }

  private func progress(of window: inout ReopenRun.Window) throws -> WindowProgress {
    // The deadline of the windows is not one of the broker.
    let found = try broker.find(
      window.session.session, until: SystemClock.monotonic() + Self.progressTimeout)
    guard let session = found?.details.summary else { return .failed("the session was discarded") }
    let now = SystemClock.monotonic()
    if session.hasWindow, session.state == session.target {
      let connection = window.connection ?? now
      window.connection = connection
      return now - connection < Self.watchTime ? .watched : .open
    }
    let output = window.opener?.lastLines.map { ": \($0)" } ?? ""
    if session.lastUsed > window.session.lastUsed, let end = session.disconnect {
      return .failed((end.exit?.failure ?? "connected, and ended again: \(end.words)") + output)
    }
    if let process = window.opener, let end = process.child.endIfEnded, end != .exited(0) {
      let name = PlainText.escaped(process.opener.name)
      return .failed("\(name) ended with status \(end.shellCode)\(output)")
    }
    return asks(about: window.session) && now - window.start >= Self.settleTime ? .asking : .waiting
  }
}

/// A running opener.
private struct OpenerProcess {
  let opener: Opener
  let child: ChildProcess
  let output: TemporaryFile

  /// The last lines for people; nil without any. tmux has an identifier for this verb.
  var lastLines: String? {
    opener.isTmux && child.endIfEnded == .exited(0) ? nil : output.lastLines
  }
}

extension ClientExit {
  fileprivate var failure: String {
    if let signal { return "ended by \(PlainText.escaped(signal))" }
    return "failed with status \(status ?? 0)"
  }
}

/// The windows of a run of `reopen` that are not open yet.
private struct ReopenRun {
  struct Window {
    let session: SessionSummary
    /// Nil if the broker starts the program.
    var opener: OpenerProcess?
    /// By the monotonic clock, as the next one.
    let start = SystemClock.monotonic()
    /// The time at which the window was first seen connected.
    var connection: Int64?
  }

  var windows: [Window] = []
  var tmux = TmuxWindows()
  /// Whether a window without a place is in a new session of tmux.
  var madeTmuxSession = false
  var hasFailed = false

  /// The commands that show the windows in tmux.
  var attaching: [String] {
    let plain = ["tmux attach"]
    let lines = tmux.servers.sorted().map { server in
      let words = TmuxWindows.tmux(server)
      return words.last == "default"
        ? plain[0] : (words + ["attach"]).map(\.shellWord).joined(separator: " ")
    }
    return madeTmuxSession && !lines.contains(plain[0]) ? plain + lines : lines
  }
}

extension SessionSummary {
  fileprivate var launchKey: String { "\(role.rawValue)/\(configuration)" }

  /// Whether the window had the prompt of `scene`, also if the session has a command.
  var hadPrompt: Bool { ScenePlacement(placement)?.isPrompt == true }

  /// Whether a window shows the session. The terminal of a program can have none.
  fileprivate var hasWindow: Bool { state != .unattached && client?.terminal?.attached != 0 }

  /// Whether `reopen` with the session's name opens its window.
  var canReopen: Bool { hadPrompt || program?.reopens == true }

  /// The order of the windows. An older broker does not tell when a session was made.
  fileprivate var age: (Int64, String) { (created ?? lastUsed, label) }
}
