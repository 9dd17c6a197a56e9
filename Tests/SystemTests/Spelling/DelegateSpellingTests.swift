import SceneClient
import SceneTestSupport
import SceneTesting
import Testing

/// A broker makes every call of a delegate in UIKit's spelling, also if the call suspends and can
/// throw. A default implementation instead of the delegate's method is a call that the log lacks.
@Suite("Delegates in UIKit's spelling")
struct DelegateSpellingTests {
  private let log = CallLog()

  @Test("each call of the scene delegate reaches UIKit's spelling", arguments: [false, true])
  func sceneDelegate(suspends: Bool) async throws {
    try await withBroker { broker in
      _ = try await broker.application(
        "notes",
        delegates: [
          "*": { [log] in
            suspends ? SuspendingSceneDelegate(log) as any SceneDelegate : SpelledSceneDelegate(log)
          }
        ],
        request: SceneRequest(.named("packing")))
      try await broker.scenectl("continue", "com.example.note={}")
      try await broker.scenectl("open", "note:1")
      try await broker.scenectl("shortcut", "compose")
      try await broker.scenectl("notify", "{}")
      try await broker.background("packing")
      try await broker.reclaim("packing")
    }
    let rows = try UIKitPage.calls(below: "Calls of the scene delegate").map { call in
      // UIKit's center for notifications has no counterpart.
      call == "userNotificationCenter(_:didReceive:withCompletionHandler:)"
        ? "scene(_:didReceive:)" : call
    }
    #expect(log.calls == Set(rows))
    for call in [
      "scene(_:willContinueUserActivityWithType:)", "scene(_:continue:)", "scene(_:didUpdate:)",
    ] { #expect(log.details(of: call) == ["com.example.note"]) }
    #expect(log.details(of: "scene(_:openURLContexts:)") == ["note:1"])
    #expect(
      log.details(of: "windowScene(_:performActionFor:completionHandler:)") == ["compose"])
    #expect(log.details(of: "sceneDidDisconnect(_:)") == ["unattached"])
  }

  @Test("each call of the application delegate reaches UIKit's spelling", arguments: [false, true])
  func applicationDelegate(suspends: Bool) async throws {
    // The task begins before the waiting tests, because of its priority.
    try await withBroker(
      options: ["--application-delegate", "required"], ceiling: .seconds(600)
    ) { broker in
      let process =
        suspends
        ? ApplicationProcess(
          name: "app", delegate: SuspendingApplicationDelegate(log), socket: broker.socket)
        : ApplicationProcess(
          name: "app", delegate: SpelledApplicationDelegate(log), socket: broker.socket)
      let run = Task(priority: .high) { try await process.run() }
      try await broker.client("packing")
      try await broker.scenectl("memory-warning")
      try await broker.scenectl("time-change")
      try await broker.discard("packing")
      try await broker.stop()
      try await run.value
    }
    #expect(log.calls == Set(try UIKitPage.calls(below: "Calls of the application delegate")))
    for call in [
      "application(_:configurationForConnecting:options:)",
      "application(_:didDiscardSceneSessions:)",
    ] { #expect(log.details(of: call) == ["packing"]) }
  }

  @Test(
    "each call of the classic application delegate reaches UIKit's spelling",
    arguments: [false, true])
  func classicDelegate(suspends: Bool) async throws {
    let workplace = try Workplace()
    let manifest = try workplace.write(
      "Info.plist",
      "<plist version=\"1.0\"><dict><key>CFBundleName</key><string>Notes</string></dict></plist>")
    try await withBroker(options: ["--manifest", manifest]) { broker in
      let application = try await broker.application(
        "notes",
        delegates: [
          "*": { [log] in
            suspends
              ? SuspendingClassicDelegate(log) as any SceneDelegate : SpelledClassicDelegate(log)
          }
        ])
      let window = try #require(application.connectedScenes.first)
      try await broker.scenectl("open", "--source", "mail", "note:1")
      try await broker.scenectl("continue", "com.example.note={}")
      try await broker.scenectl("shortcut", "compose")
      try await broker.background(window.session.persistentIdentifier)
      try await broker.reclaim(window.session.persistentIdentifier)
      // A false result refuses the window, and the URL with it.
      await #expect(throws: TestFailure.self) { try await broker.scenectl("open", "note:2") }
    }
    #expect(log.calls == Set(try UIKitPage.calls(below: "Calls without scenes")))
    #expect(
      log.details(of: "application(_:didFinishLaunchingWithOptions:)") == ["", "note:2"])
    #expect(log.details(of: "application(_:open:options:)") == ["note:1 from mail"])
    for call in [
      "application(_:willContinueUserActivityWithType:)",
      "application(_:continue:restorationHandler:)", "application(_:didUpdate:)",
    ] { #expect(log.details(of: call) == ["com.example.note"], "\(call)") }
    #expect(
      log.details(of: "application(_:performActionFor:completionHandler:)") == ["compose"])
  }

  /// A delegate whose properties belong to the main actor.
  @MainActor
  private final class MainDelegate: SceneDelegate {
    private let log: CallLog
    private var line = 0

    nonisolated init(_ log: CallLog) { self.log = log }

    func sceneDidBecomeActive(_ scene: Scene) {
      MainActor.preconditionIsolated()
      line += 1
      log.note("line \(line)")
    }

    func stateRestorationActivity(for scene: Scene) -> UserActivity? {
      UserActivity(activityType: "com.example.note", userInfo: ["line": line])
    }
  }

  @Test("a delegate of the main actor is called there")
  func mainActor() async throws {
    // The main actor may be busy with other tests.
    try await withBroker(
      options: ["--budget", "didBecomeActive=600s", "--budget", "stateRestorationActivity=600s"],
      ceiling: .seconds(600)
    ) { broker in
      _ = try await broker.application(
        "notes", delegates: ["*": { [log] in MainDelegate(log) }],
        request: SceneRequest(.named("packing")))
      try await broker.background("packing")
      try await broker.expect("packing activity.userInfo.line=1")
    }
    #expect(log.details(of: "sceneDidBecomeActive(_:)") == ["line 1"])
  }
}
