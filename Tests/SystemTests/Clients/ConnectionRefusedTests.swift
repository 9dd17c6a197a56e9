import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// Brokers that refuse a client or do not answer, and paths without a broker.
struct ConnectionRefusedTests {
  @Test(
    "a client that the broker never accepts prints the reason and exits with 77",
    arguments: [("scene", ["packing"]), ("scene", ["--json"]), ("scenectl", ["status"])])
  func forGood(program: String, arguments: [String]) throws {
    let broker = try FakeBroker()
    let client = try broker.start(program, arguments)
    try broker.turnAway(
      BrokerError(.notPermitted, "this broker belongs to user 7; the client runs as user 8"))
    try client.errorLine(
      containing: "\(program): this broker belongs to user 7; the client runs as user 8")
    #expect(try client.everythingOnErrors().contains("tart") == false)
    #expect(try client.reap() == .exited(77))
  }

  @Test("a scene that a full broker refuses prints the reason and tries again")
  func later() throws {
    let broker = try FakeBroker()
    let scene = try broker.start("scene", ["packing"])
    try broker.turnAway(BrokerError(.tooMany, "the broker already has 12 connections, its limit"))
    try scene.line(containing: "the broker already has 12 connections, its limit; trying again")
    try broker.turnAway(
      BrokerError(.notPermitted, "this broker belongs to user 7; the client runs as user 8"))
    #expect(try scene.rest() == "")
    #expect(try scene.reap() == .exited(77))
  }

  @Test("a scene without a descriptor names the limit, and does not claim that no broker runs")
  func fewDescriptors() throws {
    let daemon = try Daemon(Workplace())
    for limit in 4...40 {
      let scene = try daemon.start(
        "/bin/sh", ["-c", "ulimit -n \(limit); exec \"$0\" packing", Programs.path("scene")])
      let line = try? scene.line(
        where: { $0.contains("trying again") || $0.contains("didBecomeActive") })
      if line?.contains("didBecomeActive") == true { return }
      let text = try line ?? scene.everythingOnErrors()
      #expect(text.contains("Too many open files; raise the limit"), "\(limit): \(text)")
      #expect(!text.contains("no broker runs"))
    }
    Issue.record("40 descriptors do not suffice")
  }

  @Test("a client reports a broker that accepts connections and does not answer")
  func hung() throws {
    let broker = try FakeBroker()
    let text = try broker.start("scene", ["packing"])
    let json = try broker.start("scene", ["itinerary", "--json"])
    try text.line(containing: "does not answer")
    try json.line(containing: #"{"state":"unanswered"}"#)
    try text.send(.terminate)
    #expect(try text.rest() == "")
    #expect(try text.reap() == .exited(0))
  }

  @Test("the scene in Python reports in one line that no broker runs")
  func pythonAlone() throws {
    let workplace = try Workplace()
    let outcome = try RunningProgram.run(
      "python3", [try Repository.file("scripts/scene.py")],
      environment: ["SCENE_SOCKET": workplace.socket])
    #expect(outcome.code == 69)
    #expect(outcome.errors == "no broker listens at \(workplace.socket)\n")
  }

  @Test("the scene in Python names the client that holds its session")
  func python() throws {
    let daemon = try Daemon(Workplace())
    let script = try Repository.file("scripts/scene.py")
    let first = try daemon.start("python3", [script, "packing"])
    try first.line(containing: "at line 1")
    let second = try daemon.run("python3", [script, "packing"])
    #expect(second.code == 1)
    #expect(second.errors == "packing is held by scene.py \(first.child.pid)\n")
  }
}
