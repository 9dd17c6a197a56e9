/// The program that the broker starts for a session without a client.
package struct LaunchCommand: Equatable, Sendable {
  /// The program and its arguments, without a shell.
  package var words: [String]
  /// The environment variables that the program inherits from the broker. A name that ends with `*`
  /// is a prefix.
  package var environment: [String]
  /// Whether the program runs in a new terminal window.
  package var hasTerminal: Bool

  /// With more variables than every program inherits.
  package init(words: [String], environment: [String] = [], hasTerminal: Bool = false) {
    self.words = words
    self.hasTerminal = hasTerminal
    let standard = Self.standardEnvironment + (hasTerminal ? Self.terminalEnvironment : [])
    self.environment = standard + environment.filter { !standard.contains($0) }
  }

  /// The variables for a program's files, language and terminal.
  package static let standardEnvironment = [
    "HOME", "LANG", "LC_*", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER",
    "XDG_RUNTIME_DIR",
  ]

  /// The variables by which a program finds the user's desktop or multiplexer.
  package static let terminalEnvironment = [
    "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "STY", "TMUX", "TMUX_TMPDIR", "WAYLAND_DISPLAY",
    "XAUTHORITY",
  ]

  /// The name of the program without its directory, for people.
  package var programName: String {
    let name = words[0].split(separator: "/").last.map(String.init) ?? words[0]
    return name.clipped(to: 100)
  }

  /// The variable with the user's command for a new terminal window.
  package static let openerVariable = "SCENE_OPENER"

  /// Whether the program inherits the variable. The broker sets the variables that begin with
  /// `SCENE_`.
  package func inherits(_ variable: String) -> Bool {
    if variable == Self.openerVariable { return hasTerminal }
    return !variable.hasPrefix("SCENE_")
      && environment.contains { name in
        name.hasSuffix("*") ? variable.hasPrefix(name.dropLast()) : variable == name
      }
  }
}
