import SceneClient
import ScenePlatform
import SceneTesting
import Testing

/// Delegates and scenes of this process with a broker.
@Suite("Delegates in Swift")
struct DelegateTests {
  private final class PlainDelegate: SceneDelegate {}

  @Test("an assertion protects a scene in the background")
  func assertion() async throws {
    try await withBroker { broker in
      let application = try await broker.application(
        "notes", delegates: ["*": PlainDelegate.init], request: SceneRequest(.named("packing")))
      let scene = try #require(application.connectedScenes.first)
      #expect(scene.application === application)
      try await broker.scenectl("background", "packing")
      let assertion = try await scene.beginAssertion(named: "upload", for: .seconds(60))
      try await broker.scenectl("reclaim")
      try await broker.expect("packing background")
      assertion.end()
      try await broker.scenectl("reclaim", "packing")
      try await broker.expect("packing unattached disconnect.reason=reclaimed")
    }
  }

  /// A delegate whose properties belong to the main actor.
  @MainActor
  private final class MainDelegate: SceneDelegate {
    private let lines: ConditionMutex<[Int]>
    private var line = 0

    nonisolated init(_ lines: ConditionMutex<[Int]>) { self.lines = lines }

    func sceneDidBecomeActive(_ scene: Scene) {
      MainActor.preconditionIsolated()
      line += 1
      lines.withLock { $0.append(line) }
    }

    func stateRestorationActivity(for scene: Scene) -> UserActivity? {
      UserActivity(activityType: "com.example.note", userInfo: ["line": line])
    }
  }

  @Test("a delegate of the main actor is called there")
  func mainActor() async throws {
    let lines = ConditionMutex<[Int]>([])
    // The main actor may be busy with other tests.
    try await withBroker(
      options: ["--budget", "didBecomeActive=600s", "--budget", "stateRestorationActivity=600s"],
      ceiling: .seconds(600)
    ) { broker in
      _ = try await broker.application(
        "notes", delegates: ["*": { MainDelegate(lines) }],
        request: SceneRequest(.named("packing")))
      try await broker.scenectl("background", "packing")
      try await broker.expect("packing activity.userInfo.line=1")
    }
    #expect(lines.withLock { $0 } == [1])
  }
}
