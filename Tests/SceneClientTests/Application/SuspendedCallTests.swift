import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneClient

/// The cancellation of a delegate's suspended call.
struct SuspendedCallTests: ApplicationSuite {
  let broker = StubBroker()
  let log = CallbackLog()

  /// A scene that waits in `willConnect` for a reply.
  private final class PatientDelegate: SceneDelegate {
    let log: CallbackLog
    init(_ log: CallbackLog) { self.log = log }

    func scene(
      _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
    ) async throws {
      do {
        _ = try await scene.dataDirectory()
      } catch {
        log.note("\(error.code)")
        throw error
      }
    }
  }

  /// A scene whose shortcut ignores its cancellation.
  private final class StubbornDelegate: SceneDelegate {
    let log: CallbackLog
    let release: OneShot<Void>
    private let signal: AsyncStream<Void>

    init(_ log: CallbackLog) {
      self.log = log
      let (signal, continuation) = AsyncStream.makeStream(of: Void.self)
      self.signal = signal
      release = OneShot(orElse: ()) { _ in continuation.finish() }
    }

    func windowScene(
      _ windowScene: Scene, performActionFor shortcutItem: ApplicationShortcutItem
    ) async -> Bool {
      log.note("waiting")
      await Task { [signal] in for await _ in signal {} }.value
      log.note("late")
      return true
    }

    func sceneDidDisconnect(_ scene: Scene) {
      log.note("didDisconnect \(scene.disconnectReason?.rawValue ?? "")")
      release.complete(())
    }
  }

  @Test("a suspended call is cancelled when the broker disconnects its scene")
  func watchdog() async throws {
    let application = try application(["Note": { [log] in PatientDelegate(log) }])
    defer { application.stop() }
    let end = try broker.meet()
    let script = try Script(end, for: application) { [log] in
      try end.call(.willConnect(packing))
      #expect(try end.request().1 == .dataDirectory(DataDirectory(session: packing)))
      try end.call(.didDisconnect(packing, .watchdog))
      #expect(try log.wait(for: 1) == ["cancelled"])
    }
    try await script.end()
  }

  @Test("a suspended call is cancelled when the application stops")
  func stop() async throws {
    let application = try application(["Note": { [log] in PatientDelegate(log) }])
    let end = try broker.meet()
    let script = try Script(end, for: application) {
      let connect = try end.call(.willConnect(packing))
      #expect(try end.request().1 == .dataDirectory(DataDirectory(session: packing)))
      application.stop()
      #expect(
        try end.request().1
          == .transition(
            SceneTransition(session: packing, to: .unattached, reason: .clientRequest)))
      guard case .failure(connect, _)? = try end.next() else {
        throw Unmet("the call was not cancelled")
      }
    }
    try await script.end()
  }

  @Test("a call that ignores its cancellation does not block the end of its scene")
  func stubborn() async throws {
    let application = try application(["Note": { [log] in StubbornDelegate(log) }])
    defer { application.stop() }
    let end = try broker.meet()
    let script = try Script(end, for: application) { [log] in
      try end.ask(.willConnect(packing))
      try end.call(
        .performActionForShortcutItem(
          PerformActionForShortcutItem(
            session: packing, shortcutItem: ApplicationShortcutItem(type: "compose").message)))
      _ = try log.wait(for: 1)
      try end.ask(.didDisconnect(packing, .watchdog))
      #expect(try log.wait(for: 2)[1] == "didDisconnect watchdog")
    }
    try await script.end()
  }
}
