import SceneBroker
import SceneJSON
import SceneModel
import ScenePlatform
import SceneWire
import Testing

@testable import SceneServer

/// Events that outboxes share.
@Suite("Shared events")
final class SharedEventTests {
  private var events = EventFrames()
  private var sender = OutboxSender()
  private let session = SessionIdentifier(high: 0, low: 1)

  private func frame(_ number: Int64, of topic: String = "news", padding: Int = 0) -> EventFrame {
    let text = #"{"text":"\#(String(repeating: "x", count: padding))"}"#
    let payload = OpaqueObject(unchecked: RawJSON(unchecked: ContiguousArray(text.utf8)))
    let event = TopicEvent(topic: topic, number: number, payload: payload, posted: 0)
    let position = EventPosition(origin: "A", number: number)
    return events.frame(
      of: EventDelivery(event: event, position: position, hasGap: false, observers: []))
  }

  private func append(_ frame: EventFrame, to outbox: inout Outbox, _ session: SessionIdentifier?) {
    outbox.append(frame, for: session, borrowingFrom: &sender.pool)
    #expect(outbox.flaws == [])
  }

  private func reply(_ number: Int64, to outbox: inout Outbox, after record: UInt64 = 0) {
    let outbound = Outbound(
      connection: ConnectionIdentifier(1), message: .reply(.number(number), .empty), after: record)
    _ = outbox.append(outbound, durable: 0, borrowingFrom: &sender.pool)
    #expect(outbox.flaws == [])
  }

  private func send(_ outbox: inout Outbox, upTo limit: Int = .max) -> ContiguousArray<UInt8> {
    sender.send(&outbox, upTo: limit)
  }

  /// The parameters of the messages in these bytes, or the identifiers of replies.
  private func contents(of bytes: ContiguousArray<UInt8>) throws -> [String] {
    try EventLoopFixture.texts(in: bytes).map { text in
      let document = JSONDocument()
      try document.read(text.utf8)
      let identifier = document.root["id"].map { "\($0.raw)" } ?? "-"
      return document.root["params"].map {
        "\($0["position"]?.string?.dropFirst(2) ?? "") \($0["session"] == nil ? "-" : "S")"
      } ?? identifier
    }
  }

  @Test("an event is encoded once, for any number of observers", arguments: [100, 1000, 10_000])
  func once(observerCount: Int) {
    let fixture = EventLoopFixture()
    let eventLoop = fixture.eventLoop
    let hello = EventLoopFixture.frame(
      Initialize(client: ClientName(name: "test", version: ""), as: .observer), id: 1)
    let observe = EventLoopFixture.frame(EventObserve(topic: "news"), id: 2)
    var sendCounts: [ConnectionIdentifier: Int] = [:]
    let flush = {
      eventLoop.performEffects()
      eventLoop.flush { connection, bytes in
        sendCounts[connection.identifier, default: 0] += 1
        return .bytes(bytes.byteCount)
      }
    }
    eventLoop.beginIteration(at: fixture.now)
    for _ in 1...observerCount {
      let connection = eventLoop.accept(process: ClientProcess(pid: 1, startTime: 7))
      eventLoop.receive(hello.span, from: connection)
      eventLoop.receive(observe.span, from: connection)
    }
    flush()
    let poster = fixture.client()
    sendCounts = [:]
    eventLoop.beginIteration(at: fixture.now)
    for number in Int64(1)...3 {
      eventLoop.receive(
        EventLoopFixture.frame(EventPost(topic: "news"), id: number).span, from: poster)
    }
    flush()
    #expect(eventLoop.events.encodingCount == 3)
    #expect(sendCounts.count == observerCount + 1)
    #expect(sendCounts.values.allSatisfy { $0 == 1 }, "each connection gets its output at once")
  }

  @Test("an event is encoded once although another topic or observer comes in between")
  func again() {
    let first = frame(1)
    _ = frame(2)
    #expect(frame(1).range == first.range)
    #expect(events.encodingCount == 2)
    _ = frame(1, of: "other")
    #expect(events.encodingCount == 3)
  }

  @Test("events of connections and scenes keep their order among other messages, for every cut")
  func cuts() throws {
    var whole = Outbox()
    fill(&whole)
    let bytes = send(&whole)
    let expected = ["1", "1 -", "2 -", "2 S", "2", "3 -", "3 S", "3"]
    #expect(try contents(of: bytes) == expected)
    #expect(whole.isEmpty && whole.buffer == nil)
    for cut in 0...bytes.count {
      var outbox = Outbox()
      fill(&outbox)
      var sent = send(&outbox, upTo: cut)
      append(frame(4), to: &outbox, nil)
      sent += send(&outbox)
      #expect(try contents(of: sent) == expected + ["4 -"])
    }
  }

  private func fill(_ outbox: inout Outbox) {
    reply(1, to: &outbox)
    append(frame(1), to: &outbox, nil)
    append(frame(2), to: &outbox, nil)
    append(frame(2), to: &outbox, session)
    reply(2, to: &outbox)
    append(frame(3), to: &outbox, nil)
    append(frame(3), to: &outbox, session)
    reply(3, to: &outbox)
  }

  @Test("an event waits behind a message that waits for the disk")
  func barrier() throws {
    var outbox = Outbox()
    append(frame(1), to: &outbox, nil)
    reply(1, to: &outbox, after: 5)
    append(frame(2), to: &outbox, session)
    #expect(try contents(of: send(&outbox)) == ["1 -"])
    outbox.release(upTo: 5) { _ in }
    #expect(try contents(of: send(&outbox)) == ["1", "2 S"])
  }

  @Test("a partly sent event stays when the others are dropped")
  func dropping() throws {
    var outbox = Outbox()
    for number in Int64(1)...3 { append(frame(number), to: &outbox, nil) }
    let begin = send(&outbox, upTo: 7)
    outbox.dropFrames()
    #expect(outbox.flaws == [])
    reply(4, to: &outbox)
    #expect(try contents(of: begin + send(&outbox)) == ["1 -", "4"])
  }

  @Test("a slow reader keeps the bytes of its events, whatever follows in the topic")
  func slow() throws {
    var outbox = Outbox()
    append(frame(1, padding: 1000), to: &outbox, nil)
    for number in Int64(2)...200 { _ = frame(number, padding: 1000) }
    #expect(try contents(of: send(&outbox)) == ["1 -"])
  }
}
