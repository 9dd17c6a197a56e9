import SceneModel
import ScenePlatform
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
      try end.expect(
        SceneTransition(session: packing, to: .unattached, reason: .clientRequest),
        reply: SceneTransition.Reply())
      try end.ask(Callback(.willResignActive, of: packing))
      try end.ask(Callback(.didEnterBackground, of: packing))
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
    for await state in application.connectionStates where state == .waiting { break }
    request.cancel()
    #expect(await request.value == .cancelled)
    application.stop()
  }

  @Test("a request and a save end when their task is cancelled, although the broker never answers")
  func unanswered() async throws {
    let (application, end, scene) = try foreground()
    defer { application.stop() }
    try await cancel(SessionList.self, application, end) { () async throws(SceneError) in
      _ = try await application.openSessions
    }
    try await cancel(SaveActivity.self, application, end) { () async throws(SceneError) in
      try await scene.save(UserActivity(activityType: "note"))
    }
  }

  /// Cancels the task of a request when the broker has the request.
  private func cancel(
    _ message: any RequestMessage.Type, _ application: SceneApplication, _ end: BrokerEnd,
    _ request: @escaping @Sendable () async throws(SceneError) -> Void
  ) async throws {
    let task = Task { await code(request) }
    let script = try Script(end, for: application) {
      let (_, sent) = try end.request()
      #expect(type(of: sent.message) == message)
      task.cancel()
    }
    #expect(await task.value == .cancelled)
    try await script.end()
  }

  /// More applications than the cooperative pool has threads.
  @Test("applications that run block no thread of other tasks")
  func runs() async throws {
    broker.isThere = false
    let applications = (0..<40).map { _ in unstarted() }
    let runs = applications.map { application in Task { try await application.run(nil) } }
    for application in applications {
      for await state in application.connectionStates where state == .waiting { break }
    }
    for run in runs { run.cancel() }
    for run in runs { try await run.value }
  }

  @Test("a request of a cancelled task is never sent")
  func cancelledRequest() async throws {
    let (application, end) = try connected()
    defer { application.stop() }
    let task = Task {
      await code { () async throws(SceneError) in
        withUnsafeCurrentTask { $0?.cancel() }
        _ = try await application.session(packing.description)
      }
    }
    #expect(await task.value == .cancelled)
    let script = try Script(end, for: application) {
      let (number, request) = try end.request()
      #expect(request.message is SessionList)
      try end.reply(number, BrokerReply(SessionList.Reply(sessions: [])))
    }
    #expect(try await application.openSessions.isEmpty)
    try await script.end()
  }

  @Test("a thousand cancelled requests leave nothing behind", .timeLimit(.minutes(10)))
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
      // All requests wait for a broker then.
      while (try? application.client)?.withState({ $0.completions.count }) != 1000 {
        await Task.yield()
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

  @Test("without a broker, and after the end that this causes, requests throw the cause")
  func cause() async throws {
    broker.isThere = false
    let application = unstarted(waitsForBroker: false)
    for _ in 1...2 {
      let code = await code { () async throws(SceneError) in
        _ = try await application.openSessions
      }
      #expect(code == .brokerUnavailable)
    }
    for await _ in application.connectionStates {}
    guard case .stopped(let cause?) = application.connectionState else {
      Issue.record("the state has no cause")
      return
    }
    #expect(cause.code == .brokerUnavailable)
  }

  @Test("an observation starts the application")
  func startingObservation() throws {
    let application = unstarted()
    defer { application.stop() }
    let events = application.events(of: Posted.self)
    let end = try broker.meet()
    #expect(try end.request().1 == ClientRequest(EventObserve(topic: Posted.topic)))
    withExtendedLifetime(events) {}
  }

  @Test("the states of an application that cannot be prepared end with the error")
  func unprepared() async {
    let application = SceneApplication(name: "notes", delegates: [:], application: "a/b")
    for await _ in application.connectionStates {}
    for await _ in application.applicationStates {}
    guard case .stopped(let cause?) = application.connectionState else {
      Issue.record("the state has no cause")
      return
    }
    #expect(cause.code == .invalidParams)
  }

  @Test("an observation that begins after the end of the application ends at once")
  func observation() async throws {
    let application = unstarted()
    application.stop()
    for await _ in application.connectionStates {}
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
}

private struct Posted: UpdateEvent, Codable {}
