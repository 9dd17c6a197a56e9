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
          == ClientRequest(
            SceneTransition(session: packing, to: .unattached, reason: .clientRequest)))
      try end.reply(number, BrokerReply(SceneTransition.Reply()))
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

  @Test(
    "a request ends when its task is cancelled, although the broker never answers",
    arguments: AnyRequest.allCases)
  fileprivate func unanswered(request: AnyRequest) async throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    try await cancel(request.message, application, end) { () async throws(SceneError) in
      try await request.send(by: application)
    }
  }

  @Test(
    "a request of a scene ends when its task is cancelled, although the broker never answers",
    arguments: SceneRequests.allCases)
  fileprivate func unanswered(request: SceneRequests) async throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    try end.bring(packing)
    let scene = try #require(application.connectedScenes.first)
    try await cancel(request.message, application, end) { () async throws(SceneError) in
      try await request.send(by: scene)
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
    let script = try Script(end, for: application) {
      let (number, request) = try end.request()
      #expect(request.message is SessionList)
      try end.reply(number, BrokerReply(SessionList.Reply(sessions: [])))
    }
    #expect(try await application.openSessions.isEmpty)
    try await script.end()
  }

  /// Calls the client when it is released.
  private final class Probe: Sendable {
    let client: Client
    init(_ client: Client) { self.client = client }
    deinit { _ = client.isConnected }
  }

  @Test("the closure of a cancelled alarm is released without the client's lock")
  func alarm() throws {
    let application = unstarted()
    defer { application.stop() }
    let client = try application.client
    func setAlarm(_ probe: Probe) -> RequestToken {
      client.setAlarm(at: SystemClock.monotonic() + 3_600_000_000_000) { _ = probe.client }
    }
    client.cancelAlarm(setAlarm(Probe(client)))
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

  @Test(
    "without a broker, and after the end that this causes, requests throw the cause",
    arguments: AnyRequest.allCases)
  fileprivate func cause(request: AnyRequest) async throws {
    broker.isThere = false
    let application = unstarted(waitsForBroker: false)
    for _ in 1...2 {
      let code = await code { () async throws(SceneError) in
        try await request.send(by: application)
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

  @Test("a delegate can await in willConnect, and its next call waits")
  func suspended() async throws {
    let application = try application([
      "Note": { [log] in AwaitingDelegate(log) }
    ])
    defer { application.stop() }
    let end = try broker.meet()
    let script = try Script(end, for: application) { [log] in
      let number = try end.call(.willConnect(packing))
      try end.call(Callback(.willEnterForeground, of: packing))
      let (request, message) = try end.request()
      #expect(message == ClientRequest(DataDirectory(session: packing)))
      #expect(log.lines == ["willConnect"])
      try end.reply(request, BrokerReply(DataDirectory.Reply(path: "/data")))
      #expect(try end.answer().0 == number)
      _ = try end.answer()
      #expect(log.lines == ["willConnect", "/data", "willEnterForeground"])
    }
    try await script.end()
  }
}

private struct Posted: UpdateEvent, Codable {}

/// The requests of an application.
private enum AnyRequest: CaseIterable, Sendable {
  case connectScene, open, activation, destruction, refresh, sessions, session, post

  var message: any RequestMessage.Type {
    switch self {
    case .connectScene: SceneConnect.self
    case .open: ApplicationOpen.self
    case .activation: RequestActivation.self
    case .destruction: RequestDestruction.self
    case .refresh: RequestRefresh.self
    case .sessions: SessionList.self
    case .session: SessionShow.self
    case .post: EventPost.self
    }
  }

  func send(by application: SceneApplication) async throws(SceneError) {
    var record = SceneSessionRecord()
    record.persistentIdentifier = packing
    let session = SceneSession(record)
    switch self {
    case .connectScene: try await application.connectScene()
    case .open:
      try await application.open(.userActivity(UserActivity(activityType: "note")))
    case .activation: try await application.requestSceneSessionActivation(nil)
    case .destruction: try await application.requestSceneSessionDestruction(session)
    case .refresh: try await application.requestSceneSessionRefresh(session)
    case .sessions: _ = try await application.openSessions
    case .session: _ = try await application.session(packing.description)
    case .post: try await Posted().post(from: application)
    }
  }
}

/// The requests of a scene.
private enum SceneRequests: CaseIterable, Sendable {
  case save, move, setName, dataDirectory, assertion, openWindow, post

  var message: any RequestMessage.Type {
    switch self {
    case .save: SaveActivity.self
    case .move: SceneTransition.self
    case .setName: SetName.self
    case .dataDirectory: DataDirectory.self
    case .assertion: BeginAssertion.self
    case .openWindow: SceneConnect.self
    case .post: EventPost.self
    }
  }

  func send(by scene: Scene) async throws(SceneError) {
    let activity = UserActivity(activityType: "note")
    switch self {
    case .save: try await scene.save(activity)
    case .move: try await scene.move(to: .background)
    case .setName: try await scene.setName("bags")
    case .dataDirectory: _ = try await scene.dataDirectory()
    case .assertion: _ = try await scene.beginAssertion(named: "upload", for: .seconds(1))
    case .openWindow: try await scene.openWindow(id: "Note")
    case .post: try await Posted().post(from: scene)
    }
  }
}

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
