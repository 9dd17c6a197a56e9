import SceneCommandLine
import SceneModel
import ScenePlatform

/// Opens a window in which a command runs: a terminal, or a multiplexer.
struct Opener: Equatable {
  let name: String
  /// The words before the command of the window. `%` at the end of a word, alone or after `=`,
  /// stands for the title of the window.
  let words: [String]

  /// The variable with the opener of a user.
  static let variable = LaunchCommand.openerVariable

  /// The command that opens a window with this title and command. No shell reads the words.
  func command(title: String, _ command: [String]) -> [String] {
    var title = PlainText.escaped(title)
    var command = command
    if isTmux {
      title = title.asTmuxFormat.asTmuxWord
      command = command.map(\.asTmuxWord)
    }
    return words.map { word in
      word == "%" || word.hasSuffix("=%") ? word.dropLast() + title : word
    } + command
  }

  var isTmux: Bool { Directory.lastPart(of: name) == Self.tmux }

  static let tmux = "tmux"
}

extension Opener {
  /// The built-in openers, and the commands before the words of a window. Each starts a command of
  /// several words without a shell.
  static let builtIn = [
    Opener(name: tmux, words: [tmux, "new-window", "-d", "-n", "%", "--"]),
    Opener(name: "screen", words: ["screen", "-t", "%"]),
    Opener(name: "kitty", words: ["kitty", "--detach", "--title=%"]),
    Opener(name: "wezterm", words: ["wezterm", "start", "--"]),
    Opener(name: "foot", words: ["foot", "--title=%"]),
    Opener(name: "alacritty", words: ["alacritty", "--title=%", "-e"]),
    Opener(name: "gnome-terminal", words: ["gnome-terminal", "--title=%", "--"]),
    Opener(name: "konsole", words: ["konsole", "-e"]),
    Opener(name: "xterm", words: ["xterm", "-T", "%", "-e"]),
    Opener(name: "Terminal", words: appleScript("tell application \"Terminal\" to do script c")),
    Opener(
      name: "iTerm",
      words: appleScript(
        "tell application \"iTerm\" to create window with default profile command c")),
  ]

  /// Outside tmux, the first window needs a session. Others then open in it.
  private static let firstTmux = Opener(
    name: tmux, words: [tmux, "new-session", "-d", "-n", "%", "--"])

  /// Whether the opener makes a session of tmux, and then ends.
  var makesTmuxSession: Bool { self == Self.firstTmux }

  /// The script joins its arguments to a command for a shell, each quoted.
  private static func appleScript(_ action: String) -> [String] {
    let lines = [
      "on run argv", "set c to \"\"", "repeat with a in argv",
      "set c to c & quoted form of a & \" \"", "end repeat", action, "end run",
    ]
    return ["osascript"] + lines.flatMap { ["-e", $0] }
  }

  /// The built-in opener of this name, or else the words of a command.
  init(
    _ text: String, _ environment: [String: String], hasTmuxSession: () -> Bool
  ) throws {
    if let known = Self.builtIn.first(where: { $0.name == text }) {
      let isFirst = text == Self.tmux && !environment.isSet("TMUX") && !hasTmuxSession()
      self = isFirst ? Self.firstTmux : known
      return
    }
    do throws(ShellWordsError) {
      words = try ShellWords.split(text)
    } catch {
      throw ProgramError(.usage, "the opener \(PlainText.word(text)): \(error)")
    }
    guard let first = words.first, !first.isEmpty else {
      throw ProgramError(.usage, "the opener is empty; name a terminal, or its command")
    }
    name = first
  }

  /// The variables that terminals and multiplexers set, innermost first.
  private static let marks = [
    ("TMUX", "tmux"), ("STY", "screen"), ("KITTY_WINDOW_ID", "kitty"),
    ("WEZTERM_PANE", "wezterm"), ("ALACRITTY_WINDOW_ID", "alacritty"),
    ("GNOME_TERMINAL_SCREEN", "gnome-terminal"), ("KONSOLE_VERSION", "konsole"),
    ("XTERM_VERSION", "xterm"),
  ]

