import ScenePlatform
import SceneTestSupport
import Testing

/// The window of `scene -- COMMAND`: its place, its activation, and its end.
extension HostedProgramTests {
  /// A tmux that logs its arguments and knows the terminal of its parent.
  private static let tmux = #"""
    #!/bin/sh
    echo "$*" >>"$(dirname "$0")/log"
    case "$*" in
    *display-message*) echo "$(readlink /proc/$PPID/fd/0) 3 1 4 b25f,80x24,0,0,1 my work:a: mail" ;;
    esac
    """#

  /// A scene in a pane of a tmux whose server is alive: the socket is the broker's.
  private func onPane(
    _ words: [String], environment: [String: String] = [:], server: String? = nil
  ) throws -> RunningProgram {
    let path = try daemon.workplace.write("tmux", Self.tmux)
    try File.setMode(path, 0o700)
    let window = try RunningProgram.onTerminal(
      [Programs.path("scene")] + words,
      environment: [
        "SCENE_SOCKET": daemon.socket,
        "TMPDIR": daemon.workplace.path,
        "PATH": "\(daemon.workplace.path):\(Environment["PATH"] ?? "")",
        "TMUX": "\(server ?? daemon.socket),1,0", "TMUX_PANE": "%3",
      ].merging(environment) { $1 })
    try window.type("pid")
    return window
  }

  private func value(_ path: String) throws -> String {
    try daemon.run("scenectl", ["show", "packing", "--value", path]).output
  }

  private func cause() throws -> String { try value("disconnect.cause") }

  private static let stays = ["--", "sh", "-c", "while :; do sleep 0.1; done"]

  @Test("a window in tmux has its place, is shown by an activation, and is closed by its user")
  func window() throws {
    let window = try onPane(["packing"] + Self.stays)
    try daemon.scenectl("wait", "packing foregroundActive")
    try eventually("the place is stored", polling: .broker) {
      try value("placement.tmux.session") == "my work\n"
    }
    #expect(try value("placement.tmux.window") == "3\n")
    #expect(try value("placement.tmux.name") == "a: mail\n")
    #expect(try value("placement.tmux.layout") == "b25f,80x24,0,0,1\n")
    try daemon.scenectl("activate", "packing")
    try eventually("the pane is selected", polling: .files) {
      try daemon.workplace.read("log").contains("select-window -t %3 ; select-pane -t %3 ;")
    }
    try window.kill()
    try eventually("the user has closed the window", polling: .broker) {
      try cause() == "windowClosed\n"
    }
    #expect(try daemon.scenectl("sessions", "--was-open", "--names") == "")
  }

  @Test(
    "options of a command and variables of the user change the activation and the end of a window",
    arguments: [false, true])
  func windowOptions(areStored: Bool) throws {
    let script = #"echo "$SCENE_SESSION" >"$(dirname "$SCENE_SOCKET")/shown""#
    let words = areStored ? ["--on-hangup", "reopen", "--on-activate", script] : []
    let window = try onPane(
      ["packing"] + words + Self.stays,
      environment: areStored
        ? ["SCENE_ON_HANGUP": "close", "SCENE_RAISE": "false"]
        : ["SCENE_ON_HANGUP": "reopen", "SCENE_RAISE": script])
    let pid = try #require(Int32(try window.line(containing: "")))
    try daemon.scenectl("wait", "packing foregroundActive")
    #expect(try value("program.onHangup") == (areStored ? "reopen\n" : ""))
    #expect(try value("program.onActivate") == (areStored ? script + "\n" : ""))
    try eventually("the place is stored", polling: .broker) {
      try value("placement.tmux.pane") == "1\n"
    }
    try daemon.scenectl("activate", "packing")
    let shown = try #require(Directory.parent(of: daemon.socket)) + "/shown"
    let session = try value("session")
    try eventually("the window is shown", polling: .files) {
      (try? File.read(shown, limit: 100)).map { String(decoding: $0, as: UTF8.self) } == session
    }
    try window.kill()
    try expectOpen(afterEndOf: pid)
  }

  @Test(
    "a window stays open if its server ends after the window, or a signal ends its process",
    arguments: [false, true])
  func hangup(endsByServer: Bool) throws {
    let path = daemon.workplace.file("server")
    var server: FileDescriptor? = try UnixSocket.listen(at: path)
    let window = try onPane(["packing"] + Self.stays, server: path)
    let pid = try #require(Int32(try window.line(containing: "")))
    try daemon.scenectl("wait", "packing foregroundActive")
    try eventually("the place is stored", polling: .broker) {
      try value("placement.tmux.pane") == "1\n"
    }
    try window.kill()
    try eventually("the scene has ended", polling: .broker) { try cause() == "hangup\n" }
    if endsByServer {
      try File.remove(path)
      server = nil
    } else {
      try Signal.terminate.send(to: pid)
    }
    try expectOpen(afterEndOf: pid)
    withExtendedLifetime(server) {}
  }

  private func expectOpen(afterEndOf pid: Int32) throws {
    try eventually("the process has ended", polling: .processes) {
      ProcessIdentity.of(pid) == nil
    }
    #expect(try cause() == "hangup\n")
    let listed = try daemon.run("scenectl", ["sessions", "--was-open", "--names"])
    #expect(listed.output == "packing\n")
  }
}
