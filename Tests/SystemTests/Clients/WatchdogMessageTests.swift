import ScenePlatform
import SceneTestSupport
import Testing

/// The messages about a scene that does not answer a callback.
struct WatchdogMessageTests {
  @Test("each message about a watchdog names the callback that was not answered")
  func cutOff() throws {
    let daemon = try Daemon(Workplace(), ["--budget", "didEnterBackground=1s"])
    let scene = try daemon.start("scene", ["packing"])
    try scene.line(containing: "didBecomeActive")
    try scene.type("hang didEnterBackground")
    try scene.line(containing: "scene no longer answers didEnterBackground")
    let background = try daemon.start("scenectl", ["background", "packing"])
    try scene.line(containing: "didEnterBackground   not answered")
    try scene.line(containing: "disconnected: didEnterBackground was not answered in time")
    #expect(try scene.reap() == .exited(1))
    try background.errorLine(
      containing: "packing: the watchdog disconnected the scene: didEnterBackground exceeded its "
        + "budget")
    #expect(try background.reap() == .exited(1))
  }

  @Test("a scene that the watchdog disconnects during a discard reports both", arguments: [0, 1])
  func discarded(isJSON: Int) throws {
    let daemon = try Daemon(Workplace(), ["--budget", "willResignActive=1s"])
    let scene = try daemon.start("scene", ["packing"] + (isJSON == 1 ? ["--json"] : []))
    try scene.line(containing: "didBecomeActive")
    #expect(try daemon.run("scenectl", ["settle"]).code == 0)
    // The scene does not hang by its own command, so it only knows its last callback.
    try scene.send(.stop)
    #expect(try daemon.run("scenectl", ["discard", "packing"]).code == 0)
    try scene.send(.continue)
    let rest = try scene.rest()
    let told =
      isJSON == 1
      ? #""reason":"watchdog","unanswered":"willResignActive","discarded":true}"#
      : "disconnected: willResignActive was not answered in time\nthe session was discarded"
    #expect(rest.contains(told), "\(rest)")
    #expect(try scene.reap() == .exited(1))
  }

  @Test("the status of a scene that has not answered shows its target")
  func onItsWay() throws {
    let daemon = try Daemon(Workplace(), ["--budget", "didEnterBackground=1h"])
    let scene = try daemon.start("scene", ["packing"])
    try scene.line(containing: "didBecomeActive")
    try scene.type("hang didEnterBackground")
    try scene.line(containing: "scene no longer answers")
    #expect(try daemon.run("scenectl", ["background", "--no-wait", "packing"]).code == 0)
    try scene.line(containing: "didEnterBackground   not answered")
    let status = try daemon.run("scenectl", ["status"]).output
    #expect(status.contains("foregroundInactive → background"))
    try scene.kill()
  }

  @Test("the watchdog disconnects a stopped scene, and the broker does not use it as a host")
  func stopped() throws {
    let daemon = try Daemon(
      Workplace(), ["--budget", "willEnterForeground=1s", "--budget", "connect=1h"])
    let scene = try daemon.start("scene", ["packing", "--background"])
    try scene.line(containing: "willConnect")
    #expect(try daemon.run("scenectl", ["settle"]).code == 0)
    try scene.send(.stop)
    let outcome = try daemon.run("scenectl", ["activate", "packing"])
    #expect(outcome.code == 75)
    #expect(
      outcome.errors.contains(
        "no client that responds can host the scene: scene \(scene.child.pid) does not respond"
      ),
      "\(outcome.errors)")
    try scene.kill()
  }

  @Test("a scene prints the result of each request for a state")
  func moves() throws {
    let daemon = try Daemon(Workplace())
    let scene = try daemon.start("scene", ["packing"])
    try scene.line(containing: "didBecomeActive")
    try scene.type("background")
    try scene.line(containing: "the scene goes to the background")
    try scene.line(containing: "stateRestorationActivity")
    #expect(try daemon.run("scenectl", ["settle"]).code == 0)
    try scene.type("background")
    try scene.line(containing: "the scene is in the background")
    try scene.type("activate")
    try scene.line(containing: "the scene comes to the foreground")
    try scene.line(containing: "didBecomeActive")
    try scene.type("hang")
    try scene.line(containing: "scene no longer answers callbacks")
  }
}
