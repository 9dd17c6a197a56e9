import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// The three programs together, as a user runs them.
struct SceneProgramTests {
  /// A scene with JSON output, in the foreground.
  private func scene(
    _ daemon: Daemon, _ arguments: [String], upTo callback: String = "didBecomeActive"
  ) throws -> RunningProgram {
    let scene = try daemon.start("scene", arguments + ["--json"])
    try scene.line(containing: #""callback":"\#(callback)""#)
    return scene
  }

  @Test("signals that were ignored at the start stay ignored, as under nohup")
  func ignored() throws {
    let daemon = try Daemon(Workplace())
    let scene = try RunningProgram(
      "/bin/sh", ["-c", "trap '' HUP INT; exec \"$0\" --json", try Programs.path("scene")],
      environment: ["SCENE_SOCKET": daemon.socket])
    try scene.line(containing: "didBecomeActive")
    try scene.send(.hangup)
    try scene.send(.interrupt)
    try scene.type(#"{"do":"status"}"#)
    // The broker learns of the foreground only after `scene` has printed it.
    #expect(try scene.line(containing: "reply").contains(#""target":"foregroundActive""#))
    try scene.send(.terminate)
    try scene.line(containing: "didDisconnect")
    #expect(try scene.reap().isSuccess)
  }

  private static let exact =
    #"{"big":9007199254740993,"pi":3.14159265358979323846,"text":"\u00e9\/"}"#

  @Test("a killed client loses no saved activity, byte for byte")
  func killedClient() throws {
    let daemon = try Daemon(Workplace())
    let first = try scene(daemon, ["packing"])
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

  @Test("a refused activity is reported once, and the scene keeps the previous activity")
  func refusedActivity() throws {
    let daemon = try Daemon(Workplace(), ["--limit", "activityBytes=100"])
    let scene = try scene(daemon, ["packing"])
    let long = String(repeating: "x", count: 100)
    // Before the first save, the scene keeps the activity of its session, or none.
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

  @Test("without a name, a scene gets the newest unattached session")
  func defaultPick() throws {
    let daemon = try Daemon(Workplace())
    let first = try scene(daemon, ["packing"])
    try first.kill()
    let second = try daemon.start("scene", ["--json"])
    let connected = try second.line(containing: #""callback":"willConnect""#)
    #expect(connected.contains(#""name":"packing""#))
  }

  @Test("without a client no scene can be activated")
  func noHost() throws {
    let daemon = try Daemon(Workplace())
    try scene(daemon, ["packing"]).kill()
    #expect(try daemon.run("scenectl", ["wait", "packing unattached"]).code == 0)
    let control = try daemon.connect()
    try control.initialize(as: .control)
    var activation = RequestActivation()
    activation.name = "packing"
    let error = #expect(throws: BrokerError.self) { try control.request(activation) }
    #expect(error?.reason == .noHost)
    #expect(error?.retry == .later)
    activation.name = "never-made"
    #expect(throws: BrokerError.self) { try control.request(activation) }
    #expect(try control.request(SessionList()).sessions.count == 1)
  }

  @Test("a second client of a session is refused, unless it takes over")
  func takeOver() throws {
    let daemon = try Daemon(Workplace())
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

    let second = try scene(daemon, ["packing", "--take-over"])
    guard case .didDisconnect(let message) = try first.callback(.didDisconnect) else { return }
    #expect(message.reason == .replaced)
    // A later save of the first client is refused.
    let late = #expect(throws: BrokerError.self) {
      try first.request(SaveActivity(session: held.session, activity: .test(Self.late)))
    }
    #expect(late?.reason == .sessionNotHeld)
    withExtendedLifetime(second) {}
  }

  private static let late = #"{"activityType":"com.example.note","userInfo":{"late":true}}"#

  @Test("the demo runs to its end")
  func demo() throws {
    let script = try Repository.file("scripts/demo")
    let programs = try #require(Directory.parent(of: Programs.path("scened")))
    let outcome = try RunningProgram.run(script, ["--programs", programs])
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains("All checks passed."))
  }

  @Test("the demo refuses a directory without the programs")
  func demoOfNothing() throws {
    let workplace = try Workplace()
    let outcome = try RunningProgram.run(
      try Repository.file("scripts/demo"), ["--programs", workplace.path])
    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("scripts/demo: no program scened in \(workplace.path);"))
  }

  @Test("the scene in Python restores its state, and the manual shows the file")
  func python() throws {
    let daemon = try Daemon(Workplace())
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

  @Test("the scene in Python starts without state if the activity is of another program")
  func pythonElsewhere() throws {
    let daemon = try Daemon(Workplace())
    let first = try scene(daemon, ["packing"])
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
    let daemon = try Daemon(Workplace())
    try scene(daemon, ["packing"]).kill()
    let outcome = try daemon.run("scene", ["packing", "--role", "nope"])
    #expect(outcome.code == 2)
    #expect(
      outcome.errors.hasPrefix("scene: --role nope: packing has the role windowApplication"),
      "\(outcome.errors)")
  }

  @Test("without a broker, the status of a scene is its last known state")
  func statusWithoutBroker() throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace)
    let scene = try scene(daemon, ["packing"])
    try daemon.kill()
    try scene.line(containing: #""state":"waiting""#)
    try scene.type(#"{"do":"status","id":7}"#)
    let answer = try scene.line(containing: #""id":7"#)
    #expect(answer.contains(#""reason":"brokerUnavailable""#))
    #expect(answer.contains("the scene was foregroundActive and waits for the next broker"))
    let again = try Daemon(workplace)
    try scene.line(containing: #""state":"resumed""#)
    try scene.type(#"{"do":"status","id":8}"#)
    #expect(try scene.line(containing: #""id":8"#).contains(#""state":"foregroundActive""#))
    withExtendedLifetime(again) {}
  }

  @Test("the last activity from between a shutdown and the next start is saved")
  func activitiesAfterShutdown() throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace)
    let scene = try scene(daemon, ["packing"])
    _ = try daemon.stop()
    try scene.line(containing: #""state":"idle""#)
    for number in 1...2 {
      try scene.type(
        #"{"do":"activity","id":\#(number),"activityType":"x","userInfo":{"n":\#(number)}}"#)
    }
    let again = try Daemon(workplace)
    for number in 1...2 {
      #expect(try scene.line(containing: #""id":\#(number)"#).contains(#""generation":"#))
    }
    #expect(try again.run("scenectl", ["is", "packing activity.userInfo.n=2"]).code == 0)
  }

  @Test("at its end, scene refuses an activity that waits for the next start")
  func activityAfterShutdownAndEnd() throws {
    let daemon = try Daemon(Workplace())
    let scene = try daemon.start("scene", ["packing"])
    try scene.line(containing: "didBecomeActive")
    _ = try daemon.stop()
    try scene.line(containing: "the application has ended")
    try scene.type(#"activity x {"n":1}"#)
    try scene.line(containing: "activity waits for the next broker")
    try scene.send(.interrupt)
    try scene.line(containing: "the activity is not saved: the application did not start again")
  }

  @Test("signals that arrive together count as one, and the scene ends in order")
  func signalledTwice() throws {
    let daemon = try Daemon(Workplace())
    let scene = try scene(daemon, ["packing"])
    // Both signals are pending when the process continues.
    try scene.send(.stop)
    try scene.send(.interrupt)
    try scene.send(.terminate)
    try scene.send(.continue)
    try scene.line(containing: #""callback":"didDisconnect""#)
    #expect(try scene.reap() == .exited(0))
  }

  @Test("a second signal ends the scene at once")
  func signalledLater() throws {
    let daemon = try Daemon(Workplace(), ["--budget", "willResignActive=100s"])
    let scene = try scene(daemon, ["packing"])
    try scene.type(#"{"do":"hang"}"#)
    try scene.line(containing: #""do":"hang""#)
    try scene.send(.terminate)
    try scene.line(containing: #""callback":"willResignActive""#)
    // No event shows that two signals count separately, so the test sends the signal until they do.
    while try daemon.run("scenectl", ["is", "packing unattached"]).code != 0 {
      try scene.send(.terminate)
    }
    #expect(
      try daemon.run("scenectl", ["is", "packing disconnect.reason=connectionLost"]).code == 0)
    #expect(try scene.reap() == .exited(1))
  }

  @Test("a Swift scene also ends in order after signals")
  func swift() throws {
    let daemon = try Daemon(Workplace())
    for line in 1...3 {
      let scene = try daemon.start("note-scene")
      #expect(
        try daemon.run(
          "scenectl", ["wait", "application sessions=1"]
        ).code == 0)
      let session = try sessionOfOnlyScene(daemon)
      #expect(
        try daemon.run(
          "scenectl", ["wait", "\(session) activity.userInfo.line=\(line)"]
        ).code == 0)
      try scene.kill()
    }
    let readme = try Repository.text("README.md")
    #expect(readme.contains(try Repository.text("Tests/NoteScene/NoteScene.swift")))
  }

  @Test("a Swift program reports its error, and exits with the status of scene")
  func swiftWithoutBroker() throws {
    let workplace = try Workplace()
    let outcome = try RunningProgram.run(
      "note-scene", [], environment: ["SCENE_SOCKET": workplace.socket])
    #expect(outcome.code == 69)
    #expect(
      outcome.errors == "note-scene: no broker runs for application default: there is no socket at "
        + "\(workplace.socket)\nStart one with: scened &\n")
    let daemon = try Daemon(workplace, ["--limit", "sessions=1"])
    let scene = try scene(daemon, ["packing"])
    let refused = try daemon.run("note-scene", [])
    #expect(refused.code == 75)
    #expect(refused.errors.hasPrefix("note-scene: "), "\(refused.errors)")
    #expect(refused.errors.split(separator: "\n").count == 1, "\(refused.errors)")
    try scene.kill()
  }

  @Test(
    "a Swift program has a help text, and refuses unknown arguments",
    arguments: ["note-scene", "note-app", "notes"])
  func words(program: String) throws {
    func run(_ words: String...) throws -> Outcome {
      try RunningProgram.run(program, words, environment: ["SCENE_SOCKET": "/nowhere"])
    }
    let help = try run("--help")
    #expect(help.code == 0)
    #expect(help.output.hasPrefix("Usage: \(program) [OPTION]…"), "\(help.output)")
    let version = try run("--version")
    #expect(version.code == 0)
    #expect(version.output.hasPrefix("\(program) (SceneBroker "), "\(version.output)")
    for (words, reason) in [
      (["--hlep"], "unknown option --hlep; did you mean --help?"),
      (["one", "two"], "unexpected argument \"\(program == "notes" ? "two" : "one")\""),
    ] {
      let refused = try RunningProgram.run(program, words)
      #expect(refused.code == 2)
      #expect(refused.errors == "\(program): \(reason)\nTry '\(program) --help'.\n")
    }
  }

  @Test("the package on the manual page depends on products that exist")
  func products() throws {
    let page = try Repository.text("Sources/Manual/Manual.docc/Swift.md")
    let manifest = try Repository.text("Package.swift")
    let dependency = /\.product\(name: "(.+?)", package: "SceneBroker"\)/
    let wanted = Set(page.matches(of: dependency).map(\.1))
    let there = manifest.matches(of: /\.(?:library|executable)\(name: "(.+?)", targets/).map(\.1)
    // The sample is only an example, so no package depends on it.
    #expect(wanted.union(["notes"]) == Set(there))
    #expect(manifest.hasPrefix("// swift-tools-version: 6.2\n"))
    #expect(page.contains("\n// swift-tools-version: 6.2\n"))
    // SwiftPM refuses two targets of the same name, also in different packages.
    let target = try #require(page.firstMatch(of: /executableTarget\(\s+name: "(.+?)"/)).1
    #expect(!manifest.contains("\"\(target)\""))
  }

  private func sessionOfOnlyScene(_ daemon: Daemon) throws -> SessionIdentifier {
    let control = try daemon.connect()
    try control.initialize(as: .control)
    return try #require(try control.request(SessionList()).sessions.first).session
  }
}
