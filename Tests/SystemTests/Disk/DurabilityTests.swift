import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// The guarantee of a reply to a save for each `--durability`.
struct DurabilityTests {
  /// Kills a daemon after it acknowledged a save.
  private func saveAndKill(_ workplace: Workplace, _ durability: String) throws {
    let daemon = try Daemon(workplace, ["--durability", durability])
    let client = try daemon.connect()
    try client.initialize(as: .control)
    #expect(try client.request(ApplicationStatus()).durability == durability)
    #expect(try daemon.run("scenectl", ["status"]).output.contains("durability \(durability)"))
    let scene = try client.request(SceneConnect(name: "packing"))
    _ = try client.request(SaveActivity(session: scene.session, activity: .numbered(1)))
    try daemon.kill()
  }

  @Test(
    "with disk and os, an acknowledged save outlives a killed daemon", arguments: ["disk", "os"])
  func kept(durability: String) throws {
    let workplace = try Workplace()
    try saveAndKill(workplace, durability)
    let daemon = try Daemon(workplace, ["--durability", durability])
    #expect(try daemon.run("scenectl", ["is", "packing activity.userInfo.number=1"]).code == 0)
    #expect(try daemon.stop().isSuccess)
  }

  @Test("with none, the daemon writes no file, and the next daemon has no data")
  func none() throws {
    let workplace = try Workplace()
    try saveAndKill(workplace, "none")
    #expect(try Directory.list(workplace.path) == ["sock", "sock.lock"])
    let daemon = try Daemon(workplace, ["--durability", "none"])
    #expect(try daemon.run("scenectl", ["is", "packing"]).code == 1)
    #expect(try daemon.stop().isSuccess)
    #expect(try Directory.list(workplace.path) == ["sock.lock"])
  }
}
