import Foundation
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

  @Test("a client that gets an error without a request connects again and resumes")
  func nonsense() throws {
    let (application, end) = try connected()
    defer { application.stop() }
    try end.bring(packing)
    try end.refuse(nil, .invalidRequest)
    let again = try broker.meet()
    guard let message = try again.request().1.message as? SceneConnect else {
      Issue.record("the scene did not resume")
      return
    }
    #expect(message.resume?.state == .foregroundActive)
  }
}
