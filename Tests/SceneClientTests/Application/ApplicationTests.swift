import SceneJSON
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneClient

/// The scenes and delegates of an application, with a stub broker.
struct ApplicationTests: ApplicationSuite {
  let broker = StubBroker()
  let log = CallbackLog()

  @Test("the callbacks of a scene come in order, with UIKit's states")
  func life() throws {
    let (application, end, scene) = try foreground()
    defer { application.stop() }
    #expect(scene.activationState == .foregroundActive)
    try end.ask(Callback(.willResignActive, of: packing))
    try end.ask(Callback(.didEnterBackground, of: packing))
    var message = DidDisconnect(session: packing, reason: .reclaimed)
    message.dismissalAnimation = .decline
    try end.ask(Callback(.didDisconnect, message))
    #expect(
      log.lines == [
        "willConnect launch unattached", "willEnterForeground background",
        "didBecomeActive foregroundActive", "willResignActive foregroundActive",
        "didEnterBackground background", "didDisconnect reclaimed unattached",
      ])
    #expect(application.connectedScenes.isEmpty)
    #expect(scene.disconnectReason == .reclaimed)
    #expect(scene.windowDismissalAnimation == .decline)
  }

  @Test("a second start has no effect: an application has one reader")
  func startedAgain() throws {
    let application = try application()
    defer { application.stop() }
    _ = try broker.meet()
    #expect(try !application.client.start())
    application.stop()
    #expect(try !application.client.start())
  }

  @Test("a delegate without methods answers every callback")
  func defaults() throws {
    let (application, end) = try connected(["Note": { PlainDelegate() }])
    defer { application.stop() }
    try end.bring(packing)
    try end.ask(Callback(.willResignActive, of: packing))
    try end.ask(Callback(.didEnterBackground, of: packing))
    #expect(try end.ask(Callback(.stateRestorationActivity, of: packing)) == "{}")
    try end.ask(
      Callback(
        .willContinueUserActivity, WillContinueUserActivity(session: packing, activityType: "x")))
    try end.ask(
      Callback(.continueUserActivity, UserActivityMessage(session: packing, userActivity: note(1)))
    )
    try end.ask(.didDisconnect(packing, .clientRequest))
  }

  @Test("an error from willConnect refuses the scene")
  func refusal() throws {
    struct NoRoom: Error {}
    let (application, end) = try connected([
      "Note": { [log] in LoggingDelegate(log, willConnect: { _, _ in throw NoRoom() }) }
    ])
    defer { application.stop() }
    let number = try end.call(.willConnect(packing))
    guard case .failure(number, let error)? = try end.next() else {
      Issue.record("the scene was not refused")
      return
    }
    #expect(error.description.contains("NoRoom"))
    #expect(application.connectedScenes.isEmpty)
  }

  @Test(
    "the delegate class of a configuration selects the delegate, and is optional with one delegate",
    arguments: [
      ("Note", ["Note", "List"], true), (nil, ["Note"], true), (nil, ["Note", "List"], false),
      ("Other", ["Note"], false), ("Other", ["*"], true),
    ] as [(String?, [String], Bool)])
  func delegateClass(name: String?, classes: [String], isTaken: Bool) throws {
    var delegates: [String: SceneApplication.DelegateFactory] = [:]
    for name in classes { delegates[name] = { PlainDelegate() } }
    let (application, end) = try connected(delegates)
    defer { application.stop() }
    guard var message = Callback.willConnect(packing).message as? WillConnect else { return }
    message.sceneSession.configuration.delegateClass = name
    let number = try end.call(Callback(.willConnect, message))
    let answer = try end.next()
    if isTaken {
      #expect(answer == .answer(number, .emptyObject))
    } else {
      guard case .failure(number, _)? = answer else {
        Issue.record("the scene was not refused: \(String(describing: answer))")
        return
      }
    }
  }

  @Test("a slow scene does not delay another scene")
  func independence() throws {
    let gate = ConditionMutex(false)
    let (application, end) = try connected([
      "Note": { [log] in
        LoggingDelegate(
          log,
          didBecomeActive: { scene in
            guard scene.session.persistentIdentifier == packing.description else { return }
            _ = gate.wait { $0 ? true : nil }
          })
      }
    ])
    defer { application.stop() }
    try end.ask(.willConnect(packing))
    try end.ask(Callback(.willEnterForeground, of: packing))
    let slow = try end.call(Callback(.didBecomeActive, of: packing))
    let farewell = try end.call(.didDisconnect(packing, .replaced))
    // All callbacks of the other scene run before the first scene finishes.
    try end.bring(itinerary, hold: 2)
    try end.ask(Callback(.willResignActive, of: itinerary))
    #expect(log.lines.last == "willResignActive foregroundActive")
    gate.withLock { $0 = true }
    #expect(try end.answer().0 == slow)
    #expect(try end.answer().0 == farewell)
  }

  @Test("a delegate can ask for more time during its callback")
  func extending() throws {
    let application = try application([
      "Note": { [log] in
        LoggingDelegate(
          log, willConnect: { scene, _ in try scene.extendTime(by: .milliseconds(1500)) })
      }
    ])
    defer { application.stop() }
    let end = try broker.meet()
    try end.call(.willConnect(packing))
    let (_, request) = try end.request()
    #expect(request == ClientRequest(SceneExtend(session: packing, seconds: 1.5)))
    _ = try end.answer()
    let scene = try #require(application.connectedScenes.first)
    #expect(throws: SceneError.self) { try scene.extendTime(by: .seconds(-1)) }
    #expect(throws: SceneError.self) { try scene.extendTime(by: .seconds(3601)) }
  }

  @Test("work on a delegate runs after the earlier callbacks")
  func performing() throws {
    let (application, end) = try connected()
    defer { application.stop() }
    try end.bring(packing)
    let scene = try #require(application.connectedScenes.first)
    scene.perform(as: LoggingDelegate.self) { $0.log.note("performed") }
    #expect(try log.wait(for: 4).last == "performed")
  }

  @Test("the sequences of phases and connection states end with the application")
  func endOfStates() async throws {
    let application = try application()
    let end = try broker.meet()
    try end.notify(.phaseChanged(.active))
    for await phase in application.applicationStates where phase == .active { break }
    var phases = application.applicationStates.makeAsyncIterator()
    #expect(await phases.next(isolation: #isolation) == .active)
    application.stop()
    #expect(await phases.next(isolation: #isolation) == nil)
    var states: [SceneApplication.ConnectionState] = []
    for await state in application.connectionStates { states.append(state) }
    #expect(states == [.stopped(nil)])
    for await phase in application.applicationStates { #expect(phase == .active) }
  }

  @Test("a program learns of each change of the phase, until the scene ends")
  func phases() async throws {
    let (application, end) = try connected()
    defer { application.stop() }
    try end.notify(.phaseChanged(.active))
    for await phase in application.applicationStates where phase == .active { break }
    try end.bring(packing)
    let scene = try #require(application.connectedScenes.first)
    var states = scene.activationStates.makeAsyncIterator()
    #expect(await states.next(isolation: #isolation) == .foregroundActive)
    try end.ask(Callback(.willResignActive, of: packing))
    #expect(await states.next(isolation: #isolation) == .foregroundInactive)
    try end.call(.didDisconnect(packing, .replaced))
    #expect(await states.next(isolation: #isolation) == .unattached)
    #expect(await states.next(isolation: #isolation) == nil)
  }

  @Test("only the first application of the launching broker with a delegate class gets its token")
  func launchToken() {
    let token = LaunchToken("1")
    let scenes: [String: SceneApplication.DelegateFactory] = ["*": PlainDelegate.init]
    let socket = "/run/scened/default.sock"
    #expect(token.claim(for: [:], at: socket, launcher: socket) == nil)
    #expect(token.claim(for: scenes, at: "/elsewhere", launcher: socket) == nil)
    #expect(token.claim(for: scenes, at: socket, launcher: socket) == "1")
    #expect(token.claim(for: scenes, at: socket, launcher: socket) == nil)
  }

  @Test("another path of the launching broker's socket is the same broker")
  func launchTokenByOtherPath() throws {
    let workplace = try Workplace()
    let socket = try workplace.write("sock", "")
    let token = LaunchToken("1")
    let path = workplace.file("./sock")
    #expect(token.claim(for: ["*": PlainDelegate.init], at: path, launcher: socket) == "1")
  }
}
