import SceneModel
import ScenePlatform
import Testing

@testable import SceneClient

/// Forms of UIKit's methods, which the library must call instead of its default. The system tests
/// drive each call in UIKit's own spelling through a broker.
struct UIKitSpellingTests: ApplicationSuite {
  let broker = StubBroker()
  let log = CallbackLog()

  private final class AsyncDelegate: WindowSceneDelegate {
    let log: CallbackLog
    init(_ log: CallbackLog) { self.log = log }

    func windowScene(
      _ windowScene: Scene, performActionFor shortcutItem: ApplicationShortcutItem
    ) async -> Bool {
      log.note("perform \(shortcutItem.type)")
      return true
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

  private final class TwiceDelegate: WindowSceneDelegate {
    let log: CallbackLog
    init(_ log: CallbackLog) { self.log = log }

    func windowScene(
      _ windowScene: Scene, performActionFor shortcutItem: ApplicationShortcutItem,
      completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
      log.note("perform \(shortcutItem.type)")
      completionHandler(true)
      completionHandler(true)
    }
  }

  private final class SilentDelegate: WindowSceneDelegate, ClassicApplicationDelegate {
    var window: Scene?
    let log: CallbackLog
    init(_ log: CallbackLog) { self.log = log }

    func windowScene(
      _ windowScene: Scene, performActionFor shortcutItem: ApplicationShortcutItem,
      completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
      log.note("perform \(shortcutItem.type)")
    }

    func application(
      _ application: SceneApplication, performActionFor shortcutItem: ApplicationShortcutItem,
      completionHandler: @escaping @Sendable (Bool) -> Void
    ) {}
  }

  @Test("a classic shortcut without a completion has the result false")
  func silent() async throws {
    let application = SceneApplication(name: "notes", delegates: [:], socket: "/nowhere")
    let item = ApplicationShortcutItem(type: "compose")
    #expect(try await SilentDelegate(log).application(application, performActionFor: item) == false)
  }

  private final class ShortDelegate: WindowSceneDelegate {
    let log: CallbackLog
    init(_ log: CallbackLog) { self.log = log }

    func scene(_ scene: Scene, performActionFor shortcutItem: ApplicationShortcutItem) {
      log.note("perform \(shortcutItem.type)")
    }
  }

  private static let shortcut = Callback(
    .performActionForShortcutItem,
    PerformActionForShortcutItem(
      session: packing, shortcutItem: ApplicationShortcutItem(type: "compose").message))

  @Test("each form of a shortcut's action is called")
  func shortcuts() throws {
    let forms: [SceneApplication.DelegateFactory] = [
      { [log] in AsyncDelegate(log) }, { [log] in CompletionDelegate(log) },
      { [log] in ShortDelegate(log) }, { [log] in TwiceDelegate(log) },
      { [log] in SilentDelegate(log) },
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
    let queues = SerialQueues<SessionIdentifier?>("test")
    defer { queues.close() }
    let actor = DelegateActor(ProcessDelegate(log), on: QueueExecutor(queues, nil)) { _ in }
    #expect(await actor.answer(Callback(.willFinishLaunching, Empty()), in: process) == .done)
    let message = DidFinishLaunching()
    // False from the first method declines the launch.
    #expect(
      await actor.answer(Callback(.didFinishLaunching, message), in: process)
        == .launched(accepted: false))
    #expect(log.lines == ["will launch", "launched"])
  }
}
