/// The multiplexer or terminal that shows the window of this process.
package enum WindowHost: Equatable, Sendable {
  /// A pane of tmux. `socket` is the path of the server's socket.
  case tmux(socket: String, pane: String)
  /// A window of screen. `process` is the number of the server's process.
  case screen(session: String, process: Int32, window: String)
  case kitty(window: String)
  case wezterm(pane: String)
  /// A terminal that no variable names.
  case terminal

  /// The innermost host that the variables name. `ownsPane` tells whether this process is in the
  /// pane of tmux: a terminal that was opened from a pane inherits its variables.
  package init(in environment: [String: String], ownsPane: () -> Bool) {
    func value(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    if let tmux = value("TMUX"), let pane = value("TMUX_PANE"), ownsPane() {
      self = .tmux(socket: String(tmux.prefix { $0 != "," }), pane: pane)
    } else if let session = value("STY"), let window = value("WINDOW"),
      let process = Int32(session.prefix { $0 != "." })
    {
      self = .screen(session: session, process: process, window: window)
    } else if let window = value("KITTY_WINDOW_ID"), value("KITTY_LISTEN_ON") != nil {
      // Without this socket, kitty takes commands only from the terminal, which the program has.
      self = .kitty(window: window)
    } else if let pane = value("WEZTERM_PANE") {
      self = .wezterm(pane: pane)
    } else {
      self = .terminal
    }
  }

  /// The command that shows the window to the user; nil if the host has none.
  package var raiseCommand: [String]? {
    switch self {
    case .tmux(_, let pane):
      ["select-window", "select-pane", "switch-client"].reduce(into: ["tmux"]) { words, command in
        words += (words.count > 1 ? [";"] : []) + [command, "-t", pane]
      }
    case .screen(let session, _, let window): ["screen", "-S", session, "-X", "select", window]
    case .kitty(let window): ["kitten", "@", "focus-window", "--match", "id:\(window)"]
    case .wezterm(let pane): ["wezterm", "cli", "activate-pane", "--pane-id", pane]
    case .terminal: nil
    }
  }

  /// Whether the server of the multiplexer or the desktop session runs. False if that is unknown,
  /// as for a terminal on another machine.
  package func isAlive(in environment: [String: String]) -> Bool {
    switch self {
    case .tmux(let socket, _): return Display(socket: socket).answers
    case .screen(_, let process, _): return ProcessIdentity.of(process) != nil
    case .kitty, .wezterm, .terminal:
      guard environment["SSH_CONNECTION"] == nil,
        let display = Display.wayland(in: environment) ?? Display.x11(in: environment),
        display.socket != nil, display.answers
      else { return false }
      return !Self.isClosing(session: environment["XDG_SESSION_ID"])
    }
  }

  /// Whether the user is leaving this session of systemd.
  private static func isClosing(session: String?) -> Bool {
    guard let session, !session.contains("/"),
      let file = try? File.read("/run/systemd/sessions/" + session, limit: 1 << 16)
    else { return false }
    return String(decoding: file, as: UTF8.self).split(separator: "\n").contains("STATE=closing")
  }
}
