import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// The program `scene` with a broker.
struct SceneProgramTests {
  private let daemon: Daemon

  init() throws { daemon = try Daemon(Workplace()) }

  /// A scene with JSON output, in the foreground.
  private func scene(
    _ arguments: [String] = ["packing"], on other: Daemon? = nil
  ) throws -> RunningProgram {
    let scene = try (other ?? daemon).start("scene", arguments + ["--json"])
    try scene.line(containing: #""callback":"didBecomeActive""#)
    return scene
  }

  @Test("signals that were ignored at the start stay ignored, as under nohup")
  func ignored() throws {
    let scene = try daemon.start(
      "/bin/sh", ["-c", "trap '' HUP INT; exec \"$0\" --json", try Programs.path("scene")])
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
    let first = try scene()
    try first.type(
      #"{"do":"activity","activityType":"com.example.note","userInfo":\#(Self.exact)}"#)
    try first.line(containing: #""generation":1"#)
    try first.kill()
    try daemon.scenectl("wait", "packing unattached disconnect.reason=connectionLost")

    let second = try daemon.start("scene", ["packing", "--json"])
    let connected = try second.line(containing: #""callback":"willConnect""#)
    #expect(connected.contains(#""reason":"recover""#))
    #expect(connected.contains(#""userInfo":\#(Self.exact)"#))
  }

  @Test("a second client of a session is refused, unless it takes over")
  func takeOver() throws {
    let first = try daemon.client()
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
    guard let message = try first.callback(.didDisconnect).message as? DidDisconnect else { return }
    #expect(message.reason == .replaced)
    // A later save of the first client is refused.
    let late = #expect(throws: BrokerError.self) {
      try first.save(.test(Self.late), in: held.session)
    }
    #expect(late?.reason == .sessionNotHeld)
    withExtendedLifetime(second) {}
  }

  private static let late = #"{"activityType":"com.example.note","userInfo":{"late":true}}"#

  @Test("the manual shows the scene in Python")
  func python() throws {
    let page = try Repository.text("Sources/Manual/Manual.docc/Other-languages.md")
    #expect(page.contains(try Repository.text("scripts/scene.py")))
  }

  @Test("the scene in Python starts without state if the activity is of another program")
  func pythonElsewhere() throws {
    let first = try scene()
    try first.type(#"{"do":"activity","activityType":"x"}"#)
    try first.line(containing: #""generation":1"#)
    try first.kill()
    let script = try Repository.file("scripts/scene.py")
    let second = try daemon.start("python3", [script, "packing"])
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

  @Test("without a broker, the status of a scene is its last known state")
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

  @Test("the last activity from between a shutdown and the next start is saved")
  func activitiesAfterShutdown() throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace)
    let scene = try scene(["packing"], on: daemon)
    _ = try daemon.stop()
    try scene.line(containing: #""state":"idle""#)
    for number in 1...2 {
      try scene.type(
        #"{"do":"activity","id":\#(number),"activityType":"x","userInfo":{"n":\#(number)}}"#)
    }
    let again = try Daemon(daemon.workplace)
    for number in 1...2 {
      #expect(try scene.line(containing: #""id":\#(number)"#).contains(#""generation":"#))
    }
    try again.scenectl("is", "packing activity.userInfo.n=2")
  }

  @Test("at its end, scene refuses an activity that waits for the next start")
  func activityAfterShutdownAndEnd() throws {
    let scene = try daemon.scene("packing")
    _ = try daemon.stop()
    try scene.line(containing: "the application has ended")
    try scene.type(#"activity x {"n":1}"#)
    try scene.line(containing: "activity waits for the next broker")
    try scene.send(.interrupt)
    try scene.line(containing: "the activity is not saved: the application did not start again")
  }

  @Test("a second signal ends the scene at once")
  func signalledLater() throws {
    let daemon = try Daemon(Workplace(), ["--budget", "willResignActive=100s"])
    let scene = try scene(on: daemon)
    try scene.type(#"{"do":"hang"}"#)
    try scene.line(containing: #""do":"hang""#)
    try scene.send(.terminate)
    try scene.line(containing: #""callback":"willResignActive""#)
    // No event shows that two signals count separately, so the test sends the signal until they do.
    while try daemon.run("scenectl", ["is", "packing unattached"]).code != 0 {
      try scene.send(.terminate)
    }
    try daemon.scenectl("is", "packing disconnect.reason=connectionLost")
    #expect(try scene.reap() == .exited(1))
  }
}
