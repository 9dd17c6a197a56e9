import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// The progress of a long operation, as a terminal shows it.
struct ProgressTests {
  /// Runs `scenectl` with a terminal as standard error. Returns what the terminal shows first.
  private func play(
    awaiting text: String, _ words: [String], socket: String? = nil
  ) throws -> (player: RunningProgram, shown: String) {
    let player = try RunningProgram.onTerminal(
      [Programs.path("scenectl")] + words, options: ["--only", "2", "--size", "70x25"],
      environment: ["TERM": "xterm"].merging(socket.map { ["SCENE_SOCKET": $0] } ?? [:]) { $1 })
    for step in ["await \(text)", #"await \x1b[K"#, "shown"] { try player.type(step) }
    return (player, try player.line(containing: text))
  }

  /// Ends the player, and returns the remaining text of its terminal, with the status.
  private func rest(_ player: RunningProgram) throws -> String {
    for step in ["end", "shown"] { try player.type(step) }
    return try player.finish().output
  }

  /// Two scripts that run one after the other. The first fails if the file `go` exists.
  private func scripts(_ workplace: Workplace) throws -> [String] {
    let wait = "while ! test -e \(workplace.file("go")); do sleep 0.02; done"
    return [
      try workplace.write("first.scene", "exec sh -c '\(wait); exit 1'\n"),
      try workplace.write("second.scene", "exec true\n"),
    ]
  }

  @Test("scenectl test shows how many scripts have ended, and leaves an empty line")
  func test() throws {
    let workplace = try Workplace()
    let words = ["test", "--jobs", "1"] + (try scripts(workplace))
    let (player, shown) = try play(awaiting: "0 of 2 scripts", words)
    #expect(shown == "\r0 of 2 scripts\u{1B}[K")
    _ = try workplace.write("go", "")
    let rest = try rest(player)
    #expect(rest.contains("not ok 1") && rest.contains("status 1\n"), "\(rest)")
    #expect(rest.hasSuffix("\r\u{1B}[K\n"), "\(rest)")
  }

  @Test("Ctrl-C erases the progress line")
  func interrupted() throws {
    let workplace = try Workplace()
    let words = ["test", "--jobs", "1"] + (try scripts(workplace))
    let (player, _) = try play(awaiting: "0 of 2 scripts", words)
    try player.type(#"keys \x03"#)
    let rest = try rest(player)
    #expect(rest.contains("^C\r\u{1B}[Kscenectl: interrupted by SIGINT"), "\(rest)")
    #expect(rest.contains("status 130\n"), "\(rest)")
  }

  @Test("a pipe as standard error receives no progress")
  func pipe() throws {
    let workplace = try Workplace()
    let program = try RunningProgram(
      "scenectl", ["test", "--jobs", "1"] + (try scripts(workplace)),
      environment: ["TERM": "xterm"])
    try program.line(containing: "1..2")
    _ = try workplace.write("go", "")
    #expect(try program.everythingOnErrors() == "")
    #expect(try program.reap() == .exited(1))
  }

  @Test("a shutdown that waits names the scenes that have not disconnected")
  func shutdown() throws {
    let daemon = try Daemon(Workplace())
    let scene = try daemon.scene("packing")
    try scene.send(.stop)
    let (player, shown) = try play(awaiting: "packing", ["shutdown"], socket: daemon.socket)
    #expect(shown.contains(" s for 1 scene to disconnect: packing"), "\(shown)")
    try scene.send(.continue)
    let rest = try rest(player)
    #expect(rest.contains("status 0\n") && rest.hasSuffix("\r\u{1B}[K\n"), "\(rest)")
  }
}
