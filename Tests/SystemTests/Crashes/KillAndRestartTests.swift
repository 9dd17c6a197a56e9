import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// `kill -9 PID; scene NAME` on one line, as a user types it. The next client continues where the
/// killed one was.
///
/// `SCENE_ROUNDS=1000` repeats the line 1000 times.
struct KillAndRestartTests {
  private static let rounds = Environment["SCENE_ROUNDS"].flatMap { Int($0) } ?? 100

  @Test(
    "after kill -9 and scene on one line, the scene has the same session and activity",
    arguments: [["packing"], []])
  func again(name: [String]) throws {
    let daemon = try Daemon(Workplace())
    let control = try daemon.client(as: .control)
    var holder = try daemon.start("scene", ["packing", "--json"])
    try save(0, in: holder)
    let session = try #require(try control.request(SessionList()).sessions.first).session
    for round in 1...Self.rounds {
      let next = try oneLine(daemon, killing: holder, name)
      let connected = try next.line(containing: #""callback":"willConnect""#)
      #expect(connected.contains(#""reason":"recover""#), "round \(round): \(connected)")
      #expect(connected.contains(#""line":\#(round - 1)"#), "round \(round): \(connected)")
      // The scene is killed on its way to the foreground and in the foreground, by turns.
      if round.isMultiple(of: 2) { try next.line(containing: "didBecomeActive") }
      try save(round, in: next)
      let sessions = try control.request(SessionList()).sessions
      #expect(sessions.map(\.session) == [session], "round \(round)")
      #expect(sessions.map(\.client?.pid) == [Int64(next.child.pid)], "round \(round)")
      try holder.reap()
      holder = next
    }
  }

  private func oneLine(
    _ daemon: Daemon, killing holder: RunningProgram, _ name: [String]
  ) throws -> RunningProgram {
    // The shell becomes the scene, so that the time between kill and start is as short as possible.
    let words = ["kill -9 \(holder.child.pid); exec \(try Programs.path("scene").shellWord)"]
    return try daemon.start("/bin/sh", ["-c", (words + name + ["--json"]).joined(separator: " ")])
  }

  private func save(_ line: Int, in scene: RunningProgram) throws {
    try scene.type(#"{"do":"activity","activityType":"note","userInfo":{"line":\#(line)}}"#)
    try scene.line(containing: #""reply":{"generation""#)
  }
}
