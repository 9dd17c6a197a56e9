import Foundation
import SceneJSON
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneClient

/// An application whose broker ends, returns or does not work as it should.
struct ApplicationReconnectTests: ApplicationSuite {
  let broker = StubBroker()
  let log = CallbackLog()

  @Test("a program gets the errors of its lost requests before it learns that the broker is gone")
  func answeredBefore() throws {
    let application = try application()
    defer { application.stop() }
    for _ in 0..<10 {
      let end = try broker.meet()
      try eventually("the application is connected", polling: .property) {
        application.connectionState == .connected
      }
      let seen = ConditionMutex<SceneApplication.ConnectionState?>(nil)
      try application.client.request(EventPost(topic: "Notes")) { _ in
        for _ in 0..<1000 { sched_yield() }
        seen.withLock { $0 = application.connectionState }
      }
      _ = try end.request()
      end.vanish()
      #expect(seen.wait(until: SystemClock.monotonic() + ceiling) { $0 } == .connected)
    }
  }

  @Test("a scene and its delegate continue when the broker returns")
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
    for await state in application.connectionStates where state == .waiting { break }
    scene.userActivity = UserActivity(note(2))
    scene.title = "Packing"
    broker.isThere = true
    end = try broker.meet()
    let (number, request) = try end.request()
    let resume = SceneConnect(
      session: packing, resume: Resume(state: .foregroundActive, hold: 4), activity: note(2))
    #expect(request == ClientRequest(resume))
    try end.reply(
      number, BrokerReply(SceneConnect.Reply(session: packing, reason: .resume, hold: 4)))
    #expect(
      try end.request().1 == ClientRequest(SceneUpdate(session: packing, title: .value("Packing"))))
    try end.ask(Callback(.willResignActive, of: packing))
    #expect(log.lines.count == 4, "no callback without a change")
    #expect(application.connectedScenes == [scene])
  }

  @Test("after another holder, the session gets a new scene, and the old scene ends")
  func connectingAgain() throws {
    let application = try application()
    defer { application.stop() }
    var end = try broker.meet()
    try end.bring(packing)
    let old = try #require(application.connectedScenes.first)
    end.vanish()
    end = try broker.meet()
    try end.refuse(try end.request().0, .sessionNotHeld)
    let (number, request) = try end.request()
    #expect(request == ClientRequest(SceneConnect(session: packing)))
    try end.reply(
      number, BrokerReply(SceneConnect.Reply(session: packing, reason: .recover, hold: 2)))
    try end.ask(.willConnect(packing, hold: 2, reason: .recover))
    #expect(
      log.lines.suffix(2) == [
        "didDisconnect connectionLost unattached", "willConnect recover unattached",
      ])
    #expect(application.connectedScenes.first !== old)
    #expect(application.connectedScenes.count == 1)
  }

  @Test("a session that is assigned before its scene resumes keeps the scene and its activity")
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
      try end.request().1 == ClientRequest(SaveActivity(session: packing, activity: note(1))))
    try end.call(Callback(.willEnterForeground, of: packing))
    #expect(
      try log.wait(for: 6).suffix(3) == [
        "willResignActive foregroundActive", "didEnterBackground background",
        "willEnterForeground background",
      ])
    #expect(application.connectedScenes == [scene])
  }

  @Test("a client that gets an error without a request connects again and resumes")
  func nonsense() throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    try end.bring(packing)
    try end.refuse(nil, .invalidRequest)
    let again = try broker.meet()
    guard let message = try again.request().1.message as? SceneConnect else {
      Issue.record("the scene did not resume")
      return
    }
    #expect(message.resume?.state == .foregroundActive)
  }

  @Test("a broker that does not read blocks no caller, and requests that do not fit are refused")
  func stuckBroker() throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    try end.bring(packing)
    let client = try application.client
    let refused = ConditionMutex<SceneError?>(nil)
    let title = String(repeating: "x", count: 1 << 10)
    let large = OpaqueObject(
      unchecked: RawJSON(
        unchecked: ContiguousArray(
          "{\"x\":\"\(String(repeating: "x", count: 60 << 10))\"}".utf8)))
    var rounds = 0
    while refused.withLock({ $0 }) == nil, rounds < 100_000 {
      rounds += 1
      client.request(SetUserInfo(session: packing, userInfo: large)) { result in
        if case .failure(let error) = result { refused.withLock { $0 = error } }
      }
      client.request(SceneUpdate(session: packing, title: .value(title)))
    }
    #expect(refused.withLock { $0 }?.code == .tooMany)
    // Messages of the broker still arrive.
    try end.call(Callback(.willResignActive, of: packing))
    #expect(try log.wait(for: 4).last == "willResignActive foregroundActive")
  }
}
