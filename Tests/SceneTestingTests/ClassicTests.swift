import SceneClient
import ScenePlatform
import SceneTestSupport
import SceneTesting
import Testing

/// A delegate class with both sets of methods, with and without scenes in the manifest.
@Suite("Classic and scene delegates")
struct ClassicTests {
  private final class Delegate: ClassicApplicationDelegate {
    let calls: ConditionMutex<[String]>
    var window: Scene?

    init(_ calls: ConditionMutex<[String]>) { self.calls = calls }

    private func note(_ call: String, in application: SceneApplication? = nil) {
      if let application {
        // The application's window has a scene.
        #expect(application.connectedScenes.contains { $0 === window })
      } else {
        #expect(window == nil)
      }
      calls.withLock { $0.append(call) }
    }

    func application(
      _ application: SceneApplication,
      didFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
      let line = window?.session.stateRestorationActivity?.userInfo?["line"] as? Int ?? 0
      note("launched at \(line)", in: application)
      return launchOptions?[.url] == nil
    }
    func applicationWillEnterForeground(_ application: SceneApplication) {
      note("foreground", in: application)
    }
    func applicationDidBecomeActive(_ application: SceneApplication) {
      note("active", in: application)
    }
    func applicationWillResignActive(_ application: SceneApplication) {
      note("resign", in: application)
    }
    func applicationDidEnterBackground(_ application: SceneApplication) {
      note("background", in: application)
    }
    func applicationWillTerminate(_ application: SceneApplication) {
      #expect(window?.activationState == .unattached)
      calls.withLock { $0.append("terminate") }
    }
    func applicationDidReceiveMemoryWarning(_ application: SceneApplication) {
      note("memory", in: application)
    }
    func applicationSignificantTimeChange(_ application: SceneApplication) {
      note("time", in: application)
    }
    func application(
      _ application: SceneApplication, open url: String,
      options: [SceneApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
      note("open \(url) from \(options[.sourceApplication] as? String ?? "")", in: application)
      return true
    }
    func application(
      _ application: SceneApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool {
      note("type \(userActivityType)", in: application)
      return true
    }
    func application(
      _ application: SceneApplication, continue userActivity: UserActivity,
      restorationHandler: @escaping ([any UserActivityRestoring]?) -> Void
    ) -> Bool {
      restorationHandler([RestoringObject(calls)])
      return true
    }
    func application(_ application: SceneApplication, didUpdate userActivity: UserActivity) {
      note("saved \(userActivity.activityType)", in: application)
    }
    func application(
      _ application: SceneApplication, performActionFor shortcutItem: ApplicationShortcutItem
    ) -> Bool {
      note("shortcut \(shortcutItem.type)", in: application)
      return true
    }

    func stateRestorationActivity(for scene: Scene) -> UserActivity? {
      UserActivity(activityType: "com.example.note", userInfo: ["line": 42])
    }

    func scene(
      _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
    ) throws { note("scene connects") }
    func sceneWillEnterForeground(_ scene: Scene) { note("scene foreground") }
    func sceneDidBecomeActive(_ scene: Scene) { note("scene active") }
    func sceneWillResignActive(_ scene: Scene) { note("scene resigns") }
    func sceneDidEnterBackground(_ scene: Scene) { note("scene background") }
    func sceneDidDisconnect(_ scene: Scene) { note("scene disconnects") }
  }

  private final class RestoringObject: UserActivityRestoring {
    let calls: ConditionMutex<[String]>

    init(_ calls: ConditionMutex<[String]>) { self.calls = calls }

    func restoreUserActivityState(_ userActivity: UserActivity) {
      calls.withLock { $0.append("continue \(userActivity.activityType)") }
    }
  }

  private let calls = ConditionMutex<[String]>([])
  private let workplace: Workplace

  init() throws { workplace = try Workplace() }

  private func manifest() throws -> [String] {
    let list =
      "<plist version=\"1.0\"><dict><key>CFBundleName</key><string>Notes</string></dict></plist>"
    return ["--manifest", try workplace.write("Info.plist", list)]
  }

  private func application(_ broker: TestBroker) async throws -> SceneApplication {
    try await broker.application("notes", delegates: ["*": { [calls] in Delegate(calls) }])
  }

  private func takeCalls() -> [String] {
    calls.withLock { calls in
      defer { calls = [] }
      return calls
    }
  }

  @Test("F26, F27, F29: without scenes in the manifest the broker calls the application's methods")
  func classic() async throws {
    try await withBroker(options: manifest()) { broker in
      let application = try await application(broker)
      let window = try #require(application.connectedScenes.first)
      #expect(takeCalls() == ["launched at 0", "active"])
      try await broker.expect("application sessions=1")
      try await broker.scenectl("open", "--source", "mail", "notes:1")
      try await broker.scenectl("continue", "com.example.note={}")
      try await broker.scenectl("shortcut", "new")
      #expect(
        takeCalls() == [
          "open notes:1 from mail", "type com.example.note", "continue com.example.note",
          "shortcut new",
        ])
      let session = window.session.persistentIdentifier
      try await broker.scenectl("background", session)
      try await broker.scenectl("reclaim", session)
      #expect(takeCalls() == ["resign", "background", "saved com.example.note", "terminate"])
      // A false result refuses the window, and the URL with it.
      await #expect(throws: TestFailure.self) { try await broker.scenectl("open", "notes:2") }
      _ = takeCalls()
      try await broker.scenectl("activate", session)
      #expect(takeCalls() == ["launched at 42", "active"])
    }
  }

  @Test("F24, F27: a classic delegate receives memory warnings and time changes")
  func notices() async throws {
    try await withBroker(options: manifest()) { broker in
      let application = try await application(broker)
      let window = try #require(application.connectedScenes.first)
      try await broker.scenectl("memory-warning")
      try await broker.scenectl("time-change")
      try await broker.scenectl("background", window.session.persistentIdentifier)
      // The broker reclaims a background window after its delegate has received the warning.
      try await broker.scenectl("memory-warning")
      #expect(
        takeCalls() == [
          "launched at 0", "active", "memory", "time", "resign", "background",
          "saved com.example.note", "memory", "terminate",
        ])
    }
  }

  @Test("F3, F27: with scenes in the manifest the broker calls the scene's methods")
  func scenes() async throws {
    try await withBroker { broker in
      let application = try await application(broker)
      let scene = try #require(application.connectedScenes.first)
      let session = scene.session.persistentIdentifier
      try await broker.scenectl("memory-warning")
      try await broker.scenectl("background", session)
      try await broker.scenectl("reclaim", session)
      #expect(
        takeCalls() == [
          "scene connects", "scene foreground", "scene active", "scene resigns",
          "scene background", "scene disconnects",
        ])
    }
  }
}
