import SceneClient
import ScenePlatform
import SceneTestSupport
import SceneTesting
import Testing

@Suite("Test brokers")
struct TestBrokerTests {
  @Test("a save survives the broker, and a running client reconnects")
  func killed() async throws {
    try await withBroker { broker in
      let packing = try await broker.client("packing")
      try await packing.type(#"activity com.example.note {"line": 42}"#)
      try await broker.kill()
      try await broker.start()
      try await broker.expect(
        "packing foregroundActive generation=1 client.pid=\(packing.pid)")
      try await packing.expectTrace()
      let packed = try #require(try await broker.session("packing"))
      #expect(packed.stateRestorationActivity?.userInfo?["line"] as? Int == 42)
      let reasons = try await broker.trace(of: "packing").filter { $0.event == "connected" }
      #expect(reasons.map(\.reason) == ["launch", "resume"])
    }
  }

  @Test("a killed client leaves its session")
  func clientKilled() async throws {
    try await withBroker { broker in
      let first = try await broker.client("packing", "--title", "Packing")
      try await first.kill()
      #expect(try await first.waitForEnd() == .signalled("KILL"))
      try await broker.expect(
        "packing unattached disconnect.reason=connectionLost client=null")
      let second = try await broker.client("packing")
      try await second.expectTrace("willConnect reason=recover", "...", "didBecomeActive")
      try await broker.scenectl("discard", "packing")
      #expect(try await broker.session("packing") == nil)
    }
  }

  @Test("a frozen scene exceeds its budget when the clock advances")
  func frozen() async throws {
    try await withBroker(clock: .virtual, options: ["--budget", "didEnterBackground=2s"]) {
      broker in
      let packing = try await broker.client("packing")
      try await packing.type("hang didEnterBackground")
      try await broker.scenectl("background", "--no-wait", "packing")
      try await broker.scenectl("advance", "1999ms")
      try await broker.expect("! packing unattached")
      try await broker.scenectl("advance", "1ms")
      try await broker.expect("packing unattached disconnect.reason=watchdog")
      #expect(try await packing.waitForEnd() == .exited(1))
    }
  }

  @Test("any command can be a client")
  func command() async throws {
    try await withBroker { broker in
      let script = try Repository.file("scripts/scene.py")
      let scene = try await broker.launch("python3", script, "packing")
      try await scene.line(containing: "at line 1 - saved")
      try await broker.wait(
        for: "packing foregroundActive activity.userInfo.line=1")
      try await scene.kill()
      try await broker.expect(
        "packing unattached disconnect.reason=connectionLost")
      let echo = try await broker.launch("cat")
      try await echo.type("one")
      try await echo.type("two")
      #expect(try await echo.line(containing: "t") == "two")
      echo.closeInput()
      #expect(try await echo.waitForEnd() == .exited(0))
    }
  }

  @Test("two brokers are independent")
  func two() async throws {
    try await withBroker { one in
      try await withBroker { other in
        try await one.client("packing")
        #expect(one.directory != other.directory)
        try await other.expect("! packing", "application sessions=0")
        try await one.expect("packing", "application sessions=1")
      }
    }
  }

  // MARK: - In the test's own process

  /// Saves how often its scene became active.
  private final class NoteDelegate: SceneDelegate {
    var line = 0

    func scene(
      _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
    ) throws {
      line = session.stateRestorationActivity?.userInfo?["line"] as? Int ?? 0
    }

    func sceneDidBecomeActive(_ scene: Scene) {
      for _ in 0..<3 {
        line += 1
        scene.userActivity = UserActivity(
          activityType: "com.example.note", userInfo: ["line": line])
      }
    }
  }

  @Test("an application of the test process is restored")
  func application() async throws {
    try await withBroker { broker in
      let notes = try await broker.application(
        "notes", delegates: ["*": NoteDelegate.init], request: SceneRequest(.named("packing")))
      try await broker.expect("packing foregroundActive activity.userInfo.line=3")
      for line in [6, 9] {
        try await broker.scenectl("background", "packing")
        try await broker.scenectl("reclaim", "packing")
        #expect(notes.connectedScenes.isEmpty)
        try await broker.scenectl("activate", "packing")
        try await broker.expect(
          "packing foregroundActive activity.userInfo.line=\(line)")
      }
      try await broker.kill()
      try await broker.start()
      try await broker.expect("packing foregroundActive activity.userInfo.line=9")
      #expect(notes.connectedScenes.map(\.activationState) == [.foregroundActive])
    }
  }

  @Test("a refusal of the broker is reported")
  func refusedApplication() async throws {
    try await withBroker { broker in
      try await broker.client("packing")
      let failure = try await #require(throws: TestFailure.self) {
        _ = try await broker.application(
          "notes", delegates: ["*": NoteDelegate.init], request: SceneRequest(.named("packing")))
      }
      #expect(failure.reason == SceneError.Code.sessionInUse.rawValue)
    }
  }
}
