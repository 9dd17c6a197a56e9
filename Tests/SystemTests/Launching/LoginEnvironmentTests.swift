import ScenePlatform
import SceneTestSupport
import Testing

/// The environment of a new login in a broker that is older than the login.
struct LoginEnvironmentTests {
  private let workplace: Workplace
  private let daemon: Daemon

  init() throws {
    workplace = try Workplace()
    let scene = try Programs.path("scene")
    let manifest = try workplace.write(
      "app.json",
      """
      {"supportsMultipleScenes": true, "updateEnvironment": ["DISPLAY", "AGENT"],
       "configurations": {"windowApplication": [{"name": "Note", "launch":
         {"command": ["sh", "-c", "echo display $DISPLAY agent $AGENT; exec \\"$0\\"", "\(scene)"],
          "environment": ["DISPLAY"]}}]}}
      """)
    daemon = try Daemon(
      workplace, ["--manifest", manifest], environment: ["DISPLAY": ":old", "AGENT": "old"])
  }

  private func run(
    _ words: String..., environment: [String: String]
  ) throws -> Outcome {
    try RunningProgram.run(
      "scenectl", words,
      environment: environment.merging(["SCENE_SOCKET": daemon.socket]) { $1 })
  }

  @Test("a launch has the variables of the newest login that its configuration inherits")
  func launch() throws {
    let new = try run("new", "packing", environment: ["DISPLAY": ":new", "AGENT": "secret"])
    #expect(new.code == 0, "\(new.errors)")
    try daemon.program.errorLine(containing: ": display :new agent")
    let inside = ["DISPLAY": ":inside", "SCENE_SESSION": "packing"]
    #expect(try run("new", "list", environment: inside).code == 0)
    #expect(try run("environment", "--import", environment: ["DISPLAY": ":next"]).code == 0)
    #expect(try run("new", "trip", environment: [:]).code == 0)
    try daemon.program.errorLine(containing: ": display :next agent")
    let names = try run("environment", environment: ["DISPLAY": ":1"])
    #expect(names.output == "DISPLAY\nAGENT (not set)\n")
    let other = try run("environment", environment: ["SCENE_ENVIRONMENT": "A B", "A": "1"])
    #expect(other.output == "A\nB (not set)\n")
    #expect(try daemon.stop().isSuccess)
    let log = try daemon.program.everythingOnErrors()
    #expect(!log.contains(":inside") && !log.contains("secret") && !log.contains(":old"))
  }

  @Test("the program of a reclaimed scene starts again with the variables of the newest login")
  func reclaimed() throws {
    let scene = try daemon.start(
      "scene",
      ["packing", "--", "sh", "-c", "echo agent $AGENT; exec sleep 1000"],
      environment: ["AGENT": "old"])
    try scene.line(containing: "agent old")
    for verb in ["background", "reclaim"] {
      #expect(try run(verb, "packing", environment: [:]).code == 0)
    }
    let activated = try run("activate", "packing", environment: ["AGENT": "/run/agent7"])
    #expect(activated.code == 0, "\(activated.errors)")
    try scene.line(containing: "agent /run/agent7")
    for words in [["show", "packing"], ["trace"], ["why", "packing"]] {
      let shown = try daemon.run("scenectl", words + ["--json"]).output
      #expect(!shown.contains("agent7") && !shown.isEmpty, "\(shown)")
    }
    try scene.send(.terminate)
    _ = try scene.reap()
    #expect(try daemon.stop().isSuccess)
  }
}
