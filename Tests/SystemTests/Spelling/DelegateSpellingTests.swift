import SceneClient
import SceneTestSupport
import SceneTesting
import Testing

/// A broker makes every call of a delegate in UIKit's spelling. A default implementation instead of
/// the delegate's method is a call that the log lacks.
@Suite("Delegates in UIKit's spelling")
struct DelegateSpellingTests {
  private let log = CallLog()

  @Test("each call of the scene delegate reaches UIKit's spelling")
  func sceneDelegate() async throws {
    try await withBroker { broker in
      _ = try await broker.application(
        "notes", delegates: ["*": { [log] in SpelledSceneDelegate(log) }],
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

  @Test("each call of the application delegate reaches UIKit's spelling")
  func applicationDelegate() async throws {
    // The task begins before the waiting tests, because of its priority.
    try await withBroker(
      options: ["--application-delegate", "required"], ceiling: .seconds(600)
    ) { broker in
      let process = ApplicationProcess(
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

  @Test("each call of the classic application delegate reaches UIKit's spelling")
  func classicDelegate() async throws {
    let workplace = try Workplace()
    let manifest = try workplace.write(
      "Info.plist",
      "<plist version=\"1.0\"><dict><key>CFBundleName</key><string>Notes</string></dict></plist>")
    try await withBroker(options: ["--manifest", manifest]) { broker in
      let application = try await broker.application(
        "notes", delegates: ["*": { [log] in SpelledClassicDelegate(log) }])
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
}
