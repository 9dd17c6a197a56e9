import ScenePlatform
import SceneTestSupport
import Testing

/// `scenectl top` on a real terminal.
struct TopTests {
  private let daemon: Daemon

  init() throws { daemon = try Daemon(Workplace()) }

  private func top(
    in place: String = "foreground", _ verb: String = "top"
  ) throws -> RunningProgram {
    try RunningProgram.onTerminal(
      [Programs.path("scenectl"), verb], options: ["--size", "80x24", "--job", place],
      environment: ["SCENE_SOCKET": daemon.socket, "TERM": "xterm", "NO_COLOR": "1"])
  }

  private func expectEnd(_ status: Int, of top: RunningProgram) throws {
    for step in ["end", "restored"] { try top.type(step) }
    let outcome = try top.finish()
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.hasSuffix("status \(status)\n"))
  }

  @Test("the view shows sessions, acts on them, follows the window, and survives its broker")
  func session() throws {
    let scene = try daemon.scene("packing", "--json")
    let top = try top()
    try top.play("await >packing", "await active", "keys b")
    try scene.line(containing: #""callback":"didEnterBackground""#)
    try top.play("await background", "keys w", "await Why packing", "keys q")
    // A wider window has room for all keys, and a narrow one for few.
    try top.play("size 40 8", "await q quit ? help a activate b background")
    try top.play("size 80 24", "await w why")
    #expect(try daemon.run("scene", ["hats", "--", "true"]).code == 0)
    try top.play("keys k", "await >hats", "keys a", "await press o to open its window")
    try daemon.scenectl("discard", "hats")
    try top.play("await >packing")
    try daemon.kill()
    try top.play("await reconnecting: ")
    let next = try Daemon(daemon.workplace)
    try top.play("await application default", "keys d", "await [y/N]", "keys y")
    try top.play("await no sessions", "keys q")
    try expectEnd(0, of: top)
    withExtendedLifetime(next) {}
  }

  @Test("the switcher shows snapshots, and Enter activates the selected session and ends it")
  func switcher() throws {
    let scenes = try ["hats", "packing"].map { name in
      let scene = try daemon.scene(name, "--json")
      try scene.type(#"{"do":"snapshot","snapshot":"shirts of \#(name)"}"#)
      try scene.line(containing: #""reply":"#)
      return scene
    }
    try daemon.scenectl("background", "hats")
    let switcher = try top("switcher")
    try switcher.play("await >packing", "await shirts of packing", "await shirts of hats")
    try switcher.play("keys j", "await >hats", "keys \\r")
    try expectEnd(0, of: switcher)
    try daemon.scenectl("is", "hats", "foregroundActive")
    try scenes[0].line(containing: "didBecomeActive")
    // A reclaimed scene that waits needs no window.
    try daemon.scenectl("background", "packing")
    try daemon.scenectl("reclaim", "packing")
    let another = try top("switcher")
    try another.play("await >packing", "keys \\r")
    try expectEnd(0, of: another)
    try daemon.scenectl("is", "packing", "foregroundActive")
  }

  @Test(
    "a signal that ends the view restores the terminal",
    arguments: [("SIGTERM", -15), ("SIGINT", -2), ("SIGHUP", -1), ("SIGQUIT", -3)])
  func signals(name: String, status: Int) throws {
    let top = try top()
    try top.play("await no sessions", "signal \(name)")
    try expectEnd(status, of: top)
  }

  @Test("in the background the view waits, and appears when its job comes to the foreground")
  func background() throws {
    let top = try top(in: "background")
    try eventually("the view has connected", polling: .broker) {
      try daemon.scenectl("call", "application/status")
        .contains(#""connections":2"#)
    }
    try top.play("foreground", "await no sessions", "signal SIGTERM")
    try expectEnd(-15, of: top)
  }
}
