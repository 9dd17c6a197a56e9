import SceneModel
import ScenePlatform
import Testing

@testable import SceneClient

/// Methods in UIKit's spelling, which the library must call instead of its default.
struct UIKitSpellingTests: ApplicationSuite {
  let broker = StubBroker()
  let log = CallbackLog()

  private final class SceneDelegate: WindowSceneDelegate {
    let log: CallbackLog
    init(_ log: CallbackLog) { self.log = log }

    func windowScene(
      _ windowScene: Scene, performActionFor shortcutItem: ApplicationShortcutItem
    ) async -> Bool {
      log.note("perform \(shortcutItem.type)")
      return true
    }

    func scene(_ scene: Scene, openURLContexts urlContexts: Set<SceneClient.OpenURLContext>) {
      log.note("open \(urlContexts.map(\.url))")
    }
  }

  private final class CompletionDelegate: WindowSceneDelegate {
    let log: CallbackLog
    init(_ log: CallbackLog) { self.log = log }

    func windowScene(
      _ windowScene: Scene, performActionFor shortcutItem: ApplicationShortcutItem,
      completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
      log.note("perform \(shortcutItem.type)")
      completionHandler(false)
    }
  }

  private final class ShortDelegate: WindowSceneDelegate {
    let log: CallbackLog
    init(_ log: CallbackLog) { self.log = log }

    func scene(_ scene: Scene, performActionFor shortcutItem: ApplicationShortcutItem) {
      log.note("perform \(shortcutItem.type)")
    }
  }

  private static let shortcut = Callback.performActionForShortcutItem(
    PerformActionForShortcutItem(
      session: packing, shortcutItem: ApplicationShortcutItem(type: "compose").message))

  @Test("each form of a shortcut's action is called")
  func shortcuts() throws {
    let forms: [SceneApplication.DelegateFactory] = [
      { [log] in SceneDelegate(log) }, { [log] in CompletionDelegate(log) },
      { [log] in ShortDelegate(log) },
    ]
    for (number, form) in forms.enumerated() {
      let application = try application(["Note": form])
      defer { application.stop() }
      let end = try broker.meet()
      try end.bring(packing)
      try end.ask(Self.shortcut)
      #expect(log.lines == Array(repeating: "perform compose", count: number + 1))
    }
  }

  @Test("the form with a set of URL contexts is called")
  func urls() throws {
    let application = try application(["Note": { [log] in SceneDelegate(log) }])
    defer { application.stop() }
    let end = try broker.meet()
    try end.bring(packing)
    let context = try SceneClient.OpenURLContext(url: "note:1").message
    try end.ask(
      .openURLContexts(OpenURLContexts(session: packing, urlContexts: [context])))
    #expect(log.lines == ["open [\"note:1\"]"])
  }

  // MARK: - Classic applications

  private final class AppDelegate: ClassicApplicationDelegate {
    var window: Scene?
    let log: CallbackLog
    init(_ log: CallbackLog) { self.log = log }

    func application(
      _ application: SceneApplication,
      willFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
      log.note("will launch")
      return true
    }

    func application(
      _ application: SceneApplication,
      didFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
      log.note("launched \(launchOptions?[.url] as? String ?? "without a URL")")
      return launchOptions?[.url] == nil
    }

    func application(
      _ app: SceneApplication, open url: String,
      options: [SceneApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
      log.note("open \(url) from \(options[.sourceApplication] as? String ?? "")")
      return true
    }

    func application(
      _ application: SceneApplication, continue userActivity: UserActivity,
      restorationHandler: @escaping ([any UserActivityRestoring]?) -> Void
    ) -> Bool {
      restorationHandler([Restoring(log)])
      return true
    }

    func application(
      _ application: SceneApplication, performActionFor shortcutItem: ApplicationShortcutItem,
      completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
      log.note("perform \(shortcutItem.type)")
      completionHandler(true)
    }
  }

  private final class Restoring: UserActivityRestoring {
    let log: CallbackLog
    init(_ log: CallbackLog) { self.log = log }
    func restoreUserActivityState(_ userActivity: UserActivity) {
      log.note("restore \(userActivity.activityType)")
    }
  }

  @Test("a classic delegate's methods in UIKit's spelling are called")
  func classic() async throws {
    let application = try application()
    defer { application.stop() }
    // As the library calls it: on the class itself, Swift prefers the asynchronous defaults.
    let calls: any SceneClient.SceneDelegate = ClassicCalls(application, AppDelegate(log))
    let end = try broker.meet()
    try end.bring(packing)
    let scene = try #require(application.connectedScenes.first)
    let before = log.lines.count
    try await calls.scene(
      scene, willConnectTo: scene.session,
      options: Scene.ConnectionOptions(SceneModel.ConnectionOptions()))
    var options = SceneClient.OpenURLContext.Options()
    options.sourceApplication = "mail"
    let context = try SceneClient.OpenURLContext(url: "note:2", options: options)
    calls.scene(scene, openURLContexts: [context])
    calls.scene(scene, continue: UserActivity(activityType: "note"))
    #expect(
      await calls.windowScene(scene, performActionFor: ApplicationShortcutItem(type: "compose")))
    #expect(
      log.lines.dropFirst(before) == [
        "will launch", "launched without a URL", "open note:2 from mail", "restore note",
        "perform compose",
      ])
    var launch = SceneModel.ConnectionOptions()
    launch.urlContexts = [context.message]
    await #expect(throws: SceneError.self) {
      try await calls.scene(
        scene, willConnectTo: scene.session, options: Scene.ConnectionOptions(launch))
    }
  }

  // MARK: - The application delegate

  private final class ProcessDelegate: ApplicationDelegate {
    let log: CallbackLog
    init(_ log: CallbackLog) { self.log = log }

    func application(
      _ application: ApplicationProcess,
      willFinishLaunchingWithOptions launchOptions: [ApplicationProcess.LaunchOptionsKey: Any]?
    ) -> Bool {
      log.note("will launch")
      return false
    }

    func application(
      _ application: ApplicationProcess,
      didFinishLaunchingWithOptions launchOptions: [ApplicationProcess.LaunchOptionsKey: Any]?
    ) -> Bool {
      log.note("launched")
      return true
    }
  }

  @Test("an application delegate's launch methods in UIKit's spelling are called")
  func launch() async throws {
    let process = ApplicationProcess(
      name: "app", delegate: ProcessDelegate(log), socket: "/nowhere")
    let queues = SerialQueues<Int>("test")
    defer { queues.close() }
    let actor = DelegateActor(ProcessDelegate(log), on: queues.executor(for: 1))
    #expect(await actor.answer(.willFinishLaunching, in: process) == .done)
    let message = DidFinishLaunching()
    // False from the first method declines the launch.
    #expect(
      await actor.answer(.didFinishLaunching(message), in: process) == .launched(accepted: false))
    #expect(log.lines == ["will launch", "launched"])
  }
}
