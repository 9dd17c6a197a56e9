import SceneModel
import Testing

@testable import SceneClient

/// The launch of an application delegate.
struct LaunchTests {
  private let log = CallbackLog()

  private final class ProcessDelegate: ApplicationDelegate {
    let log: CallbackLog
    init(_ log: CallbackLog) { self.log = log }

    func application(
      _ application: SceneApplication,
      willFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
      log.note("will launch")
      return false
    }

    func application(
      _ application: SceneApplication,
      didFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
      log.note("launched")
      return true
    }
  }

  @Test("false from the first launch method declines the launch")
  func launch() async throws {
    let process = SceneApplication(
      name: "app", delegate: ProcessDelegate(log), socket: "/nowhere")
    let queues = SerialQueues<SessionIdentifier?>("test")
    defer { queues.close() }
    let actor = DelegateActor(ProcessDelegate(log), DelegateCalls(queues, nil)) { _ in }
    #expect(await actor.answer(Callback(.willFinishLaunching, Empty()), in: process) == .done)
    #expect(
      await actor.answer(Callback(.didFinishLaunching, DidFinishLaunching()), in: process)
        == .launched(accepted: false))
    #expect(log.lines == ["will launch", "launched"])
  }
}
