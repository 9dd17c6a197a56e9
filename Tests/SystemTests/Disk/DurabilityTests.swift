import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

struct DurabilityTests {
  @Test("with none, the daemon writes no file, and the next daemon has no data")
  func none() throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace, ["--durability", "none"])
    let client = try daemon.client(as: .control)
    #expect(try client.request(ApplicationStatus()).durability == "none")
    #expect(try daemon.scenectl("status").contains("durability none"))
    let scene = try client.request(SceneConnect(name: "packing"))
    try client.save(.numbered(1), in: scene.session)
    try daemon.kill()
    #expect(try Directory.list(workplace.path) == ["sock", "sock.lock"])
    let next = try Daemon(workplace, ["--durability", "none"])
    #expect(try next.run("scenectl", ["is", "packing"]).code == 1)
    #expect(try next.stop().isSuccess)
    #expect(try Directory.list(workplace.path) == ["sock.lock"])
  }
}
