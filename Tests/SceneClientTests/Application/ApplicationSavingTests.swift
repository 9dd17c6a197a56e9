import SceneJSON
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneClient

/// Saving through the public library.
struct ApplicationSavingTests: ApplicationSuite {
  let broker = StubBroker()
  let log = CallbackLog()

  @Test("an assigned activity is saved, byte for byte, and the newest wins")
  func assignment() throws {
    let (application, end, scene) = try foreground()
    defer { application.stop() }
    let text =
      #"{"activityType":"note","userInfo":{"n": 9007199254740993, "pi": 3.14159265358979323846}"#
      + #","x":[1.0]}"#
    scene.userActivity = try UserActivity(json: text)
    let (first, request) = try end.request()
    guard let message = request.message as? SaveActivity else {
      Issue.record("not a save: \(request)")
      return
    }
    #expect(message.activity?.json.description == text)
    for line in 1...5 { scene.userActivity = UserActivity(note(line)) }
    try end.reply(first, BrokerReply(SaveActivity.Reply(generation: 1)))
    let (_, next) = try end.request()
    #expect(next == ClientRequest(SaveActivity(session: packing, activity: note(5))))
    #expect(
      try end.ask(.ask(packing)) == #"{"activity":\#(note(5).json)}"#,
      "the default answer is the scene's activity")
  }

  @Test("while the broker does not read, its callbacks arrive and no property of a scene is lost")
  func fullLink() throws {
    let (application, end, scene) = try foreground()
    var options = SceneModel.ConnectionOptions.none
    let text = String(repeating: "x", count: 200 << 10)
    options.userActivities = [
      Activity(
        unchecked: RawJSON(
          unchecked: ContiguousArray(#"{"activityType":"\#(text)","userInfo":{}}"#.utf8)))
    ]
    let refusals = ConditionMutex(0)
    for number in 1...64 {
      let message = SceneConnect(name: "\(number)", options: options)
      try application.client.request(message) { result in
        if result.code == .tooMany { refusals.withLock { $0 += 1 } }
      }
    }
    #expect(refusals.withLock { $0 } > 0, "the link is full")
    try end.call(Callback(.willResignActive, of: packing))
    #expect(try log.wait(for: 4).last == "willResignActive foregroundActive")
    scene.title = "still here"
    try scene.extendTime(by: .seconds(60))
    application.stop()
    var said: [ClientRequest] = []
    while let message = try end.next() {
      guard case .request(_, let request) = message else { continue }
      if request.message is SceneTransition { break }
      if request.message is SceneConnect { continue }
      said.append(request)
    }
    #expect(
      said.contains(ClientRequest(SceneUpdate(session: packing, title: .value("still here")))))
    #expect(said.contains(ClientRequest(SceneExtend(session: packing, seconds: 60))))
    end.vanish()
  }

  /// Two threads assign one after the other, while the connection is full.
  private func assign(
    in application: SceneApplication, _ first: @escaping @Sendable () -> Void,
    until isFirst: @escaping @Sendable () -> Bool, _ second: @escaping @Sendable () -> Void,
    until isSecond: @escaping @Sendable () -> Bool
  ) throws {
    let outcome = try application.client.withState { _ in
      Result { () throws in
        _ = try Thread("first") { first() }
        try eventually("the first thread has assigned", polling: .property) { isFirst() }
        _ = try Thread("second") { second() }
        try eventually("the second thread has assigned", polling: .property) { isSecond() }
      }
    }
    try outcome.get()
  }

  @Test("after two threads assign a property, the broker has the value of the property")
  func twoThreads() throws {
    let (application, end, scene) = try foreground()
    defer { application.stop() }
    try assign(
      in: application, { scene.title = "A" }, until: { scene.title == "A" },
      { scene.title = "B" }, until: { scene.title == "B" })
    let title = ClientRequest(SceneUpdate(session: packing, title: .value("B")))
    for _ in 0..<2 { #expect(try end.request().1 == title) }
    try assign(
      in: application, { scene.subtitle = "A" }, until: { scene.subtitle == "A" },
      { scene.subtitle = nil }, until: { scene.subtitle == nil })
    let subtitle = ClientRequest(SceneUpdate(session: packing, subtitle: .null))
    for _ in 0..<2 { #expect(try end.request().1 == subtitle) }
  }

  @Test("the newest of the activities that two threads assign wins", arguments: 0..<8)
  func twoThreadsActivities(attempt: Int) throws {
    let (application, end, scene) = try foreground()
    defer { application.stop() }
    let (one, two) = (UserActivity(note(1)), UserActivity(note(2)))
    try assign(
      in: application, { scene.userActivity = one }, until: { scene.userActivity == one },
      { scene.userActivity = two }, until: { scene.userActivity == two })
    let save = ClientRequest(SaveActivity(session: packing, activity: note(2)))
    #expect(try end.request().1 == save)
  }

  @Test("a save returns when the broker acknowledges it, and an older activity is no answer then")
  func saving() async throws {
    let (application, end, scene) = try foreground()
    defer { application.stop() }
    let script = try Script(end, for: application) {
      for generation: Int64 in [6, 7] {
        try end.reply(try end.request().0, BrokerReply(SaveActivity.Reply(generation: generation)))
      }
      #expect(try end.ask(.ask(packing)) == "{}")
    }
    scene.userActivity = UserActivity(note(0))
    #expect(try await scene.save(UserActivity(note(1))) == 7)
    try await script.end()
    #expect(scene.userActivity == UserActivity(note(0)))
  }

  @Test("the delegate learns of an assignment that cannot be saved")
  func failedAssignment() throws {
    let (application, end) = try connected()
    defer { application.stop() }
    try end.bring(packing)
    let scene = try #require(application.connectedScenes.first)
    scene.userActivity = UserActivity(activityType: "")
    #expect(try log.wait(for: 4).last == "didFailToSave invalidParams foregroundActive")
    scene.userActivity = UserActivity(
      activityType: "note", userInfo: ["text": String(repeating: "x", count: 256 << 10)])
    #expect(try log.wait(for: 5).last == "didFailToSave tooLarge foregroundActive")
  }

  @Test("a refused activity is not sent as an answer again, but the next one is")
  func refusedOnce() throws {
    let (application, end, scene) = try foreground()
    defer { application.stop() }
    for refused in [
      UserActivity(activityType: ""),
      UserActivity(
        activityType: "note", userInfo: ["text": String(repeating: "x", count: 256 << 10)]),
    ] {
      let count = log.lines.count
      scene.userActivity = refused
      _ = try log.wait(for: count + 1)
      for _ in 0..<2 { #expect(try end.ask(.ask(packing)) == "{}") }
      #expect(log.lines.count == count + 1, "\(log.lines)")
      #expect(scene.userActivity == refused, "the property keeps the value of the program")
    }
    scene.userActivity = UserActivity(note(1))
    try end.reply(try end.request().0, BrokerReply(SaveActivity.Reply(generation: 1)))
    #expect(try end.ask(.ask(packing)) == #"{"activity":\#(note(1).json)}"#)
  }

  @Test("an activity that the broker refuses for now is sent again")
  func refusedForNow() throws {
    let (application, end, scene) = try foreground()
    defer { application.stop() }
    scene.userActivity = UserActivity(note(1))
    try end.refuse(try end.request().0, .storageFull)
    #expect(try log.wait(for: 4).last == "didFailToSave storageFull foregroundActive")
    #expect(try end.ask(.ask(packing)) == #"{"activity":\#(note(1).json)}"#)
    scene.userActivity = UserActivity(note(2))
    try end.refuse(try end.request().0, .invalidParams)
    #expect(try log.wait(for: 5).last == "didFailToSave invalidParams foregroundActive")
    #expect(try end.ask(.ask(packing)) == "{}")
  }
}
