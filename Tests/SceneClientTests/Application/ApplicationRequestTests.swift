import SceneModel
import ScenePlatform
import Testing

@testable import SceneClient

/// The requests of an application, and its method `run`.
struct ApplicationRequestTests: ApplicationSuite {
  let broker = StubBroker()
  let log = CallbackLog()

  @Test("requests are sent in the order of the program, and errors keep their names")
  func requests() async throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    let script = try Script(end, for: application) {
      let (number, request) = try end.request()
      #expect(
        request
          == ClientRequest(
            RequestActivation(
              session: packing, userActivity: note(1),
              options: ActivationOptions(background: false))))
      try end.reply(number, BrokerReply(RequestActivation.Reply(session: packing)))
      try end.refuse(try end.request().0, .sessionNotFound)
    }
    let activated = try await application.requestSceneSessionActivation(
      persistentIdentifier: packing.description, userActivity: UserActivity(note(1)))
    #expect(activated == packing.description)
    let refusal = await #expect(throws: SceneError.self) {
      try await application.requestSceneSessionDestruction(persistentIdentifiers: [
        packing.description
      ])
    }
    #expect(refusal == SceneError(.sessionNotFound, "no"))
    try await script.end()
    await #expect(throws: SceneError.self) {
      try await application.requestSceneSessionDestruction(persistentIdentifiers: ["packing"])
    }
  }

  @Test("a request that is too long for the broker is refused, and the connection stays")
  func tooLong() async throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet(frameBytes: 4096)
    // From here on, the client knows the limit.
    try end.bring(packing)
    let sessions = (1...200).map { SessionIdentifier(high: 1, low: $0).description }
    let refusal = await #expect(throws: SceneError.self) {
      try await application.requestSceneSessionDestruction(persistentIdentifiers: sessions)
    }
    #expect(refusal?.code == .tooLarge)
    #expect(refusal?.message.contains("bytes; the limit of the broker is 4096") == true)
    let script = try Script(end, for: application) {
      let (number, request) = try end.request()
      #expect(request == ClientRequest(RequestDestruction(sessions: [packing])))
      try end.reply(number, .empty)
    }
    try await application.requestSceneSessionDestruction(persistentIdentifiers: [
      packing.description
    ])
    try await script.end()
  }

  @Test("the list of open sessions is read page by page")
  func openSessions() async throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    let script = try Script(end, for: application) {
      var summary = SessionSummary()
      summary.session = packing
      summary.title = "Packing"
      try end.reply(
        try end.request().0, BrokerReply(SessionList.Reply(sessions: [summary], next: packing)))
      let (number, request) = try end.request()
      #expect(request == ClientRequest(SessionList(after: packing)))
      summary.session = itinerary
      try end.reply(number, BrokerReply(SessionList.Reply(sessions: [summary])))
    }
    let sessions = try await application.openSessions
    #expect(
      sessions.map(\.persistentIdentifier) == [packing.description, itinerary.description])
    try await script.end()
  }

  @Test("an activation can create a session with a role, and userInfo selects sessions")
  func roleAndMembers() async throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    let members: UserInfo = ["line": 42]
    let script = try Script(end, for: application) {
      let (first, activation) = try end.request()
      var wanted = RequestActivation(options: ActivationOptions(background: false))
      wanted.name = "screen"
      wanted.role = .windowExternalDisplay
      #expect(activation == ClientRequest(wanted))
      try end.reply(first, BrokerReply(RequestActivation.Reply(session: packing)))
      let (second, list) = try end.request()
      var page = SessionList()
      page.matching = OpaqueObject(unchecked: members.raw)
      #expect(list == ClientRequest(page))
      try end.reply(second, BrokerReply(SessionList.Reply(sessions: [])))
    }
    var options = Scene.ActivationRequestOptions()
    options.name = "screen"
    options.role = .windowExternalDisplay
    try await application.requestSceneSessionActivation(nil, options: options)
    #expect(try await application.openSessions(where: members).isEmpty)
    try await script.end()
  }

  @Test("run requests a scene, and throws if the broker refuses it")
  func running() throws {
    let application = SceneApplication(
      name: "notes", delegates: ["PlainDelegate": PlainDelegate.init]
    ) { [broker] () throws(SystemError) in try broker.connect() }
    let outcome = ConditionMutex<Result<Void, SceneError>?>(nil)
    let thread = try Thread("run") {
      do throws(SceneError) {
        try application.run(SceneRequest(.named("packing")))
        outcome.withLock { $0 = .success(()) }
      } catch {
        outcome.withLock { $0 = .failure(error) }
      }
    }
    let end = try broker.meet()
    let (number, request) = try end.request()
    #expect(request == ClientRequest(SceneConnect(name: "packing")))
    try end.refuse(number, .sessionInUse)
    thread.join()
    guard case .failure(let error)? = outcome.withLock({ $0 }) else {
      Issue.record("run did not throw")
      return
    }
    #expect(error.code == .sessionInUse)
  }

  @Test("run throws without a broker")
  func runningAlone() {
    broker.isThere = false
    let application = SceneApplication(name: "notes", delegates: [:]) {
      [broker] () throws(SystemError) in try broker.connect()
    }
    let error = #expect(throws: SceneError.self) { try application.run() }
    #expect(error?.code == .brokerUnavailable)
  }
}
