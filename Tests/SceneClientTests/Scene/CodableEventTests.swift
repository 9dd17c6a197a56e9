import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneClient

/// An application's own type may have the name of the library's protocol.
private enum UpdateEvent: SceneEvent, Codable, Equatable {
  case newMessage(message: Message)
  case positional(Int)
  case cleared

  struct Message: Codable, Equatable {
    var text: String
    var ratio = 0.5
  }
}

/// Events that only conform to Codable.
struct CodableEventTests: ApplicationSuite {
  let broker = StubBroker()
  let log = CallbackLog()

  private struct Moved: SceneEvent, Codable, Equatable {
    var place: String?
    var object: [String: Int]?
  }

  private enum Command: String, SceneEvent, Codable { case save, quit }

  /// Writes its own content, and is Codable for another purpose.
  private enum Written: SceneEvent, Codable, Equatable {
    static let topic = "own"
    case added

    var kind: String? { "written" }
    var payload: UserInfo { ["by": "hand"] }

    init?(kind: String?, payload: UserInfo) {
      guard kind == "written", payload["by"] as? String == "hand" else { return nil }
      self = .added
    }
  }

  @Test("the case of an enumeration is the kind, and its object the payload")
  func enumerations() {
    #expect(UpdateEvent.topic == "UpdateEvent")
    let event = UpdateEvent.newMessage(message: UpdateEvent.Message(text: "hello"))
    #expect(event.kind == "newMessage")
    #expect(event.payload.json == #"{"message":{"text":"hello","ratio":0.5}}"#)
    #expect(UpdateEvent(kind: event.kind, payload: event.payload) == event)
    #expect(UpdateEvent.cleared.payload == [:])
    #expect(UpdateEvent(kind: "cleared", payload: ["later": 1]) == .cleared)
    #expect(UpdateEvent.positional(3).payload.json == #"{"_0":3}"#)
    #expect(Command.save.kind == "save" && Command.save.payload == [:])
    #expect(Command(kind: "quit", payload: [:]) == .quit)
  }

  @Test("an unknown kind, another member or no kind makes no event")
  func unknown() {
    #expect(UpdateEvent(kind: "other", payload: [:]) == nil)
    #expect(UpdateEvent(kind: "newMessage", payload: ["message": 1]) == nil)
    #expect(UpdateEvent(kind: nil, payload: ["cleared": [:] as UserInfo]) == nil)
    #expect(Command(kind: "other", payload: [:]) == nil)
  }

  @Test("a structure has no kind, and its members are the payload")
  func structures() {
    let event = Moved(place: "shelf")
    #expect(Moved.topic == "Moved")
    #expect(event.kind == nil)
    #expect(event.payload == ["place": "shelf"])
    #expect(Moved(kind: nil, payload: event.payload) == event)
    #expect(Moved(kind: "object", payload: ["a": 1]) == nil)
  }

  @Test("an event that writes its own content keeps it")
  func written() {
    #expect(Written.topic == "own")
    #expect(Written.added.kind == "written" && Written.added.payload == ["by": "hand"])
    #expect(Written(kind: "written", payload: ["by": "hand"]) == .added)
  }

  @Test("post sends kind and payload, and throws if JSON cannot represent the event")
  func posting() async throws {
    let (application, end) = try connected()
    defer { application.stop() }
    let script = try Script(end, for: application) {
      let (number, request) = try end.request()
      let payload: UserInfo = ["message": ["text": "hi", "ratio": 1.0] as UserInfo]
      #expect(
        request
          == ClientRequest(
            EventPost(
              topic: "UpdateEvent", kind: "newMessage",
              payload: OpaqueObject(unchecked: payload.raw))))
      try end.reply(number, BrokerReply(EventPost.Reply()))
    }
    let event = UpdateEvent.newMessage(message: UpdateEvent.Message(text: "hi", ratio: 1))
    try await event.post(from: application)
    try await script.end()
    let bad = UpdateEvent.newMessage(message: UpdateEvent.Message(text: "hi", ratio: .nan))
    let error = await #expect(throws: SceneError.self) { try await bad.post(from: application) }
    #expect(error?.code == .invalidParams)
    #expect(
      error?.message == "cannot encode UpdateEvent: newMessage.message.ratio: JSON has no number "
        + "for nan")
  }

  @Test("post() without arguments posts through the shared application, without await")
  func sharedPosting() throws {
    let application = SceneApplication(
      name: "chat", delegates: [:], log: { [log] in log.note($0.message) }
    ) { [broker] () throws(SystemError) in try broker.connect() }
    try application.start()
    defer { application.stop() }
    let end = try broker.meet()
    application.makeShared()
    UpdateEvent.cleared.post()
    // The failure of another post has no effect here.
    UpdateEvent.newMessage(message: UpdateEvent.Message(text: "", ratio: .nan)).post()
    UpdateEvent.positional(1).post()
    for kind in ["cleared", "positional"] {
      let (number, request) = try end.request()
      guard let message = request.message as? EventPost else {
        throw Unmet("the event was not posted")
      }
      #expect(message.kind == kind)
      try end.refuse(number, .storageFull)
    }
    let lines = try log.wait(for: 3)
    #expect(lines.first?.contains("JSON has no number for nan") == true, "\(lines)")
    #expect(lines.dropFirst().allSatisfy { $0 == "event of topic UpdateEvent not posted: no" })
  }

  @Test("work for a delegate of another class ends the program")
  func otherClass() async {
    await #expect(processExitsWith: .failure) {
      _ = PlainDelegate().cast(to: LoggingDelegate.self)
    }
  }

  @Test("a scene's delegate gets events and gaps in the order of its calls, until the scene ends")
  func observing() throws {
    let application = try application([
      "Note": { [log] in
        LoggingDelegate(
          log,
          willConnect: { scene, _ in
            scene.observe(
              UpdateEvent.self, as: LoggingDelegate.self, onGap: { $0.log.note("gap") }
            ) { delegate, event in delegate.log.note("\(event)") }
          })
      }
    ])
    defer { application.stop() }
    let end = try broker.meet()
    let callback = try end.call(.willConnect(packing))
    let (number, request) = try end.request()
    #expect(
      request
        == ClientRequest(EventObserve(topic: "UpdateEvent", after: nil, session: packing)))
    #expect(try end.answer().0 == callback)
    try end.reply(
      number,
      BrokerReply(EventObserve.Reply(position: EventPosition(origin: "A", number: 4))))
    var posted = EventPosted()
    posted.topic = "UpdateEvent"
    posted.session = packing
    for (number, kind) in [(5, "cleared"), (6, "unknown"), (8, "cleared")] as [(Int64, String)] {
      posted.kind = kind
      posted.position = EventPosition(origin: "A", number: number)
      try end.notify(.posted(posted))
    }
    try end.ask(Callback(.willEnterForeground, of: packing))
    #expect(
      log.lines == [
        "willConnect launch unattached", "cleared", "gap", "cleared",
        "willEnterForeground background",
      ])
    let scene = try #require(application.connectedScenes.first)
    scene.perform(as: LoggingDelegate.self) { $0.log.note("performed") }
    #expect(try log.wait(for: 6).last == "performed")
    try end.ask(.didDisconnect(packing, .reclaimed))
    try end.notify(.posted(posted))
    let other = try end.call(.willConnect(itinerary))
    _ = try end.request()
    #expect(try end.answer().0 == other)
    #expect(log.lines.filter { $0 == "cleared" }.count == 2)
  }
}
