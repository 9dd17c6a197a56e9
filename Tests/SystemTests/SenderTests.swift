import ScenePlatform
import SceneTestSupport
import Testing

/// `scenectl kill` of a scene that the broker did not start.
struct SenderTests {
  @Test("why and history name the sender of a kill, also when the next broker is asked")
  func kill() throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace)
    let scene = try daemon.start("scene", ["packing"])
    try scene.line(containing: "didBecomeActive")
    #expect(try daemon.run("scenectl", ["kill", "packing"]).code == 0)
    #expect(try scene.reap() == .signalled(.kill))
    let why = try daemon.run("scenectl", ["why", "packing"]).output
    #expect(why.contains("signalled (KILL) by scenectl "), "\(why)")
    #expect(why.contains("disconnected (connectionLost) by scenectl "), "\(why)")
    let history = try daemon.run("scenectl", ["history", "packing"]).output
    #expect(history.contains("connectionLost; KILL was sent by scenectl "), "\(history)")
    try daemon.kill()
    let again = try Daemon(workplace)
    for verb in ["why", "history"] {
      let told = try again.run("scenectl", [verb, "packing"]).output
      #expect(told.contains("connectionLost; KILL was sent by scenectl "), "\(told)")
    }
  }
}
