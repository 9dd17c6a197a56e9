import SceneCommandLine
import ScenePlatform

extension Verb {
  static let window = Verb(
    "window", "Run a command in a new terminal window.", traits: [.handlesInterrupts],
    run: CommandContext.window,
    details: """
      The verb opens a terminal that runs COMMAND in this directory, and ends as COMMAND \
      does: with its status, or by its signal. COMMAND gets the environment of the terminal, \
      and the variables of this process whose names begin with SCENE_.

      An opener is the command of a terminal; see scenectl reopen. If the verb gets SIGTERM, \
      SIGINT or SIGHUP, it sends SIGTERM to COMMAND, and SIGKILL 0.8 s later.

      The timeout is the time in which the window must open.

      The broker uses the verb for a configuration whose launch has "terminal": true.
      """,
    trailing: .required("COMMAND"),
    options: [
      .opener,
      .value("title", "TITLE", "the title of the window; default: the name of the program"),
      .timeout("30s"),
      .value("inside", "SOCKET", "run COMMAND; the verb itself uses this in the new window"),
    ],
    exclusive: [["inside", "with"], ["inside", "title"]],
    examples: [
      "scenectl window -- vim notes.txt": "Edits a file in a new window.",
      "scenectl window --with 'xterm -geometry 100x40 -e' -- scene packing": "Opens an xterm.",
    ],
    environment: [Opener.variable: "the opener; --with has precedence"],
    exits: [
      .failure: "no window opened", .badCommand: "COMMAND cannot be started",
      .noCommand: "COMMAND does not exist",
    ],
    inheritsOptions: false)
}

extension CommandContext {
  fileprivate func window() throws -> ExitCode {
    let words = invocation.trailing ?? []
    if let socket = invocation.value("inside") {
      // The window shows the reason of an error, as long as it is open.
      _ = try WindowProgram.run(words, connectedTo: socket).programEnd()
      return .success
    }
    try requireCommand(words)
    let name = words.first.map(Directory.lastPart)
    let window = TerminalWindow(
      words: words, title: invocation.value("title") ?? name ?? "", opener: try opener(),
      surroundings: WindowProgram.Surroundings(
        directory: try Directory.currentAsNamed(), environment: environment),
      signals: try processControl.signals(Signal.ending))
    switch try window.run(openUntil: deadline) {
    case .exited(let status): processControl.exit(status)
    case .signalled(let signal): processControl.end(signal)
    }
    return .failure
  }
}
