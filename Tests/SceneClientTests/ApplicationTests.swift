import JSON
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneClient

/// The application as a program uses it, against a scripted broker.
struct ApplicationTests {
  private let broker = ScriptedBroker()
  private let diary = Diary()

  private func application(
    _ delegates: [String: SceneApplication.DelegateFactory]? = nil, waitsForBroker: Bool = false
  ) throws -> SceneApplication {
    let application = SceneApplication(
      name: "notes",
      delegates: delegates ?? ["Note": { [diary] in DiaryDelegate(diary) }],
      waitsForBroker: waitsForBroker
    ) { [broker] () throws(SystemError) in try broker.connect() }
    try application.start()
    return application
  }

  @Test("the calls of a scene come in order, with the states that UIKit shows")
  func life() throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    try end.bring(packing)
    let scene = try #require(application.connectedScenes.first)
    #expect(scene.activationState == .foregroundActive)
    let reference = SceneReference(session: packing)
    try end.ask(.willResignActive(reference))
    try end.ask(.didEnterBackground(reference))
    try end.ask(.didDisconnect(packing, .reclaimed))
    #expect(
      diary.lines == [
        "willConnect launch unattached", "willEnterForeground background",
        "didBecomeActive foregroundActive", "willResignActive foregroundActive",
        "didEnterBackground background", "didDisconnect reclaimed unattached",
      ])
    #expect(application.connectedScenes.isEmpty)
    #expect(scene.disconnectReason == .reclaimed)
  }

  @Test("a delegate with no method of its own answers everything")
  func defaults() throws {
    let application = try application(["Note": { PlainDelegate() }])
    defer { application.stop() }
    let end = try broker.meet()
    try end.bring(packing)
    let reference = SceneReference(session: packing)
    try end.ask(.willResignActive(reference))
    try end.ask(.didEnterBackground(reference))
    #expect(try end.ask(.stateRestorationActivity(reference)) == "{}")
    try end.ask(
      .willContinueUserActivity(WillContinueUserActivity(session: packing, activityType: "x")))
    try end.ask(
      .continueUserActivity(ContinueUserActivity(session: packing, userActivity: note(1))))
    try end.ask(.didDisconnect(packing, .clientRequest))
  }

  @Test("throwing from willConnect refuses the scene")
  func refusal() throws {
    struct NoRoom: Error {}
    let application = try application([
      "Note": { [diary] in DiaryDelegate(diary, willConnect: { _, _ in throw NoRoom() }) }
    ])
    defer { application.stop() }
    let end = try broker.meet()
    let number = try end.call(.willConnect(packing))
    guard case .failure(number, let error)? = try end.next() else {
      Issue.record("it was not refused")
      return
    }
    #expect(error.description.contains("NoRoom"))
    #expect(application.connectedScenes.isEmpty)
  }

  @Test(
    "a configuration's delegate class picks the delegate; with one delegate none need be named",
    arguments: [
      ("Note", ["Note", "List"], true), (nil, ["Note"], true), (nil, ["Note", "List"], false),
      ("Other", ["Note"], false), ("Other", ["*"], true),
    ] as [(String?, [String], Bool)])
  func delegateClass(name: String?, classes: [String], isTaken: Bool) throws {
    var delegates: [String: SceneApplication.DelegateFactory] = [:]
    for name in classes { delegates[name] = { PlainDelegate() } }
    let application = try application(delegates)
    defer { application.stop() }
    let end = try broker.meet()
    guard case .willConnect(var message) = Callback.willConnect(packing) else { return }
    message.sceneSession.configuration.delegateClass = name
    let number = try end.call(.willConnect(message))
    let answer = try end.next()
    if isTaken {
      #expect(answer == .answer(number, .emptyObject))
    } else {
      guard case .failure(number, _)? = answer else {
        Issue.record("it was not refused: \(String(describing: answer))")
        return
      }
    }
  }

  @Test("a scene that takes its time does not use up its neighbour's")
  func independence() throws {
    let gate = Monitor(false)
    let application = try application([
      "Note": { [diary] in
        DiaryDelegate(
          diary,
          didBecomeActive: { scene in
            guard scene.session.persistentIdentifier == packing.description else { return }
            _ = gate.wait { $0 ? true : nil }
          })
      }
    ])
    defer { application.stop() }
    let end = try broker.meet()
    try end.ask(.willConnect(packing))
    try end.ask(.willEnterForeground(SceneReference(session: packing)))
    let slow = try end.call(.didBecomeActive(SceneReference(session: packing)))
    let farewell = try end.call(.didDisconnect(packing, .replaced))
    // All of the other scene's life goes by before the first one is done.
    try end.bring(itinerary, hold: 2)
    try end.ask(.willResignActive(SceneReference(session: itinerary)))
    #expect(diary.lines.last == "willResignActive foregroundActive")
    gate.withLock { $0 = true }
    #expect(try end.answer().0 == slow)
    #expect(try end.answer().0 == farewell)
  }

  @Test("what is assigned is saved, byte for byte, and the newest wins")
  func assignment() throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    try end.bring(packing)
    let scene = try #require(application.connectedScenes.first)
    let text =
      #"{"activityType":"note","userInfo":{"n": 9007199254740993, "pi": 3.14159265358979323846}"#
      + #","x":[1.0]}"#
    scene.userActivity = try UserActivity(json: text)
    let (first, request) = try end.request()
    guard case .saveActivity(let message) = request else {
      Issue.record("not a save: \(request)")
      return
    }
    #expect(message.activity?.json.description == text)
    for line in 1...5 { scene.userActivity = UserActivity(note(line)) }
    try end.reply(first, .saved(SaveActivity.Reply(generation: 1)))
    let (_, next) = try end.request()
    #expect(next == .saveActivity(SaveActivity(session: packing, activity: note(5))))
    #expect(
      try end.ask(.ask(packing)) == #"{"activity":\#(note(5).json)}"#,
      "the default answer is the scene's activity")
  }

  @Test("saving returns when the broker says so")
  func saving() async throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    try end.bring(packing)
    let scene = try #require(application.connectedScenes.first)
    let script = try Script {
      try end.reply(try end.request().0, .saved(SaveActivity.Reply(generation: 7)))
    }
    #expect(try await scene.save(UserActivity(note(1))) == 7)
    try await script.end()
  }

  @Test("an assignment that cannot be kept is told to the delegate")
  func failedAssignment() throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    try end.bring(packing)
    let scene = try #require(application.connectedScenes.first)
    scene.userActivity = UserActivity(activityType: "")
    #expect(try diary.wait(for: 4).last == "didFailToSave invalidParams foregroundActive")
    scene.userActivity = UserActivity(
      activityType: "note", userInfo: ["text": String(repeating: "x", count: 256 << 10)])
    #expect(try diary.wait(for: 5).last == "didFailToSave tooLarge foregroundActive")
  }

  @Test("a delegate asks for more time from within its call")
  func extending() throws {
    let application = try application([
      "Note": { [diary] in
        DiaryDelegate(
          diary, willConnect: { scene, _ in try scene.extendTime(by: .milliseconds(1500)) })
      }
    ])
    defer { application.stop() }
    let end = try broker.meet()
    try end.call(.willConnect(packing))
    let (_, request) = try end.request()
    #expect(request == .extend(SceneExtend(session: packing, seconds: 1.5)))
    _ = try end.answer()
    let scene = try #require(application.connectedScenes.first)
    #expect(throws: SceneError.self) { try scene.extendTime(by: .seconds(-1)) }
    #expect(throws: SceneError.self) { try scene.extendTime(by: .seconds(3601)) }
  }

  @Test("work on a delegate comes behind the calls that came before it")
  func performing() throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    try end.bring(packing)
    let scene = try #require(application.connectedScenes.first)
    scene.perform { [diary] delegate in diary.note("performed \(type(of: delegate))") }
    #expect(try diary.wait(for: 4).last == "performed DiaryDelegate")
  }

  @Test("a scene and its delegate go on when the broker comes back")
  func resuming() async throws {
    let application = try application()
    defer { application.stop() }
    var end = try broker.meet()
    try end.bring(packing, hold: 4)
    let scene = try #require(application.connectedScenes.first)
    scene.userActivity = UserActivity(note(1))
    _ = try end.request()
    broker.isThere = false
    end.vanish()
    for await state in application.connectionState where state == .waiting { break }
    scene.userActivity = UserActivity(note(2))
    scene.title = "Packing"
    broker.isThere = true
    end = try broker.meet()
    let (number, request) = try end.request()
    let resume = SceneConnect(
      session: packing, resume: Resume(state: .foregroundActive, hold: 4), activity: note(2))
    #expect(request == .connect(resume))
    try end.reply(
      number, .connected(SceneConnect.Reply(session: packing, reason: .resume, hold: 4)))
    #expect(
      try end.request().1 == .update(SceneUpdate(session: packing, title: .value("Packing"))))
    try end.ask(.willResignActive(SceneReference(session: packing)))
    #expect(diary.lines.count == 4, "no call for what did not change")
    #expect(application.connectedScenes == [scene])
  }

  @Test("a session that somebody else has had gets a new scene; the old one ends")
  func startingOver() throws {
    let application = try application()
    defer { application.stop() }
    var end = try broker.meet()
    try end.bring(packing)
    let old = try #require(application.connectedScenes.first)
    end.vanish()
    end = try broker.meet()
    try end.refuse(try end.request().0, .sessionNotHeld)
    let (number, request) = try end.request()
    #expect(request == .connect(SceneConnect(session: packing)))
    try end.reply(
      number, .connected(SceneConnect.Reply(session: packing, reason: .recover, hold: 2)))
    try end.ask(.willConnect(packing, hold: 2, reason: .recover))
    #expect(
      diary.lines.suffix(2) == [
        "didDisconnect connectionLost unattached", "willConnect recover unattached",
      ])
    #expect(application.connectedScenes.first !== old)
    #expect(application.connectedScenes.count == 1)
  }

  @Test("a session that is brought back before its scene went on keeps it, and what it had")
  func broughtBack() throws {
    let application = try application()
    defer { application.stop() }
    var end = try broker.meet()
    try end.bring(packing)
    let scene = try #require(application.connectedScenes.first)
    scene.userActivity = UserActivity(note(1))
    _ = try end.request()
    end.vanish()
    end = try broker.meet()
    let resume = try end.request().0
    let call = try end.call(.willConnect(packing, hold: 2, reason: .activation))
    try end.refuse(resume, .sessionNotHeld)
    #expect(try end.answer().0 == call)
    #expect(
      try end.request().1 == .saveActivity(SaveActivity(session: packing, activity: note(1))))
    try end.call(.willEnterForeground(SceneReference(session: packing)))
    #expect(
      try diary.wait(for: 6).suffix(3) == [
        "willResignActive foregroundActive", "didEnterBackground background",
        "willEnterForeground background",
      ])
    #expect(application.connectedScenes == [scene])
  }

  @Test("phases are told as they change, and end with the scene")
  func phases() async throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    try end.notify(.phaseChanged(.active))
    for await phase in application.phase where phase == .active { break }
    try end.bring(packing)
    let scene = try #require(application.connectedScenes.first)
    #expect(scene.phase.current == .foregroundActive)
    var states = scene.phase.makeAsyncIterator()
    #expect(await states.next() == .foregroundActive)
    try end.ask(.willResignActive(SceneReference(session: packing)))
    #expect(await states.next() == .foregroundInactive)
    try end.call(.didDisconnect(packing, .replaced))
    #expect(await states.next() == .unattached)
    #expect(await states.next() == nil)
  }

  @Test("requests are made as the program makes them, and errors keep their names")
  func requests() async throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    let script = try Script {
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

  @Test("open sessions are read page by page")
  func openSessions() async throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    let script = try Script {
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

  @Test("running asks for a scene, and throws when it is refused")
  func running() throws {
    let application = SceneApplication(
      name: "notes", delegates: ["PlainDelegate": PlainDelegate.init]
    ) { [broker] () throws(SystemError) in try broker.connect() }
    let outcome = Monitor<Result<Void, SceneError>?>(nil)
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

  @Test("a broker that speaks nonsense is left and tried again")
  func nonsense() throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    try end.bring(packing)
    try end.refuse(nil, .invalidRequest)
    let again = try broker.meet()
    guard case .connect(let message) = try again.request().1 else {
      Issue.record("it did not resume")
      return
    }
    #expect(message.resume?.state == .foregroundActive)
  }

  @Test("a broker that does not read holds nobody up, and what cannot be kept for it is refused")
  func stuckBroker() throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    try end.bring(packing)
    let client = try application.client
    let refused = Monitor<SceneError?>(nil)
    let title = String(repeating: "x", count: 1 << 10)
    let large = CarriedObject(
      unchecked: RawJSON(
        unchecked: ContiguousArray(
          "{\"x\":\"\(String(repeating: "x", count: 60 << 10))\"}".utf8)))
    var rounds = 0
    while refused.withLock({ $0 }) == nil, rounds < 100_000 {
      rounds += 1
      client.request(.setUserInfo(SetUserInfo(session: packing, userInfo: large))) { result in
        if case .failure(let error) = result { refused.withLock { $0 = error } }
      }
      client.request(.update(SceneUpdate(session: packing, title: .value(title))))
    }
    #expect(refused.withLock { $0 }?.code == .tooMany)
    // What the broker says still arrives.
    try end.call(.willResignActive(SceneReference(session: packing)))
    #expect(try diary.wait(for: 4).last == "willResignActive foregroundActive")
  }
}
