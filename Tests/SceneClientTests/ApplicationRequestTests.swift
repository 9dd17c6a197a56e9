import SceneModel
import ScenePlatform
import Testing

@testable import SceneClient

/// The requests of an application, and its run.
struct ApplicationRequestTests: ApplicationSuite {
  let broker = StubBroker()
  let log = CallbackLog()

  @Test("requests are made as the program makes them, and errors keep their names")
  func requests() async throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    let script = try Script(end, for: application) {
      let (number, request) = try end.request()
      #expect(
        request
          == .activate(
            RequestActivation(
              session: packing, userActivity: note(1),
              options: ActivationOptions(background: false))))
      try end.reply(number, .activated(RequestActivation.Reply(session: packing)))
      try end.refuse(try end.request().0, .sessionNotFound)
    }
    let activated = try await application.requestSceneSessionActivation(
      packing.description, userActivity: UserActivity(note(1)))
    #expect(activated == packing.description)
    let refusal = await #expect(throws: SceneError.self) {
      try await application.requestSceneSessionDestruction([packing.description])
    }
    #expect(refusal == SceneError(.sessionNotFound, "no"))
    try await script.end()
    await #expect(throws: SceneError.self) {
      try await application.requestSceneSessionDestruction(["packing"])
    }
  }

  @Test("a request longer than the broker takes is refused, and the connection goes on")
  func tooLong() async throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet(frameBytes: 4096)
    // From here on the limit is known.
    try end.bring(packing)
    let sessions = (1...200).map { SessionIdentifier(high: 1, low: $0).description }
    let refusal = await #expect(throws: SceneError.self) {
      try await application.requestSceneSessionDestruction(sessions)
    }
    #expect(refusal?.code == .tooLarge)
    #expect(refusal?.message.contains("bytes; the limit of the broker is 4096") == true)
    let script = try Script(end, for: application) {
      let (number, request) = try end.request()
      #expect(request == .destroy(RequestDestruction(sessions: [packing])))
      try end.reply(number, .empty)
    }
    try await application.requestSceneSessionDestruction([packing.description])
    try await script.end()
  }

  @Test("open sessions are read page by page")
  func openSessions() async throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    let script = try Script(end, for: application) {
      var summary = SessionSummary()
      summary.session = packing
      summary.title = "Packing"
      try end.reply(
        try end.request().0, .listed(SessionList.Reply(sessions: [summary], next: packing)))
      let (number, request) = try end.request()
      #expect(request == .list(SessionList(after: packing)))
      summary.session = itinerary
      try end.reply(number, .listed(SessionList.Reply(sessions: [summary])))
    }
    let sessions = try await application.openSessions
    #expect(
      sessions.map(\.persistentIdentifier) == [packing.description, itinerary.description])
    try await script.end()
  }

  @Test("who is activated may be new in a role, and sessions are looked for by their userInfo")
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
      #expect(activation == .activate(wanted))
      try end.reply(first, .activated(RequestActivation.Reply(session: packing)))
      let (second, list) = try end.request()
      var page = SessionList()
      page.matching = OpaqueObject(unchecked: members.raw)
      #expect(list == .list(page))
      try end.reply(second, .listed(SessionList.Reply(sessions: [])))
    }
    var options = Scene.ActivationRequestOptions()
    options.name = "screen"
    options.role = .windowExternalDisplay
    try await application.requestSceneSessionActivation(nil, options: options)
    #expect(try await application.openSessions(where: members).isEmpty)
    try await script.end()
  }

  @Test("running asks for a scene, and throws when it is refused")
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
    #expect(request == .connect(SceneConnect(name: "packing")))
    try end.refuse(number, .sessionInUse)
    thread.join()
    guard case .failure(let error)? = outcome.withLock({ $0 }) else {
      Issue.record("it did not throw")
      return
    }
    #expect(error.code == .sessionInUse)
  }

  @Test("running without a broker throws")
  func runningAlone() {
    broker.isThere = false
    let application = SceneApplication(name: "notes", delegates: [:]) {
      [broker] () throws(SystemError) in try broker.connect()
    }
    let error = #expect(throws: SceneError.self) { try application.run() }
    #expect(error?.code == .brokerUnavailable)
  }
}
