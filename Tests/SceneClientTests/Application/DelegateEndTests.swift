import SceneModel
import ScenePlatform
import Testing

@testable import SceneClient

/// The end of an application delegate's client while a call of the delegate is suspended.
struct DelegateEndTests {
  private final class PlainAppDelegate: ApplicationDelegate {}

  /// A delegate whose last call waits until its task is cancelled.
  private final class HungAppDelegate: ApplicationDelegate {
    let log: CallbackLog
    init(_ log: CallbackLog) { self.log = log }

    func applicationWillTerminate(_ application: SceneApplication) async {
      log.note("waiting")
      do {
        try await Task.sleep(for: .seconds(86_400))
      } catch {
        log.note("cancelled")
      }
    }
  }

  @Test("a suspended call is cancelled after the end of the broker, and the client ends")
  func hung() async throws {
    let (broker, log) = (StubBroker(), CallbackLog())
    var settings = ClientSettings(name: "app", hosts: []) { () throws(SystemError) in
      try broker.connect()
    }
    settings.kind = .applicationDelegate
    let host = DelegateHost()
    let client = try Client(settings, handler: host)
    let process = SceneApplication(
      name: "app", delegate: PlainAppDelegate(), socket: "/nowhere")
    host.attach(
      process, client, DelegateActor(HungAppDelegate(log), client.calls(of: nil)) { _ in })
    try client.start()
    let end = try broker.meet()
    try end.call(Callback(.willTerminate, Empty()))
    _ = try log.wait(for: 1)
    end.vanish()
    #expect(await client.untilStopped() == nil)
    #expect(log.lines == ["waiting", "cancelled"])
  }
}
