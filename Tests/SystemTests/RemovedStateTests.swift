import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// Somebody removes the state of a daemon that runs.
struct RemovedStateTests {
  @Test("nothing is said to be on the disk that nobody can find there")
  func removed() throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace)
    let client = try daemon.connect()
    try client.initialize()
    let scene = try client.request(SceneConnect(name: "packing"))
    try client.callback(.didBecomeActive)
    _ = try client.request(SaveActivity(session: scene.session, activity: .numbered(1)))
    try Directory.removeTree(workplace.state)
    // It may have noticed by itself already.
    _ = try? client.send(SaveActivity(session: scene.session, activity: .numbered(2)))
    let farewell = try #require(try client.farewell())
    #expect(farewell.reason == .shuttingDown)
    #expect(farewell.message.hasPrefix("the broker cannot go on: "), "\(farewell.message)")
    #expect(farewell.message.hasSuffix("somebody removed the file"), "\(farewell.message)")
    #expect(try daemon.program.reap() == .exited(74))
    try daemon.program.errorLine(containing: "somebody removed the file")
  }
}
