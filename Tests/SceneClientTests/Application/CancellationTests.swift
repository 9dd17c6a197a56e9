import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneClient

/// The ends of requests and of `run` before a reply. A test that hangs is the failure.
struct CancellationTests: ApplicationSuite {
  let broker = StubBroker()
  let log = CallbackLog()

  /// An application that is not started.
  private func unstarted(waitsForBroker: Bool = true) -> SceneApplication {
    SceneApplication(
      name: "notes", delegates: ["Note": { [log] in LoggingDelegate(log) }],
      waitsForBroker: waitsForBroker
    ) { [broker] () throws(SystemError) in try broker.connect() }
  }

  private func code(
    _ body: () async throws(SceneError) -> Void
  ) async -> SceneError.Code? {
    do throws(SceneError) {
      try await body()
      return nil
    } catch {
      return error.code
    }
  }

  @Test("a cancelled run ends its scenes in order, and returns without an error")
  func run() async throws {
    let application = unstarted()
    // On the client's own thread: the other tests may keep the task from running for long.
    try application.start()
    let end = try broker.meet()
    let run = Task { try await application.run(nil) }
    let script = try Script(end, for: application) {
      try end.bring(packing)
      run.cancel()
      let (number, request) = try end.request()
      #expect(
        request
          == .transition(
            SceneTransition(session: packing, to: .unattached, reason: .clientRequest)))
      try end.reply(number, .moved(SceneTransition.Reply()))
      let reference = SceneReference(session: packing)
      try end.ask(.willResignActive(reference))
      try end.ask(.didEnterBackground(reference))
      try end.ask(.didDisconnect(packing, .clientRequest))
    }
    try await run.value
    try await script.end()
    #expect(log.lines.last == "didDisconnect clientRequest unattached")
  }

  @Test("run in a cancelled task returns at once, without a broker")
  func cancelledBefore() async throws {
    broker.isThere = false
    let application = unstarted()
    let run = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await application.run(nil)
    }
    try await run.value
  }

  @Test("a request starts the application, waits without a broker, and can be cancelled")
  func request() async throws {
    broker.isThere = false
    let application = unstarted()
    let request = Task {
      await code { () async throws(SceneError) in
        _ = try await application.connectScene()
      }
    }
    for await state in application.connectionState where state == .waiting { break }
    request.cancel()
    #expect(await request.value == .cancelled)
    #expect(
      await code { () async throws(SceneError) in
        try await SceneApplication.withTimeout(.zero) { () async throws(SceneError) in
          _ = try await application.openSessions
        }
      } == .timedOut)
    application.stop()
  }

  @Test("a request of a cancelled task is never sent")
  func cancelledRequest() async throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    let task = Task {
      await code { () async throws(SceneError) in
        withUnsafeCurrentTask { $0?.cancel() }
        _ = try await application.session(packing.description)
      }
    }
    #expect(await task.value == .cancelled)
    // The request may have been sent at once; the next one shows that the client goes on.
    let script = try Script(end, for: application) {
      while case .request(let number, let request)? = try end.next() {
        guard case .list = request else { continue }
        return try end.reply(number, .listed(SessionList.Reply(sessions: [])))
      }
    }
    #expect(try await application.openSessions.isEmpty)
    try await script.end()
  }

  @Test("a thousand cancelled requests leave nothing behind")
  func thousand() async throws {
    broker.isThere = false
    let application = unstarted()
    try application.start()
    await withTaskGroup(of: SceneError.Code?.self) { group in
      for _ in 0..<1000 {
        group.addTask {
          await code { () async throws(SceneError) in _ = try await application.openSessions }
        }
      }
      group.cancelAll()
      for await code in group { #expect(code == .cancelled) }
    }
    try application.client.withState { state in
      #expect(state.completions.isEmpty)
      #expect(state.machine.waiting.isEmpty)
    }
    application.stop()
  }

  @Test("after the end of an application, requests throw its cause")
  func cause() async throws {
    broker.isThere = false
    let application = unstarted(waitsForBroker: false)
    #expect(
      await code { () async throws(SceneError) in _ = try await application.connectScene() }
        == .brokerUnavailable)
    #expect(
      await code { () async throws(SceneError) in _ = try await application.openSessions }
        == .brokerUnavailable)
    for await _ in application.connectionState {}
    guard case .stopped(let cause?) = application.connectionState.current else {
      Issue.record("the state has no cause")
      return
    }
    #expect(cause.code == .brokerUnavailable)
  }

  @Test("an observation that begins after the end of the application ends at once")
  func observation() async throws {
    let application = unstarted()
    application.stop()
    for await _ in application.connectionState {}
    for await _ in application.events(of: Posted.self) { Issue.record("there is no event") }
  }

  @Test("a run with an invalid request does not connect")
  func invalid() async throws {
    let application = unstarted()
    let request = SceneRequest(.persistentIdentifier("bad"))
    let code = await code { () async throws(SceneError) in try await application.run(request) }
    #expect(code == .invalidParams)
    #expect(try application.client.start(), "the client was started before")
    application.stop()
  }

  @Test("a delegate can await in willConnect, and its next call waits")
  func suspended() async throws {
    let application = try application([
      "Note": { [log] in AwaitingDelegate(log) }
    ])
    defer { application.stop() }
    let end = try broker.meet()
    let script = try Script(end, for: application) { [log] in
      let number = try end.call(.willConnect(packing))
      try end.call(.willEnterForeground(SceneReference(session: packing)))
      let (request, message) = try end.request()
      #expect(message == .dataDirectory(DataDirectory(session: packing)))
      #expect(log.lines == ["willConnect"])
      try end.reply(request, .dataDirectory(DataDirectory.Reply(path: "/data")))
      #expect(try end.answer().0 == number)
      _ = try end.answer()
      #expect(log.lines == ["willConnect", "/data", "willEnterForeground"])
    }
    try await script.end()
  }
}

private struct Posted: UpdateEvent, Codable {}

private final class AwaitingDelegate: SceneDelegate {
  let log: CallbackLog

  init(_ log: CallbackLog) { self.log = log }

  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) async throws {
    log.note("willConnect")
    log.note(try await scene.dataDirectory())
  }

  func sceneWillEnterForeground(_ scene: Scene) { log.note("willEnterForeground") }
}
