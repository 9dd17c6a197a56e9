import SceneJSON
import SceneModel
import Testing

@testable import SceneBroker

/// Every limit of the rules: a value at the limit is allowed, one beyond it is refused.
final class LimitTests: BrokerSuite {
  @Test("an activity may have 256 KiB", arguments: [(0, "3 generation 1"), (1, "3 tooLarge")])
  func activity(past: Int, expected: String) {
    let session = scene.become("packing")
    #expect(
      scene.hears(
        SaveActivity(session: session, activity: note(byteCount: (256 << 10) + past)))
        == [expected])
  }

  @Test("userInfo may have 64 KiB", arguments: [0, 1])
  func userInfo(past: Int) {
    let text = String(repeating: "x", count: (64 << 10) - 8 + past)
    let userInfo = object(#"{"a":"\#(text)"}"#)
    #expect(userInfo.byteCount == (64 << 10) + past)
    let session = scene.become("packing")
    let expected = past == 0 ? "{}" : "tooLarge"
    #expect(
      scene.hears(SetUserInfo(session: session, userInfo: userInfo))
        == ["3 \(expected)"])
    scene.ask(SceneConnect(new: true, userInfo: userInfo))
    #expect((scene.lastError?.reason == .tooLarge) == (past == 1))
  }

  @Test("a title, a subtitle and a name may have 1 KiB, a snapshot 64 KiB", arguments: [0, 1])
  func texts(past: Int) {
    let session = scene.become("packing")
    let short = String(repeating: "é", count: 512) + String(repeating: "x", count: past)
    let long = String(repeating: "x", count: (64 << 10) + past)
    let requests: [any RequestMessage] = [
      SceneUpdate(session: session, title: .value(short)),
      SceneUpdate(session: session, subtitle: .value(short)),
      SceneUpdate(session: session, snapshot: .value(long)),
      SetName(session: session, name: short),
    ]
    let expected = past == 0 ? "{}" : "tooLarge"
    for (number, request) in requests.enumerated() {
      #expect(scene.hears(request) == ["\(3 + number) \(expected)"])
    }
  }

  @Test("a program needs a name, words without NUL and an absolute directory, and has a limit")
  func programs() {
    let long = String(repeating: "x", count: 16 << 10)
    func program(
      _ arguments: [String] = ["a"], _ directory: String = "/", resume: [String]? = nil,
      environment: [String]? = nil, retry: Double? = nil
    ) -> SessionProgram {
      SessionProgram(
        arguments: arguments, directory: directory, resume: resume, environment: environment,
        retry: retry)
    }
    let cases: [(SessionProgram, String)] = [
      (program(["a", ""], resume: ["b"]), "not refused"), (program([]), "invalidParams"),
      (program([""]), "invalidParams"), (program(resume: []), "invalidParams"),
      (program(["a\0"]), "invalidParams"), (program(["a"], "a"), "invalidParams"),
      (program(environment: ["A=", "B=c=d"]), "not refused"),
      (program(environment: ["A"]), "invalidParams"),
      (program(environment: ["=a"]), "invalidParams"),
      (program(environment: ["A=" + String(repeating: "b", count: 4095)]), "invalidParams"),
      (program(retry: 0), "not refused"), (program(retry: 3600), "not refused"),
      (program(retry: 3601), "invalidParams"), (program(retry: -1), "invalidParams"),
      (program(["a", long]), "tooLarge"),
    ]
    for (program, expected) in cases {
      let told = BrokerFixture().hears(SceneConnect(new: true, program: program))
      #expect(told.hasPrefix(expected), "\(program.arguments.first ?? "")")
    }
  }

  @Test("the options of a connect may have 256 KiB together", arguments: [0, 1])
  func options(past: Int) {
    let scene = BrokerFixture()
    let half = note(byteCount: 128 << 10)
    let options = ConnectionOptions(
      userActivities: [half, note(byteCount: (128 << 10) - 1 + past)])
    let client = scene.client()
    client.ask(SceneConnect(options: options))
    #expect((client.lastError?.reason == .tooLarge) == (past == 1))
  }

  @Test("one connection holds a limited number of scenes")
  func scenes() {
    let fixture = BrokerFixture(limits: .with(\.scenesPerConnection, 2))
    let scene = fixture.client()
    scene.become("one")
    scene.become("two")
    #expect(scene.hears(SceneConnect(new: true)) == ["4 tooMany later"])
    // One that starts again takes its own place.
    #expect(
      scene.hears(SceneConnect(name: "one", takeOver: true)).contains("5 S1 recover 2"))
    #expect(fixture.client().hears(SceneConnect(new: true)).first == "2 S3 new launch 1")
  }

  @Test("the number of sessions is limited")
  func sessions() {
    let fixture = BrokerFixture(limits: .with(\.sessions, 2))
    let scene = fixture.client()
    scene.become("one")
    scene.become("two")
    #expect(scene.hears(SceneConnect(new: true)) == ["4 tooMany later"])
    scene.ask(RequestDestruction(sessions: [SessionIdentifier(high: 0, low: 1)]))
    scene.acknowledgeAll()
    #expect(scene.hears(SceneConnect(new: true)).first == "6 S3 new launch 1")
  }

  @Test("a limit below the number of sessions keeps them, and the error has both numbers")
  func fewerThanThereAre() {
    let before = BrokerFixture()
    let maker = before.client()
    let sessions = ["one", "two", "three"].map { maker.become($0) }
    maker.close()
    var limits = Limits()
    limits.sessions = 2
    let fixture = before.crashed(limits: limits)
    let scene = fixture.client()
    #expect(scene.become("one") == sessions[0])
    #expect(scene.hears(SceneConnect(new: true)) == ["3 tooMany later"])
    #expect(
      scene.lastError?.message == "there are 3 sessions, and at most 2 are allowed; discard some")
    scene.ask(RequestDestruction(sessions: [sessions[1], sessions[2]]))
    #expect(scene.hears(SceneConnect(new: true)).first == "5 S4 new launch 1")
  }

  @Test("all sessions together have a limit of bytes, exactly counted")
  func storedBytes() {
    let fixture = BrokerFixture(limits: .with(\.storedBytes, 1000))
    let scene = fixture.client()
    let session = scene.become(SceneConnect(new: true))
    let left = 1000 - fixture.broker.stored.byteCount
    #expect(left == 800 - 2)
    func save(_ count: Int) -> String {
      scene.hears(
        SaveActivity(session: session, activity: note(byteCount: count))
      ).first ?? ""
    }
    #expect(save(left + 1) == "3 storageFull later")
    #expect(save(300) == "4 generation 1")
    #expect(save(299) == "5 generation 2")
    #expect(save(left - 599) == "6 generation 3")
    // The first is dropped when a fourth is saved.
    #expect(save(301) == "7 storageFull later")
    #expect(save(300 - 1) == "8 generation 4")
    #expect(
      scene.hears(SceneConnect(new: true)) == ["9 storageFull later"])
    #expect(
      scene.hears(SceneUpdate(session: session, title: .value("abc")))
        == ["10 storageFull later"])
    #expect(
      scene.hears(SaveActivity(session: session, activity: nil))
        == ["11 generation 5"])
  }

  @Test("all sessions and events together have fifteen sixteenths of totalBytes")
  func totalBytes() {
    var limits = Limits()
    #expect(limits.waitingBytes + limits.keptBytes == limits.totalBytes)
    limits.totalBytes = 16_000
    let fixture = BrokerFixture(limits: limits)
    let scene = fixture.client()
    let session = scene.become(SceneConnect(new: true))
    func save(_ count: Int) -> String {
      scene.hears(
        SaveActivity(session: session, activity: note(byteCount: count))
      ).first ?? ""
    }
    func post(_ topic: String, _ count: Int) -> String? {
      let text = String(repeating: "x", count: count)
      scene.ask(EventPost(topic: topic, payload: object(#"{"a":"\#(text)"}"#)))
      return scene.lastError?.reason.name
    }
    #expect(save(10_000).hasSuffix("generation 1"))
    #expect(post("news", 4000) == nil)
    #expect(post("news", 1000) == "storageFull")
    #expect(post("more", 1000) == "storageFull")
    #expect(save(5000).hasSuffix("storageFull later"))
    #expect(fixture.broker.totalByteCount <= limits.keptBytes)
    scene.ask(ApplicationStatus())
    #expect(fixture.broker.checkInvariants().isEmpty)
  }

  @Test("an event that replaces older ones needs no space")
  func totalBytesInTurn() {
    var limits = Limits()
    (limits.totalBytes, limits.topicBytes) = (1200, 700)
    let fixture = BrokerFixture(limits: limits)
    let client = fixture.client()
    let payload = object(#"{"a":"\#(String(repeating: "x", count: 400))"}"#)
    for _ in 1...5 {
      client.ask(EventPost(topic: "news", payload: payload))
      #expect(client.lastError == nil)
    }
    client.ask(EventPost(topic: "more", payload: payload))
    #expect(client.lastError?.reason == .storageFull)
  }

  @Test("a client's name, version and hosts are limited")
  func client() {
    let long = String(repeating: "x", count: 1025)
    let messages = [
      Initialize(client: ClientName(name: long, version: ""), as: .scene),
      Initialize(client: ClientName(name: "", version: long), as: .scene),
      Initialize(
        client: ClientName(name: "", version: ""), as: .scene,
        hosts: Array(repeating: "", count: 4097)),
    ]
    for message in messages {
      #expect(fixture.open().hears(message) == ["1 tooLarge"])
    }
  }

  @Test("what one session may hold fits one frame, also when every character is escaped")
  func oneFrame() throws {
    let worst = String(repeating: "\u{1}", count: 1 << 10)
    let scene = fixture.client(worst)
    // A name has no control characters.
    let session = scene.become(
      SceneConnect(
        name: String(repeating: "\"", count: 1 << 10), title: worst,
        userInfo: object(#"{"a":"\#(String(repeating: "x", count: (64 << 10) - 8))"}"#)))
    scene.ask(
      SceneUpdate(
        session: session, subtitle: .value(worst),
        snapshot: .value(String(repeating: "\u{1}", count: 64 << 10)),
        program: .value(
          SessionProgram(
            arguments: ["a", String(repeating: "x", count: (16 << 10) - 38)], directory: "/"))))
    #expect(fixture.stored(session)?.attributes.program?.jsonByteCount == 16 << 10)
    for number in 0..<3 {
      scene.ask(
        SaveActivity(session: session, activity: note(byteCount: (256 << 10) - number)))
    }
    for _ in 0..<40 {
      scene.ask(SceneDisconnect(session: session))
      scene.ask(
        SceneConnect(
          session: session,
          options: ConnectionOptions(userActivities: [note(byteCount: 256 << 10)])))
      scene.acknowledge(.failed(message: worst))
      scene.ask(SceneConnect(session: session))
      scene.acknowledgeAll()
    }
    control.ask(SessionShow(session: session))
    control.ask(SessionHistory(session: session))
    let history = try #require(control.lastReply?.content as? SessionHistory.Reply)
    #expect(history.reasons.count == TraceBuffer.chainLength)
    for outbound in fixture.sent { #expect(byteCount(of: outbound.message) < (1 << 20) - 600) }
  }

  private func byteCount(of message: OutboundMessage) -> Int {
    var writer = JSONWriter()
    switch message {
    case .reply(_, let reply): reply.content.write(to: &writer)
    case .error(_, let error): error.write(to: &writer)
    case .callback(_, let callback, _): callback.message.write(to: &writer)
    case .notification(let notification): notification.message.params.write(to: &writer)
    }
    return writer.bytes.count
  }

  @Test("if the limits are set so that a history does not fit, the newest reasons are kept")
  func history() throws {
    let fixture = BrokerFixture(limits: .with(\.frameBytes, 4096))
    let scene = fixture.client()
    let session = scene.become("packing")
    for _ in 0..<20 {
      scene.ask(SceneDisconnect(session: session))
      scene.become("packing")
    }
    let control = fixture.control()
    control.ask(SessionHistory(session: session))
    let history = try #require(control.lastReply?.content as? SessionHistory.Reply)
    #expect((1..<TraceBuffer.chainLength).contains(history.reasons.count))
    #expect(history.reasons.last?.event == .connected)
    #expect(byteCount(of: .reply(.number(1), BrokerReply(history))) <= 4096)
  }

  @Test(
    "a page of the list fits one frame, however long the titles; paging finds every session once")
  func pages() {
    var limits = Limits()
    limits.frameBytes = 64 << 10
    let fixture = BrokerFixture(limits: limits)
    let title = String(repeating: "\u{1}", count: 1 << 10)
    var expected: [SessionIdentifier] = []
    for _ in 0..<30 {
      let scene = fixture.client()
      expected.append(scene.become(SceneConnect(new: true, title: title)))
    }
    let control = fixture.control()
    var seen: [SessionIdentifier] = []
    var after: SessionIdentifier?
    repeat {
      control.ask(SessionList(after: after))
      guard let page = control.lastReply?.content as? SessionList.Reply else { break }
      #expect(byteCount(of: .reply(.number(1), BrokerReply(page))) <= limits.frameBytes)
      #expect(!page.sessions.isEmpty)
      seen += page.sessions.map(\.session)
      after = page.next
    } while after != nil
    #expect(seen == expected)
  }

  @Test("errors that quote what a peer sent are kept short")
  func errors() {
    let long = String(repeating: "\u{1}", count: 500_000)
    let requests: [any RequestMessage] = [
      SessionShow(name: long), ReturnError(reason: long),
      SceneConnect(new: true, role: Role(rawValue: long)),
      SceneConnect(name: long),
    ]
    for request in requests {
      scene.ask(request)
      #expect(scene.lastError?.message.utf8.count ?? 1000 <= BrokerError.messageBytes + 3)
    }
  }
}
