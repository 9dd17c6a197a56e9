import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// The program `scene` with a broker.
struct SceneProgramTests {
  private let daemon: Daemon

  init() throws { daemon = try Daemon(Workplace()) }

  /// A scene in a shell, in its machine-readable form, up in the foreground.
  private func scene(
    _ arguments: [String] = ["packing"], on other: Daemon? = nil
  ) throws -> RunningProgram {
    let scene = try (other ?? daemon).start("scene", arguments + ["--json"])
    try scene.line(containing: #""callback":"didBecomeActive""#)
    return scene
  }

  @Test("signals that are ignored at the start stay ignored, as under nohup")
  func ignored() throws {
    let scene = try RunningProgram(
      "/bin/sh", ["-c", "trap '' HUP INT; exec \"$0\" --json", try Programs.path("scene")],
      environment: ["SCENE_SOCKET": daemon.socket])
    try scene.line(containing: "didBecomeActive")
    try scene.send(.hangup)
    try scene.send(.interrupt)
    try scene.type(#"{"do":"status"}"#)
    // That it is there the broker hears only after it was printed.
    #expect(try scene.line(containing: "reply").contains(#""target":"foregroundActive""#))
    try scene.send(.terminate)
    try scene.line(containing: "didDisconnect")
    #expect(try scene.reap().isSuccess)
  }

  private static let exact =
    #"{"big":9007199254740993,"pi":3.14159265358979323846,"text":"\u00e9\/"}"#

  @Test("a saved activity survives a kill of the client byte for byte")
  func killedClient() throws {
    let first = try scene()
    try first.type(
      #"{"do":"activity","activityType":"com.example.note","userInfo":\#(Self.exact)}"#)
    try first.line(containing: #""generation":1"#)
    try first.kill()
    #expect(
      try daemon.run(
        "scenectl", ["wait", "packing unattached disconnect.reason=connectionLost"]
      ).code == 0)

    let second = try daemon.start("scene", ["packing", "--json"])
    let connected = try second.line(containing: #""callback":"willConnect""#)
    #expect(connected.contains(#""reason":"recover""#))
    #expect(connected.contains(#""userInfo":\#(Self.exact)"#))
  }

  @Test("a refused activity is reported once, and the scene keeps the saved one")
  func refusedActivity() throws {
    let daemon = try Daemon(Workplace(), ["--limit", "activityBytes=100"])
    let scene = try scene(on: daemon)
    let long = String(repeating: "x", count: 100)
    // What came with the session, or none, is what it stays at before anything was saved.
    try scene.type(#"{"do":"activity","activityType":"long","userInfo":{"text":"\#(long)"}}"#)
    try scene.line(containing: #""reason":"tooLarge""#)
    try scene.type(#"{"do":"background"}"#)
    var asked = try scene.line(containing: "stateRestorationActivity")
    #expect(!asked.contains("answer"), "\(asked)")
    try scene.type(#"{"do":"activity","activityType":"short","userInfo":{}}"#)
    try scene.line(containing: #""generation":1"#)
    try scene.type(#"{"do":"activity","activityType":"long","userInfo":{"text":"\#(long)"}}"#)
    try scene.line(containing: #""reason":"tooLarge""#)
    for _ in 0..<2 {
      try scene.type(#"{"do":"activate"}"#)
      try scene.line(containing: "didBecomeActive")
      try scene.type(#"{"do":"background"}"#)
      asked = try scene.line(containing: "stateRestorationActivity")
      #expect(asked.contains(#""answer":{"activityType":"short","userInfo":{}}"#), "\(asked)")
    }
    try scene.type(#"{"do":"close"}"#)
    #expect(try !scene.says("tooLarge"))
    #expect(try scene.reap() == .exited(0))
  }

  @Test("the second client of a session is refused with advice, unless it takes over")
  func takeOver() throws {
    let first = try daemon.connect()
    try first.initialize()
    let held = try first.request(SceneConnect(name: "packing"))
    try first.callback(.didBecomeActive)
    let refused = try daemon.run("scene", ["packing"])
    #expect(refused.code == 75)
    let holder = "test \(ProcessIdentity.currentPID)"
    #expect(
      refused.errors
        == """
        scene: packing is held by \(holder)
        Take the session with: scene packing --take-over
        Make another session with: scene --new

        """)
    let elsewhere = try RunningProgram.run("scene", ["packing", "-S", daemon.socket])
    #expect(elsewhere.errors.contains("with: scene -S \(daemon.socket) packing --take-over\n"))
    #expect(elsewhere.errors.hasSuffix("with: scene -S \(daemon.socket) --new\n"))

    let second = try scene(["packing", "--take-over"])
    guard case .didDisconnect(let message) = try first.callback(.didDisconnect) else { return }
    #expect(message.reason == .replaced)
    // What the first still wants to save comes too late.
    let late = #expect(throws: BrokerError.self) {
      try first.request(SaveActivity(session: held.session, activity: .test(Self.late)))
    }
    #expect(late?.reason == .sessionNotHeld)
    withExtendedLifetime(second) {}
  }

  private static let late = #"{"activityType":"com.example.note","userInfo":{"late":true}}"#

  @Test("the scene in Python restores its state, and the manual shows the file")
  func python() throws {
    let script = try Repository.file("scripts/scene.py")
    for line in 1...3 {
      let scene = try RunningProgram(
        "/usr/bin/env", ["python3", script, "packing"], environment: ["SCENE_SOCKET": daemon.socket]
      )
      try scene.line(containing: "at line \(line) - saved")
      try scene.kill()
    }
    let page = try Repository.text("Sources/Manual/Manual.docc/Python.md")
    #expect(page.contains(try Repository.text("scripts/scene.py")))
  }

  @Test("the scene in Python starts from the beginning if the activity belongs to another program")
  func pythonElsewhere() throws {
    let first = try scene()
    try first.type(#"{"do":"activity","activityType":"x"}"#)
    try first.line(containing: #""generation":1"#)
    try first.kill()
    let script = try Repository.file("scripts/scene.py")
    let second = try RunningProgram(
      "/usr/bin/env", ["python3", script, "packing"], environment: ["SCENE_SOCKET": daemon.socket])
    try second.line(containing: "at line 1 - saved")
  }

  @Test("a role that the session does not have is an error of the command line")
  func wrongRole() throws {
    try scene().kill()
    let outcome = try daemon.run("scene", ["packing", "--role", "nope"])
    #expect(outcome.code == 2)
    #expect(
      outcome.errors.hasPrefix("scene: --role nope: packing has the role windowApplication"),
      "\(outcome.errors)")
  }

  @Test("without a broker, `status` gives the last known state of the scene")
  func statusWithoutBroker() throws {
    let scene = try scene()
    try daemon.kill()
    try scene.line(containing: #""state":"waiting""#)
    try scene.type(#"{"do":"status","id":7}"#)
    let answer = try scene.line(containing: #""id":7"#)
    #expect(answer.contains(#""reason":"brokerUnavailable""#))
    #expect(answer.contains("the scene was foregroundActive and waits for the next broker"))
    let again = try Daemon(daemon.workplace)
    try scene.line(containing: #""state":"resumed""#)
    try scene.type(#"{"do":"status","id":8}"#)
    #expect(try scene.line(containing: #""id":8"#).contains(#""state":"foregroundActive""#))
    withExtendedLifetime(again) {}
  }

  @Test("signals that arrive together count as one, and the scene disconnects in order")
  func signalledTwice() throws {
    let scene = try scene()
    // Both wait for it when it goes on.
    try scene.send(.stop)
    try scene.send(.interrupt)
    try scene.send(.terminate)
    try scene.send(.continue)
    try scene.line(containing: #""callback":"didDisconnect""#)
    #expect(try scene.reap() == .exited(0))
  }

  @Test("a later signal ends scene at once")
  func signalledLater() throws {
    let daemon = try Daemon(Workplace(), ["--budget", "willResignActive=100s"])
    let scene = try scene(on: daemon)
    try scene.type(#"{"do":"hang"}"#)
    try scene.line(containing: #""do":"hang""#)
    try scene.send(.terminate)
    try scene.line(containing: #""callback":"willResignActive""#)
    // Nothing tells when a signal counts as another one, so it is sent until one has.
    while try daemon.run("scenectl", ["is", "packing unattached"]).code != 0 {
      try scene.send(.terminate)
    }
    #expect(
      try daemon.run("scenectl", ["is", "packing disconnect.reason=connectionLost"]).code == 0)
    #expect(try scene.reap() == .exited(1))
  }
}
