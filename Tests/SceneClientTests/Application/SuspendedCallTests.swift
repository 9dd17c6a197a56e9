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

    func sceneDidDisconnect(_ scene: Scene) { log.note("didDisconnect after a refusal") }

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
    private let signal: AsyncStream<Void>
    private let release: AsyncStream<Void>.Continuation

    init(_ log: CallbackLog) {
      self.log = log
      (signal, release) = AsyncStream.makeStream()
    }

    func windowScene(
      _ windowScene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem
    ) async -> Bool {
      log.note("waiting")
      await Task { [signal] in for await _ in signal {} }.value
      log.note("late")
      return true
    }

    func sceneDidDisconnect(_ scene: Scene) {
      log.note("didDisconnect \(scene.disconnectReason?.rawValue ?? "")")
      release.finish()
    }
  }

  /// A scene whose delegate waits at the end until its task is cancelled.
  private final class HungDelegate: SceneDelegate {
    let log: CallbackLog
    init(_ log: CallbackLog) { self.log = log }

    func sceneDidDisconnect(_ scene: Scene) async {
      log.note("waiting")
      try? await Task.sleep(for: .seconds(86_400))
      log.note(Task.isCancelled ? "cancelled" : "late")
    }
  }

  @Test("a call at the end of a scene is cancelled after the end of the connection")
  func hungEnd() async throws {
    let application = try application(["Note": { [log] in HungDelegate(log) }])
    let end = try broker.meet()
    let script = try Script(end, for: application) { [log] in
      try end.ask(.willConnect(packing))
      try end.call(.didDisconnect(packing, .reclaimed))
      _ = try log.wait(for: 1)
      // Without a broker, the client ends at once.
      end.vanish()
      application.stop()
    }
    try await script.end()
    #expect(await (try application.client).untilStopped() == nil)
    #expect(log.lines == ["waiting", "cancelled"])
  }

  /// Logs the reasons that `main` sees. A refusal would end the program with status 1.
  private func noteEnds(of application: SceneApplication) {
    application.host.observeEnds { [log] end in
      log.note("end \(end.reason.rawValue)" + (end.refusal == nil ? "" : " refused"))
    }
  }

  @Test("a suspended call is cancelled when the broker disconnects its scene")
  func watchdog() async throws {
    let application = try application(["Note": { [log] in PatientDelegate(log) }])
    defer { application.stop() }
    noteEnds(of: application)
    let end = try broker.meet()
    let script = try Script(end, for: application) { [log] in
      try end.call(.willConnect(packing))
      #expect(try end.request().1 == ClientRequest(DataDirectory(session: packing)))
      try end.call(.didDisconnect(packing, .watchdog))
      #expect(try log.wait(for: 2) == ["cancelled", "end watchdog"])
    }
    try await script.end()
  }

  /// A scene that restores its state after `willConnect` has returned.
  private final class RestoringDelegate: SceneDelegate {
    let log: CallbackLog
    let scenes: ConditionMutex<Scene?>
    init(_ log: CallbackLog, _ scenes: ConditionMutex<Scene?>) {
      (self.log, self.scenes) = (log, scenes)
    }

    func scene(
      _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
    ) {
      scene.extendStateRestoration()
      scene.completeStateRestoration()
      scene.extendStateRestoration()
      scenes.withLock { $0 = scene }
      log.note("returned")
    }
  }

  @Test("a scene connects after the completion of its restoration", arguments: [true, false])
  func restoration(isCompleted: Bool) async throws {
    let scenes = ConditionMutex<Scene?>(nil)
    let application = try application(["Note": { [log] in RestoringDelegate(log, scenes) }])
    defer { application.stop() }
    let end = try broker.meet()
    let script = try Script(end, for: application) { [log] in
      let connect = try end.call(.willConnect(packing))
      for _ in 0..<2 {
        #expect(try end.request().1 == ClientRequest(SceneExtend(session: packing, seconds: 60)))
      }
      #expect(try log.wait(for: 1) == ["returned"])
      if isCompleted {
        scenes.withLock { $0 }?.completeStateRestoration()
        guard case .answer(connect, _)? = try end.next() else { throw Unmet("not connected") }
        scenes.withLock { $0 }?.extendStateRestoration()
        #expect(try end.ask(Callback(.willEnterForeground, of: packing)) == "{}")
      } else {
        application.stop()
        _ = try end.request()
        guard case .failure(connect, _)? = try end.next() else { throw Unmet("not cancelled") }
      }
    }
    try await script.end()
  }

  @Test("a suspended call is cancelled when the application stops")
  func stop() async throws {
    let application = try application(["Note": { [log] in PatientDelegate(log) }])
    noteEnds(of: application)
    let end = try broker.meet()
    let script = try Script(end, for: application) { [log] in
      let connect = try end.call(.willConnect(packing))
      #expect(try end.request().1 == ClientRequest(DataDirectory(session: packing)))
      application.stop()
      #expect(
        try end.request().1
          == ClientRequest(
            SceneTransition(session: packing, to: .unattached, reason: .clientRequest)))
      guard case .failure(connect, _)? = try end.next() else {
        throw Unmet("the call was not cancelled")
      }
      #expect(try log.wait(for: 2) == ["cancelled", "end clientRequest"])
    }
    try await script.end()
  }

  @Test(
    "a call that ignores its cancellation does not block the end of its scene, also after a stop",
    arguments: [false, true])
  func stubborn(isStopped: Bool) async throws {
    let (application, end) = try connected(["Note": { [log] in StubbornDelegate(log) }])
    defer { application.stop() }
    let script = try Script(end, for: application) { [log] in
      try end.ask(.willConnect(packing))
      if isStopped {
        application.stop()
        _ = try end.request()
      }
      try end.call(
        Callback(
          .performActionForShortcutItem,
          PerformActionForShortcutItem(
            session: packing, shortcutItem: ApplicationShortcutItem(type: "compose").message)))
      if !isStopped { _ = try log.wait(for: 1) }
      try end.ask(.didDisconnect(packing, .watchdog))
      #expect(try log.wait(for: 2)[1] == "didDisconnect watchdog")
    }
    try await script.end()
  }

  /// A scene whose calls can all suspend. Its activation waits until the test releases it.
  private final class SuspendingDelegate: SceneDelegate {
    let log: CallbackLog
    private let signal: AsyncStream<Void>

    init(_ log: CallbackLog, _ signal: AsyncStream<Void>) {
      self.log = log
      self.signal = signal
    }

    private func note(_ call: String) { log.note(Task.isCancelled ? "\(call), cancelled" : call) }

    func sceneWillEnterForeground(_ scene: Scene) async { note("willEnterForeground") }

    func sceneDidBecomeActive(_ scene: Scene) async {
      note("waiting")
      for await _ in signal {}
      note("didBecomeActive")
    }

    func sceneWillResignActive(_ scene: Scene) async { note("willResignActive") }
    func sceneDidEnterBackground(_ scene: Scene) async { note("didEnterBackground") }

    func stateRestorationActivity(for scene: Scene) async -> UserActivity? {
      note("stateRestorationActivity")
      return nil
    }

    func sceneDidDisconnect(_ scene: Scene) async { note("didDisconnect") }
  }

  @Test("a call begins after the end of a suspended call")
  func order() async throws {
    let (signal, release) = AsyncStream.makeStream(of: Void.self)
    let (application, end) = try connected(["Note": { [log] in SuspendingDelegate(log, signal) }])
    defer { application.stop() }
    let script = try Script(end, for: application) { [log] in
      try end.ask(.willConnect(packing))
      let activation = try end.call(Callback(.didBecomeActive, of: packing))
      let resignation = try end.call(Callback(.willResignActive, of: packing))
      // The client has received the calls above when it answers for another scene.
      try end.ask(.willConnect(itinerary))
      #expect(try log.wait(for: 1) == ["waiting"])
      release.finish()
      for call in [activation, resignation] { #expect(try end.answer().0 == call) }
    }
    try await script.end()
    #expect(log.lines == ["waiting", "didBecomeActive", "willResignActive"])
  }

  @Test("a stop cancels the activation of a scene, but not its way to the end")
  func stopCancels() async throws {
    let (signal, release) = AsyncStream.makeStream(of: Void.self)
    let application = try application(["Note": { [log] in SuspendingDelegate(log, signal) }])
    let end = try broker.meet()
    let script = try Script(end, for: application) { [log] in
      try end.ask(.willConnect(packing))
      let activation = try end.call(Callback(.didBecomeActive, of: packing))
      _ = try log.wait(for: 1)
      application.stop()
      let (number, _) = try end.request()
      try end.reply(number, BrokerReply(SceneTransition.Reply()))
      #expect(try end.answer().0 == activation)
      try end.ask(Callback(.willEnterForeground, of: packing))
      try end.ask(Callback(.willResignActive, of: packing))
      try end.ask(Callback(.didEnterBackground, of: packing))
      try end.ask(Callback(.stateRestorationActivity, of: packing))
      try end.ask(.didDisconnect(packing, .clientRequest))
    }
    try await script.end()
    #expect(
      log.lines == [
        "waiting", "didBecomeActive, cancelled", "willEnterForeground, cancelled",
        "willResignActive", "didEnterBackground", "stateRestorationActivity", "didDisconnect",
      ])
    withExtendedLifetime(release) {}
  }

  /// A scene whose calls fail.
  private final class FailingDelegate: SceneDelegate {
    func sceneDidBecomeActive(_ scene: Scene) throws {
      throw SceneError(.storageFull, "no space for the index")
    }

    func stateRestorationActivity(for scene: Scene) async throws -> UserActivity? {
      throw SceneError(.storageFull, "no space for the note")
    }
  }

  @Test("an error of a call is logged, and the scene continues")
  func errors() throws {
    let application = SceneApplication(
      name: "notes", delegates: ["Note": FailingDelegate.init],
      log: { [log] record in log.note(record.message) }
    ) { [broker] () throws(SystemError) in try broker.connect() }
    defer { application.stop() }
    try application.start()
    let end = try broker.meet()
    try end.ask(.willConnect(packing))
    for callback in [
      Callback(.didBecomeActive, of: packing), Callback(.stateRestorationActivity, of: packing),
    ] {
      let call = try end.call(callback)
      guard case .failure(call, let error)? = try end.next() else {
        throw Unmet("the broker does not learn of the error")
      }
      #expect("\(error)".contains("no space"))
    }
    try end.ask(Callback(.willResignActive, of: packing))
    #expect(application.connectedScenes.first?.activationState == .foregroundInactive)
    #expect(
      log.lines == [
        "call didBecomeActive of \(packing.short) failed: no space for the index",
        "call stateRestorationActivity of \(packing.short) failed: no space for the note",
      ])
  }

  /// A scene whose call uses functions without isolation.
  private final class HelpedDelegate: SceneDelegate {
    private let log: CallbackLog

    init(_ log: CallbackLog) { self.log = log }

    @concurrent
    private static func isOnQueue(of scene: Scene) async -> Bool {
      await Task.yield()
      return scene.client.calls(of: scene.identifier).isIsolatingCurrentContext() == true
    }

    @concurrent
    func sceneDidBecomeActive(_ scene: Scene) async {
      async let isChildOnQueue = Self.isOnQueue(of: scene)
      log.note("\(await Self.isOnQueue(of: scene)), \(await isChildOnQueue)")
    }
  }

  @Test("all parts of a call without isolation run on the queue of the scene")
  func queue() throws {
    let (application, end) = try connected(["Note": { [log] in HelpedDelegate(log) }])
    defer { application.stop() }
    try end.bring(packing)
    #expect(log.lines == ["true, true"])
  }
}
