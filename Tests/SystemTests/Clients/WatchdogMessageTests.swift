import ScenePlatform
import SceneTestSupport
import Testing

/// The messages about a scene that does not answer a callback.
struct WatchdogMessageTests {
  @Test("a scene that the watchdog disconnects during a discard reports both", arguments: [0, 1])
  func discarded(isJSON: Int) throws {
    let daemon = try Daemon(Workplace(), ["--budget", "willResignActive=1s"])
    let scene = try daemon.start("scene", ["packing"] + (isJSON == 1 ? ["--json"] : []))
    try scene.line(containing: "didBecomeActive")
    try daemon.scenectl("settle")
    // The scene does not hang by its own command, so it only knows its last callback.
    try scene.send(.stop)
    try daemon.scenectl("discard", "packing")
    try scene.send(.continue)
    let rest = try scene.rest()
    let told =
      isJSON == 1
      ? #""reason":"watchdog","unanswered":"willResignActive","discarded":true}"#
      : "disconnected: willResignActive was not answered in time\nthe session was discarded"
    #expect(rest.contains(told), "\(rest)")
    #expect(try scene.reap() == .exited(1))
  }
}
