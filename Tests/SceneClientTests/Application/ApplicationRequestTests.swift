import SceneModel
import ScenePlatform
import Testing

@testable import SceneClient

/// The requests of an application, and its method `run`.
struct ApplicationRequestTests: ApplicationSuite {
  let broker = StubBroker()
  let log = CallbackLog()

  private static func session(_ identifier: SessionIdentifier) -> SceneSession {
    var record = SceneSessionRecord()
    record.persistentIdentifier = identifier
    return SceneSession(record)
  }

  @Test("requests are sent in the order of the program, and errors keep their names")
  func requests() async throws {
    let (application, end) = try connected()
    defer { application.stop() }
    let script = try Script(end, for: application) {
      try end.expect(
        RequestActivation(
          session: packing, userActivity: note(1), options: ActivationOptions(background: false)),
        reply: RequestActivation.Reply(session: packing))
      try end.expect(
        RequestActivation(
          role: .windowExternalDisplay, options: ActivationOptions(background: true)),
        reply: RequestActivation.Reply(session: packing))
      try end.expect(
        RequestRefresh(sessions: [packing]), reply: RequestRefresh.Reply(sessions: [packing]))
      try end.expect(RequestDestruction(sessions: [packing]), refusal: .sessionNotFound)
    }
    let activated = try await application.requestSceneSessionActivation(
      Self.session(packing), userActivity: UserActivity(note(1)))
    #expect(activated == packing.description)
    var request = SceneSessionActivationRequest(role: .windowExternalDisplay)
    request.options = Scene.ActivationRequestOptions()
    request.options?.staysInBackground = true
    try await application.activateSceneSession(for: request)
    try await application.requestSceneSessionRefresh(Self.session(packing))
    let refusal = await #expect(throws: SceneError.self) {
      try await application.requestSceneSessionDestruction(Self.session(packing))
    }
    #expect(refusal == SceneError(.sessionNotFound, "no"))
    try await script.end()
    await #expect(throws: SceneError.self) { try await application.session("packing") }
  }

  @Test("a request that is too long for the broker is refused, and the connection stays")
  func tooLong() async throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet(frameBytes: 4096)
    // From here on, the client knows the limit.
    try end.bring(packing)
    let activity = UserActivity(
      activityType: "note", userInfo: ["text": String(repeating: "x", count: 5000)])
    let refusal = await #expect(throws: SceneError.self) {
      try await application.open(.userActivity(activity))
    }
    #expect(refusal?.code == .tooLarge)
    #expect(refusal?.message.contains("bytes; the limit of the broker is 4096") == true)
    let script = try Script(end, for: application) {
      try end.expect(
        RequestDestruction(sessions: [packing], dismissalAnimation: .commit), reply: Empty())
    }
    var options = WindowSceneDestructionRequestOptions()
    options.windowDismissalAnimation = .commit
    try await application.requestSceneSessionDestruction(Self.session(packing), options: options)
    try await script.end()
  }

  @Test("the list of open sessions is read page by page, and then each session")
  func openSessions() async throws {
    let (application, end) = try connected()
    defer { application.stop() }
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
      let (first, show) = try end.request()
      #expect(show == ClientRequest(SessionShow(session: packing)))
      var details = SessionDetails()
      details.sceneSession.persistentIdentifier = packing
      details.sceneSession.userInfo = OpaqueObject(unchecked: (["type": "list"] as UserInfo).raw)
      details.summary = summary
      try end.reply(first, BrokerReply(details))
      // The other session is discarded meanwhile.
      try end.refuse(try end.request().0, .sessionNotFound)
    }
    let sessions = try await application.openSessions
    #expect(sessions.map(\.persistentIdentifier) == [packing.description])
    #expect(sessions.first?.userInfo?["type"] as? String == "list")
    try await script.end()
  }

  @Test("the end of several windows goes on after an error, and then throws the first one")
  func dismissing() async throws {
    let (application, end) = try connected()
    defer { application.stop() }
    let script = try Script(end, for: application) {
      let windows = [packing, itinerary].map { session in
        var summary = SessionSummary()
        (summary.session, summary.configuration) = (session, "Note")
        summary.state = .background
        return summary
      }
      try end.reply(try end.request().0, BrokerReply(SessionList.Reply(sessions: windows)))
      for (session, refusal) in [(packing, ErrorReason.sessionNotHeld), (itinerary, .tooMany)] {
        try end.expect(
          SceneTransition(session: session, to: .unattached, reason: .clientRequest),
          refusal: refusal)
      }
    }
    let error = await #expect(throws: SceneError.self) {
      try await application.dismissWindows(id: "Note", value: nil)
    }
    #expect(error?.code == .sessionNotHeld)
    try await script.end()
  }

  @Test("run requests a scene, and throws if the broker refuses it")
  func running() async throws {
    let application = SceneApplication(
      name: "notes", delegates: ["PlainDelegate": PlainDelegate.init]
    ) { [broker] () throws(SystemError) in try broker.connect() }
    // On the client's own thread: the other tests may keep the task from running for long.
    try application.start()
    let run = Task { try await application.run(SceneRequest(.named("packing"))) }
    let end = try broker.meet()
    let script = try Script(end, for: application) {
      try end.expect(SceneConnect(name: "packing"), refusal: .sessionInUse)
    }
    try await script.end()
    let error = await #expect(throws: SceneError.self) { try await run.value }
    #expect(error?.code == .sessionInUse)
  }
}
