import SceneModel
import Testing

@testable import SceneBroker

/// F73–F80: each observer gets the events of a topic in order.
final class TopicTests: BrokerSuite {
  func post(_ number: Int, to topic: String = "news") -> any RequestMessage {
    EventPost(topic: topic, kind: "added", payload: object(#"{"n":\#(number)}"#))
  }

  func observe(
    _ topic: String = "news", after: EventPosition? = nil, last: Int? = nil,
    session: SessionIdentifier? = nil
  ) -> any RequestMessage {
    EventObserve(topic: topic, after: after, last: last, session: session)
  }

  private func at(_ number: Int64, _ origin: String = "A") -> EventPosition {
    EventPosition(origin: origin, number: number)
  }

  private func declaring(
    _ name: String, durable: Bool = true, keep: Int = TopicDeclaration.standardKeep
  ) -> Manifest {
    var manifest = Manifest.builtIn
    manifest.topics[name] = TopicDeclaration(isDurable: durable, keep: keep)
    return manifest
  }

  /// The messages that a new observer receives.
  private func hears(_ fixture: BrokerFixture, _ request: any RequestMessage) -> [String] {
    let client = fixture.client()
    defer { fixture.close(client.connection) }
    return client.hears(request)
  }

  // MARK: - To all observers

  @Test("F73: each observer gets the event, the sender after its reply")
  func allObservers() {
    let (one, two) = (fixture.client(), fixture.client(as: .observer))
    #expect(one.hears(observe()) == ["2 from A-0"])
    #expect(two.hears(observe()) == ["2 from A-0"])
    #expect(one.hears(post(1)) == ["3 at A-1", #"news added {"n":1} A-1"#])
    #expect(two.heard == [#"news added {"n":1} A-1"#])
  }

  @Test("topics are listed by name, with their events and observers, a page at a time")
  func listed() {
    let fixture = BrokerFixture(declaring("durable"))
    let (one, two) = (fixture.client(), fixture.client(as: .observer))
    one.ask(post(1))
    one.ask(post(2))
    two.ask(observe("news"))
    one.ask(post(1, to: "durable"))
    let page = { (after: String?) in
      TopicList(after: after, limit: 1)
    }
    #expect(two.hears(page(nil)) == ["3 topics [durable on disk 1 0] next durable"])
    #expect(two.hears(page("durable")) == ["4 topics [news 2 1]"])
    #expect(two.hears(page("news")) == ["5 topics []"])
    #expect(two.hears(TopicList(limit: 101)) == ["6 invalidParams"])
  }

  @Test("each topic has its own observers, without those that have ceased")
  func topics() {
    let (one, two) = (fixture.client(), fixture.client())
    one.ask(observe())
    two.ask(observe("chat"))
    one.forget()
    two.forget()
    one.ask(post(1))
    #expect(two.heard == [])
    #expect(one.hears(EventCease(topic: "news")).last == "4 {}")
    #expect(one.hears(post(2)) == ["5 at A-2"])
    #expect(one.hears(EventCease(topic: "news")) == ["6 {}"])
  }

  @Test("a post without a kind or a payload has neither")
  func bare() {
    scene.ask(observe())
    #expect(scene.hears(EventPost(topic: "news")).last == "news {} A-1")
  }

  // MARK: - Positions

  @Test("an observer that names its position gets the later events")
  func missed() {
    let (poster, observer) = (fixture.client(), fixture.client())
    for number in 1...3 { poster.ask(post(number)) }
    #expect(
      observer.hears(observe(after: at(1)))
        == ["2 from A-1", #"news added {"n":2} A-2"#, #"news added {"n":3} A-3"#])
    #expect(observer.hears(observe(after: at(3))) == ["3 from A-3"])
    #expect(observer.hears(observe(last: 1)) == ["4 from A-2", #"news added {"n":3} A-3"#])
    #expect(observer.hears(observe()) == ["5 from A-3"])
  }

  @Test("dropped events are a gap, and the kept events follow")
  func gap() {
    let fixture = BrokerFixture(declaring("news", durable: false, keep: 2))
    let (poster, observer) = (fixture.client(), fixture.client())
    for number in 1...5 { poster.ask(post(number)) }
    #expect(
      observer.hears(observe(after: at(1)))
        == ["2 from A-3 gap", #"news added {"n":4} A-4"#, #"news added {"n":5} A-5"#])
    #expect(observer.hears(observe(after: at(3)))[0] == "3 from A-3")
  }

  @Test("a position of another broker is a gap, and so is one beyond the last event")
  func stale() {
    scene.ask(post(1))
    let event = #"news added {"n":1} A-1"#
    #expect(scene.hears(observe(after: at(1, "Z"))) == ["3 from A-0 gap", event])
    #expect(scene.hears(observe(after: at(7))) == ["4 from A-0 gap", event])
  }

  @Test("an invalid observation is refused with the cause")
  func invalid() {
    let session = scene.become("packing")
    let other = fixture.client().become("memo")
    for request in [
      observe(""), observe(" "), observe("a\nb"), observe(String(repeating: "x", count: 257)),
      observe(after: at(1), last: 1), observe(last: -1), EventPost(topic: ""),
      EventCease(topic: ""),
    ] {
      scene.ask(request)
      #expect(scene.lastError?.reason == .invalidParams)
    }
    scene.forget()
    scene.ask(observe(session: other))
    #expect(scene.lastError?.reason == .sessionNotHeld)
    scene.ask(observe(session: SessionIdentifier(high: 9, low: 9)))
    #expect(scene.lastError?.reason == .sessionNotFound)
    scene.forget()
    #expect(scene.hears(observe(session: session)).last?.hasSuffix("from A-0") == true)
  }

  // MARK: - Durable topics

  @Test("F75: an event of a durable topic and the reply leave when the disk has the event")
  func durable() {
    let fixture = BrokerFixture(declaring("log"))
    let (poster, observer) = (fixture.client(), fixture.client())
    observer.ask(observe("log"))
    poster.ask(observe("log"))
    fixture.sync()
    observer.forget()
    #expect(poster.hears(post(1, to: "log")).last == "3 at A-1")
    #expect(fixture.sent.last?.after == fixture.broker.recordCount)
    #expect(observer.heard == [])
    fixture.sync()
    #expect(observer.heard == [#"log added {"n":1} A-1"#])
    #expect(poster.heard == [#"log added {"n":1} A-1"#])
    #expect(fixture.sent.last?.after == 0)
  }

  @Test("each event is delivered, even if the topic keeps fewer than wait for the disk")
  func burst() {
    let fixture = BrokerFixture(declaring("log", keep: 1))
    let (poster, observer) = (fixture.client(), fixture.client())
    observer.ask(observe("log"))
    observer.forget()
    for number in 1...3 { poster.ask(post(number, to: "log")) }
    fixture.sync()
    #expect(observer.heard == (1...3).map { #"log added {"n":\#($0)} A-\#($0)"# })
  }

  @Test("positions of a durable topic survive the broker, those of a transient one do not")
  func survival() {
    let fixture = BrokerFixture(declaring("log"))
    let client = fixture.client()
    for number in 1...2 {
      client.ask(post(number, to: "log"))
      client.ask(post(number))
    }
    let next = fixture.crashed()
    let again = next.client()
    #expect(
      again.hears(observe("log", after: at(1))) == ["2 from A-1", #"log added {"n":2} A-2"#])
    #expect(again.hears(observe(after: at(1))) == ["3 from A+-0 gap"])
    again.ask(post(3, to: "log"))
    next.sync()
    #expect(again.heard.last == #"log added {"n":3} A-3"#)
  }

  @Test("a durable topic without events keeps its positions, too")
  func unposted() {
    let next = BrokerFixture(declaring("log")).crashed()
    #expect(hears(next, observe("log", after: at(0))) == ["2 from A-0"])
  }

  @Test("a full disk refuses durable events, and no others")
  func fullDisk() {
    let fixture = BrokerFixture(declaring("log"))
    let client = fixture.client()
    fixture.handle(.storage(.full))
    #expect(client.hears(post(1, to: "log")) == ["2 storageFull later"])
    #expect(client.hears(post(1)) == ["3 at A-1"])
    fixture.handle(.storage(.behind))
    #expect(client.hears(post(1, to: "log")) == ["4 tooMany now"])
    fixture.handle(.storage(.ok))
    #expect(client.hears(post(1, to: "log")) == ["5 at A-1"])
  }

  @Test("a topic that was declared on a full disk becomes durable at the next post with room")
  func lateRoom() {
    var manifest = Manifest.builtIn
    let fixture = BrokerFixture(manifest)
    let client = fixture.client()
    client.ask(post(1, to: "log"))
    fixture.handle(.storage(.full))
    manifest.topics["log"] = TopicDeclaration(isDurable: true)
    fixture.handle(.manifestRead(.manifest(manifest)))
    #expect(fixture.broker.stored.topics.isEmpty)
    fixture.handle(.storage(.ok))
    #expect(client.hears(post(2, to: "log")) == ["3 at A-2"])
    #expect(fixture.broker.stored.topics["log"]?.last == 2)
  }

  // MARK: - Another manifest

  @Test("a topic that becomes durable continues its numbers without the events in memory")
  func becomesDurable() {
    scene.ask(post(1))
    scene.ask(observe())
    fixture.handle(.manifestRead(.manifest(declaring("news"))))
    scene.forget()
    scene.ask(post(2))
    fixture.sync()
    #expect(scene.heard.last == #"news added {"n":2} A-2"#)
    #expect(hears(fixture.crashed(), observe(after: at(1))).count == 2)
  }

  @Test("a topic that is no longer durable leaves the disk, and no observer misses an event")
  func becomesTransient() {
    let fixture = BrokerFixture(declaring("news"))
    let client = fixture.client()
    client.ask(post(1))
    fixture.sync()
    fixture.handle(.manifestRead(.manifest(declaring("news", durable: false))))
    #expect(fixture.broker.stored.topics.isEmpty)
    #expect(client.hears(observe(after: at(0))) == ["3 from A-0", #"news added {"n":1} A-1"#])
    #expect(hears(fixture.crashed(), observe(after: at(1))) == ["2 from A+-0 gap"])
  }

  @Test("a durable topic that the manifest omits stays durable")
  func undeclared() {
    let fixture = BrokerFixture(declaring("log", keep: 2))
    let client = fixture.client()
    fixture.handle(.manifestRead(.manifest(.builtIn)))
    for number in 1...3 { client.ask(post(number, to: "log")) }
    #expect(fixture.broker.stored.topics["log"]?.events.map(\.number) == [2, 3])
  }

  @Test("a topic with a smaller keep drops its oldest events")
  func keepLess() {
    let fixture = BrokerFixture(declaring("log", keep: 5))
    let client = fixture.client()
    for number in 1...5 { client.ask(post(number, to: "log")) }
    fixture.sync()
    fixture.handle(.manifestRead(.manifest(declaring("log", keep: 2))))
    #expect(client.hears(observe("log", after: at(1)))[0] == "7 from A-3 gap")
    #expect(fixture.crashed().broker.stored.topics["log"]?.events.count == 2)
  }

  // MARK: - Limits

  @Test("a payload may have 256 KiB, a kind 1 KiB", arguments: [0, 1])
  func sizes(past: Int) {
    let text = String(repeating: "x", count: (256 << 10) - 8 + past)
    scene.ask(EventPost(topic: "news", payload: object(#"{"a":"\#(text)"}"#)))
    #expect((scene.lastError?.reason == .tooLarge) == (past == 1))
    let kind = String(repeating: "x", count: 1024 + past)
    scene.ask(EventPost(topic: "news", kind: kind))
    #expect((scene.lastError?.reason == .tooLarge) == (past == 1))
  }

  @Test("a topic keeps a limited number of bytes, and its newest event in any case")
  func topicBytes() {
    let fixture = BrokerFixture(limits: .with(\.topicBytes, 500))
    let client = fixture.client()
    for number in 1...3 { client.ask(post(number)) }
    #expect(fixture.broker.topic("news")?.events.count == 2)
    let text = String(repeating: "x", count: 600)
    client.ask(EventPost(topic: "news", payload: object(#"{"a":"\#(text)"}"#)))
    #expect(fixture.broker.topic("news")?.events.map(\.number) == [4])
  }

  @Test("beyond the limit, the least recently used topic without observers is dropped")
  func manyTopics() {
    let fixture = BrokerFixture(limits: .with(\.topics, 2))
    let client = fixture.client()
    client.ask(observe("one"))
    client.ask(post(1, to: "two"))
    client.ask(post(1, to: "three"))
    #expect(fixture.broker.topic("two") == nil)
    // Its numbers are not used again, so an old position cannot mean a new event.
    client.ask(post(2, to: "two"))
    #expect(client.hears(observe("two", after: at(1)))[0] == "6 from A-2 gap")
    client.ask(post(2, to: "four"))
    #expect(client.lastError?.reason == .tooMany)
  }

  @Test("one connection observes a limited number of topics")
  func observations() {
    let fixture = BrokerFixture(limits: .with(\.observations, 2))
    let client = fixture.client()
    client.ask(observe("one"))
    client.ask(observe("two"))
    #expect(client.hears(observe("three")) == ["4 tooMany later"])
    #expect(client.hears(observe("two")) == ["5 from A-0"])
    client.ask(EventCease(topic: "one"))
    client.forget()
    #expect(client.hears(observe("three")) == ["7 from A-0"])
  }

  @Test("a slow observer gets further events when it has read, with a gap for dropped ones")
  func slow() {
    let fixture = BrokerFixture(
      declaring("news", durable: false, keep: 2), limits: .with(\.slowReaderBytes, 1000))
    let (poster, observer) = (fixture.client(), fixture.client())
    observer.ask(observe())
    observer.forget()
    for number in 1...6 { poster.ask(post(number)) }
    #expect(observer.heard.map { $0.suffix(3) } == ["A-1", "A-2", "A-3"])
    #expect(fixture.drains == [observer.connection])
    fixture.drain(observer.connection)
    #expect(
      observer.heard == [#"news added {"n":5} A-5 gap"#, #"news added {"n":6} A-6"#])
    poster.ask(post(7))
    #expect(observer.heard == [#"news added {"n":7} A-7"#])
  }

  // MARK: - Told besides

  @Test("the trace has posts, deliveries and gaps")
  func traced() {
    let fixture = BrokerFixture(declaring("news", durable: false, keep: 1))
    let (poster, observer) = (fixture.client(), fixture.client("list"))
    poster.ask(post(1))
    poster.ask(post(2))
    observer.ask(observe(after: at(0)))
    observer.ask(EventCease(topic: "news"))
    #expect(
      fixture.trace.filter { $0.topic != nil }.map(text) == [
        "posted news added A-1", "posted news added A-2", "observed gap news A-1",
        "delivered news added A-2", "ceased news",
      ])
  }

  @Test("settle waits until events are on disk and delivered")
  func settle() {
    let fixture = BrokerFixture(declaring("log"))
    let (poster, control) = (fixture.client(), fixture.control())
    poster.ask(post(1, to: "log"))
    #expect(control.hears(Settle()) == [])
    fixture.sync()
    #expect(control.heard == ["2 {}"])
  }
}