  /// The openers that need no display.
  private static let multiplexers = [tmux, "screen"]

  /// The opener for this environment: the terminal that runs this process, else an installed one.
  /// A display that does not answer opens no window.
  static func detected(
    in environment: [String: String], isInstalled: (String) -> Bool, hasTmuxSession: () -> Bool,
    answers: (Display) -> Bool = \.answers
  ) throws -> Opener {
    let wayland = Display.wayland(in: environment)
    let x11 = Display.x11(in: environment)
    let hasWayland = wayland.map(answers) ?? false
    let hasX11 = x11.map(answers) ?? false
    var names = marks.filter { environment.isSet($0.0) }.map(\.1)
    switch environment["TERM_PROGRAM"] {
    case "Apple_Terminal": names.append("Terminal")
    case "iTerm.app": names.append("iTerm")
    default: break
    }
    if environment["TERM"]?.hasPrefix("foot") == true { names.append("foot") }
    if wayland != nil || x11 != nil, !hasWayland, !hasX11 {
      names.removeAll { !multiplexers.contains($0) }
    }
    if hasWayland { names.append("foot") }
    if hasWayland || hasX11 {
      names += ["kitty", "wezterm", "alacritty", "gnome-terminal", "konsole"]
    }
    if hasX11 { names.append("xterm") }
    names.append(tmux)
    for name in names {
      let opener = try Opener(name, environment, hasTmuxSession: hasTmuxSession)
      if let program = opener.words.first, isInstalled(program) { return opener }
    }
    throw ProgramError(
      .failure,
      "no terminal found that can open windows; name one with --with or SCENE_OPENER, such as "
        + "--with 'xterm -e'")
  }
}

extension Option {
  static var opener: Option {
    .value(
      "with", "OPENER",
      "a built-in opener, or a command to which the words of the window's "
        + "command are appended; default: $SCENE_OPENER", .suggested(Opener.builtIn.map(\.name)))
  }
}

extension CommandContext {
  /// The opener of the command line, of the environment, or of this terminal.
  func opener() throws -> Opener {
    guard invocation.value("with") != "" else {
      throw invocation.usageError("--with: expected an opener, found an empty word")
    }
    if let text = invocation.value("with") ?? environment[Opener.variable], !text.isEmpty {
      let opener = try Opener(text, environment, hasTmuxSession: Self.hasTmuxSession)
      try requireCommand(opener.words)
      return opener
    }
    return try Opener.detected(
      in: environment, isInstalled: { (try? Executable.find($0)) != nil },
      hasTmuxSession: Self.hasTmuxSession)
  }

  private static func hasTmuxSession() -> Bool {
    TmuxWindows.run([Opener.tmux, "has-session"]) != nil
  }

  /// Whether windows return to their places in tmux. If an opener is named, it is tmux.
  var opensPlaces: Bool {
    if let text = invocation.value("with") ?? environment[Opener.variable], !text.isEmpty {
      return text == Opener.tmux
    }
    return (try? Executable.find(Opener.tmux)) != nil
  }
}

extension String {
  /// The word for tmux, which reads `;` at the end of a word as the end of its command.
  var asTmuxWord: String { hasSuffix(";") ? dropLast() + "\\;" : self }

  /// The name of a session or window that tmux has escaped.
  var withoutTmuxEscapes: String { replacing(/\\([\\$])/) { $0.output.1 } }

  /// The text that tmux expands to this one: it runs the command of `#(…)` in a name, and reads
  /// `##` as `#`, except before `[`.
  var asTmuxFormat: String {
    replacing(/#++(?!\[)/) { String(repeating: "#", count: 2 * $0.output.count) }
  }
}

extension [String: String] {
  func isSet(_ name: String) -> Bool { self[name]?.isEmpty == false }
}
