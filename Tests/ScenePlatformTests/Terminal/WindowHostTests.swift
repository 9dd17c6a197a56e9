import SceneTestSupport
import Testing

@testable import ScenePlatform

struct WindowHostTests {
  private let workplace: Workplace

  init() throws { workplace = try Workplace() }

  @Test(
    "the innermost multiplexer shows the window, and a terminal without one has no command",
    arguments: [
      (
        ["TMUX": "/t/default,1,0", "TMUX_PANE": "%3", "KITTY_WINDOW_ID": "1"], true,
        [
          "tmux", "select-window", "-t", "%3", ";", "select-pane", "-t", "%3", ";",
          "switch-client", "-t", "%3",
        ]
      ),
      // The terminal was opened from a pane.
      (["TMUX": "/t/default,1,0", "TMUX_PANE": "%3"], false, nil),
      (
        ["STY": "12.tty.host", "WINDOW": "4"], false,
        ["screen", "-S", "12.tty.host", "-X", "select", "4"]
      ),
      (
        ["KITTY_WINDOW_ID": "9", "KITTY_LISTEN_ON": "unix:/k"], false,
        ["kitten", "@", "focus-window", "--match", "id:9"]
      ),
      (["KITTY_WINDOW_ID": "9"], false, nil),
      (["WEZTERM_PANE": "5"], false, ["wezterm", "cli", "activate-pane", "--pane-id", "5"]),
      (["TMUX": "", "STY": ""], true, nil),
    ] as [([String: String], Bool, [String]?)])
  func raising(environment: [String: String], ownsPane: Bool, command: [String]?) {
    #expect(WindowHost(in: environment) { ownsPane }.raiseCommand == command)
  }

  @Test("a server lives if it answers or runs, and a desktop if its display here answers")
  func lives() throws {
    let socket = workplace.file("s")
    let tmux = WindowHost.tmux(socket: socket, pane: "%0")
    #expect(!tmux.isAlive(in: [:]))
    let listener = try UnixSocket.listen(at: socket)
    defer { withExtendedLifetime(listener) {} }
    #expect(tmux.isAlive(in: [:]))
    let own = WindowHost.screen(session: "", process: ProcessIdentity.currentPID, window: "0")
    #expect(own.isAlive(in: [:]))
    let desktop = ["WAYLAND_DISPLAY": socket]
    #expect(WindowHost.terminal.isAlive(in: desktop))
    #expect(!WindowHost.terminal.isAlive(in: desktop.merging(["SSH_CONNECTION": "1"]) { $1 }))
    #expect(!WindowHost.terminal.isAlive(in: [:]))
    #expect(!WindowHost.terminal.isAlive(in: ["DISPLAY": "other:0"]))
  }
}
