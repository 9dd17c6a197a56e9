import SceneModel
import Testing

@testable import SceneClient

/// A scene's session is an object that shows the scene's changes.
struct SceneSessionTests: ApplicationSuite {
  let broker = StubBroker()
  let log = CallbackLog()

  private static func session(
    _ identifier: SessionIdentifier, userInfo: UserInfo = [:]
  ) -> SceneSession {
    var record = SceneSessionRecord()
    record.persistentIdentifier = identifier
    record.userInfo = OpaqueObject(unchecked: userInfo.raw)
    return SceneSession(record)
  }

  /// Waits until the client has handled the messages before this call.
  private func settle(_ end: BrokerEnd, _ scene: Scene) throws {
    let count = log.lines.count
    try end.ask(Callback(.willResignActive, of: scene.identifier))
    _ = try log.wait(for: count + 1)
  }

  @Test("sessions are equal if their identifiers are equal")
  func equality() {
    let one = Self.session(packing, userInfo: ["line": 1])
    let other = Self.session(packing)
    #expect(one == other && one !== other)
    #expect(Set([one, other, Self.session(itinerary)]).count == 2)
    #expect(one.userInfo == ["line": 1] && other.userInfo == nil)
  }

  @Test("assigning userInfo sends it, and a refused value is replaced by the last stored one")
  func assignment() throws {
    let (application, end, scene) = try foreground()
    defer { application.stop() }
    #expect(scene.session.userInfo == nil)
    scene.session.userInfo = ["type": "list"]
    try end.expect(
      SetUserInfo(
        session: packing, userInfo: OpaqueObject(unchecked: (["type": "list"] as UserInfo).raw)),
      reply: Empty())
    #expect(scene.session.userInfo?["type"] as? String == "list")
    scene.session.userInfo?["type"] = "large"
    #expect(scene.session.userInfo == ["type": "large"])
    try end.refuse(try end.request().0, .tooLarge)
    try settle(end, scene)
    #expect(scene.session.userInfo == ["type": "list"])
  }

  @Test("a session shows the last assigned value, also while an earlier one has no reply")
  func assignments() throws {
    let (application, end, scene) = try foreground()
    defer { application.stop() }
    scene.session.userInfo = ["line": 1]
    let (first, _) = try end.request()
    scene.session.userInfo = nil
    let (second, _) = try end.request()
    try end.reply(first, .empty)
    try settle(end, scene)
    #expect(scene.session.userInfo == nil)
    try end.refuse(second, .storageFull)
    try settle(end, scene)
    #expect(scene.session.userInfo == ["line": 1])
  }

  @Test("the session of a scene shows its new name, titles and saved activity")
  func current() async throws {
    let (application, end, scene) = try foreground()
    defer { application.stop() }
    let session = scene.session
    let script = try Script(end, for: application) {
      try end.reply(try end.request().0, .empty)
      _ = try end.request()
      try end.reply(
        try end.request().0,
        BrokerReply(SaveActivity.Reply(generation: 1)))
    }
    try await scene.setName("bags")
    #expect(session.name == "bags")
    scene.title = "Bags"
    #expect(session.title == "Bags")
    try await scene.save(UserActivity(note(1)))
    #expect(session.stateRestorationActivity == UserActivity(note(1)))
    try await script.end()
    // An assignment is saved later.
    scene.userActivity = UserActivity(note(2))
    let (number, _) = try end.request()
    #expect(session.stateRestorationActivity == UserActivity(note(1)))
    try end.reply(number, BrokerReply(SaveActivity.Reply(generation: 2)))
    try settle(end, scene)
    #expect(session.stateRestorationActivity == UserActivity(note(2)))
    try end.ask(
      Callback(
        .didUpdateUserActivity, UserActivityMessage(session: packing, userActivity: note(3))))
    #expect(session.stateRestorationActivity == UserActivity(note(3)))
  }
}
