import SceneJSON
import SceneJournal
import SceneModel
import SceneWire
import Testing

@testable import SceneBroker
@testable import SceneServer

/// Every limit of a connection: a client at the limit is accepted, and one past it is not.
struct EdgeLimitTests {
  private let fixture = EventLoopFixture()

  private static func ping(byteCount: Int) -> ContiguousArray<UInt8> {
    let head = #"{"jsonrpc":"2.0","id":1,"method":"broker/ping","params":{"filler":""#
    let tail = #""}}"#
    let filler = String(repeating: "x", count: byteCount - head.utf8.count - tail.utf8.count)
    return [0, UInt8(byteCount >> 16), UInt8(byteCount >> 8 & 255), UInt8(byteCount & 255)]
      + ContiguousArray((head + filler + tail).utf8)
  }

  @Test("a frame has at most 1 MiB", arguments: [0, 1])
  func frame(past: Int) {
    let client = fixture.client()
    fixture.send(Self.ping(byteCount: (1 << 20) + past), from: client)
    let heard = fixture.take(client)
    #expect(heard.count == 1)
    #expect(heard.first?.contains(past == 0 ? #""result":{}"# : "invalidRequest") == true)
    #expect(fixture.connectionCount == 1 - past)
  }

  @Test("one connection can have 256 unanswered requests")
  func requestsInFlight() {
    let client = fixture.client()
    fixture.send(SceneConnect(name: "packing"), id: 1, from: client)
    for id in 2...257 { fixture.send(Ping(), id: Int64(id), from: client) }
    fixture.sync()
    let heard = fixture.take(client).filter { !$0.contains("method") }
    #expect(heard.count == 257)
    #expect(heard[..<256].allSatisfy { $0.contains("result") })
    #expect(heard.last?.contains("tooMany") == true)
  }

  @Test("a client has 5 s for its first request", arguments: [true, false])
  func handshake(inTime: Bool) {
    let client = fixture.connect()
    fixture.pass(.seconds(5) - (inTime ? 1 : 0), iterations: 2)
    #expect(fixture.connectionCount == (inTime ? 1 : 0))
    #expect(fixture.take(client).count == (inTime ? 0 : 1))
  }

  @Test("the rest of a frame must arrive within 30 s", arguments: [true, false])
  func halfFrame(inTime: Bool) {
    let client = fixture.client()
    let frame = EventLoopFixture.frame(Ping(), id: 1)
    fixture.send(ContiguousArray(frame.dropLast()), from: client)
    fixture.pass(.seconds(30) - (inTime ? 1 : 0), iterations: 2)
    fixture.send(ContiguousArray(frame.suffix(1)), from: client)
    let heard = fixture.take(client)
    #expect(heard.count == 1)
    #expect(heard.first?.contains(inTime ? "result" : "invalidRequest") == true)
    #expect(fixture.connectionCount == (inTime ? 1 : 0))
  }

  /// Sends pings to which the client does not read the replies, so that the replies wait.
  private func ask(_ fixture: EventLoopFixture, _ client: Connection, pings: Int) {
    fixture.room[client.identifier] = 0
    for id in 1...pings { fixture.send(Ping(), id: Int64(id), from: client) }
  }

  private func measure(pings: Int) -> Int {
    let client = fixture.client()
    ask(fixture, client, pings: pings)
    return client.outbox.releasedByteCount
  }

  @Test(
    "output over `slowReaderBytes` can wait for a client for 10 s, and less output for any time",
    arguments: [0, 1])
  func slowReader(past: Int) {
    #expect(Limits().slowReaderBytes == 1 << 20)
    let fixture = EventLoopFixture(limits: .with(\.slowReaderBytes, measure(pings: 20) - past))
    let client = fixture.client()
    ask(fixture, client, pings: 20)
    fixture.pass(.seconds(10) - 1, iterations: 1)
    #expect(fixture.connectionCount == 1)
    fixture.pass(Interval(nanoseconds: 1), iterations: 1)
    #expect(fixture.connectionCount == 1 - past)
    fixture.pass(.seconds(3600), iterations: 1)
    #expect(fixture.connectionCount == 1 - past)
  }

  @Test(
    "at most `outboxBytes` of output can wait for a client that does not read", arguments: [0, 1])
  func outbox(past: Int) {
    #expect(Limits().outboxBytes == 8 << 20)
    let fixture = EventLoopFixture(limits: .with(\.outboxBytes, measure(pings: 20) - past))
    let client = fixture.client()
    ask(fixture, client, pings: 20)
    #expect(fixture.connectionCount == 1 - past)
  }

  @Test("requests are refused while too much output waits for the disk", arguments: [0, 1])
  func heldBack(past: Int) {
    func fill(_ fixture: EventLoopFixture) -> Connection {
      let client = fixture.client()
      fixture.send(SceneConnect(name: "packing"), id: 1, from: client)
      for id in 2...20 { fixture.send(Ping(), id: Int64(id), from: client) }
      return client
    }
    let fixture = EventLoopFixture(
      limits: .with(\.outboxBytes, fill(EventLoopFixture()).outbox.byteCount - past))
    let client = fill(fixture)
    fixture.send(Ping(), id: 21, from: client)
    fixture.sync()
    let last = fixture.take(client).last
    #expect(last?.contains(#""id":21"#) == true)
    #expect(last?.contains("tooMany") == (past == 1))
    #expect(fixture.connectionCount == 1)
  }

  @Test("twice `outboxBytes` of output closes a connection, even if the output waits for the disk")
  func backlog() {
    var limits = Limits()
    limits.outboxBytes = 1000
    #expect(limits.backlogBytes == 2000)
    let fixture = EventLoopFixture(limits: limits)
    let client = fixture.client()
    fixture.send(SceneConnect(name: "packing"), id: 1, from: client)
    var id: Int64 = 1
    while fixture.connectionCount == 1, id < 100 {
      #expect(client.outbox.byteCount <= 2000)
      id += 1
      fixture.send(Ping(), id: id, from: client)
    }
    #expect(client.outbox.byteCount > 2000)
    #expect(fixture.connectionCount == 0)
    let stored = fixture.session
    #expect(stored?.hold.end?.reason == .diskBehind)
  }

  @Test("the broker refuses requests while more than `outboxBytes` of output wait")
  func oneRequestTooMany() {
    let measured = EventLoopFixture()
    let reader = measured.client()
    measured.room[reader.identifier] = 0
    measured.send(Describe(), id: 1, from: reader)
    var limits = Limits()
    // The reply contains the limit, which has fewer digits here.
    limits.outboxBytes = reader.outbox.byteCount - 100
    let fixture = EventLoopFixture(limits: limits)
    let client = fixture.client()
    let bytes = (1...3).map { EventLoopFixture.frame(Describe(), id: $0) }.joined()
    fixture.send(ContiguousArray(bytes), from: client)
    let heard = fixture.take(client)
    #expect(heard.count == 3)
    #expect(heard.first?.contains("result") == true)
    #expect(heard.dropFirst().allSatisfy { $0.contains(#""error":{"code":1013"#) })
    fixture.send(Describe(), id: 4, from: client)
    #expect(fixture.take(client).first?.contains("result") == true)
  }

  @Test("at most `unsyncedBytes` of records can wait for the disk", arguments: [0, 1])
  func unsynced(past: Int) {
    #expect(Limits().unsyncedBytes == 4 << 20)
    let measured = EventLoopFixture()
    measured.send(SceneConnect(name: "packing"), id: 1, from: measured.client())
    let waiting = measured.eventLoop.broker.store.unsyncedByteCount
    #expect(waiting == measured.sink.waitingByteCount)
    let fixture = EventLoopFixture(limits: .with(\.unsyncedBytes, waiting - past))
    fixture.send(SceneConnect(name: "packing"), id: 1, from: fixture.client())
    let control = fixture.client(pid: 2, as: .control)
    fixture.send(SceneConnect(name: "another"), id: 1, from: control)
    let refused = fixture.take(control).first?.contains("tooMany") == true
    #expect(refused == (past == 1))
    fixture.sync()
    fixture.send(SceneConnect(name: "a third"), id: 2, from: control)
    fixture.sync()
    #expect(fixture.take(control).contains { $0.contains(#""id":2,"result""#) })
  }
}

extension EdgeLimitTests {
  @Test("a disk that hangs gets no more records, even from small requests of one iteration")
  func oneRound() {
    let fixture = EventLoopFixture(limits: .with(\.unsyncedBytes, 50_000))
    let clients = (1...9).map { fixture.client(pid: $0) }
    let text = String(repeating: "x", count: 20_000)
    fixture.iterate {
      for client in clients {
        for id in 1...9 as ClosedRange<Int64> {
          let message = SceneConnect(new: true, userInfo: .object(text))
          fixture.receive(message, id: id, from: client)
        }
      }
    }
    #expect(50_000...75_000 ~= fixture.sink.waitingByteCount)
    let control = fixture.client(pid: 10, as: .control)
    let (sessions, waiting) = (
      fixture.eventLoop.broker.stored.sessions.keys.sorted(), fixture.sink.waitingByteCount
    )
    #expect(sessions.count == 3)
    fixture.send(RequestDestruction(sessions: sessions), id: 1, from: control)
    fixture.send(RequestActivation(session: sessions[0]), id: 2, from: control)
    fixture.send(SceneConnect(session: sessions[0], takeOver: true), id: 3, from: control)
    fixture.send(SaveActivity(session: sessions[0], activity: nil), id: 4, from: control)
    fixture.send(ApplicationStatus(), id: 5, from: control)
    #expect(fixture.sink.waitingByteCount == waiting)
    // The record of an end is written without a check of the limit.
    fixture.iterate { fixture.eventLoop.close(clients[0], .connectionLost) }
    #expect(fixture.sink.waitingByteCount > waiting)
    fixture.sync()
    let heard = fixture.take(control)
    #expect(heard.count { $0.contains(#""reason":"tooMany","retry":"now""#) } == 4)
    #expect(heard.contains { $0.contains(#""storage":"behind""#) })
    fixture.send(RequestDestruction(sessions: sessions), id: 6, from: control)
    #expect(fixture.eventLoop.broker.stored.sessions.isEmpty)
  }

  @Test("the reserved space for an end is released when the end is on disk")
  func roomForEnds() {
    let client = fixture.client()
    fixture.send(SceneConnect(name: "packing"), id: 1, from: client)
    #expect(fixture.sink.reservedBatchCount == 1)
    fixture.sync()
    fixture.iterate { fixture.eventLoop.close(client, .connectionLost) }
    #expect(fixture.sink.reservedBatchCount == 1)
    fixture.sync()
    #expect(fixture.sink.reservedBatchCount == 0)
  }
}

extension OpaqueObject {
  fileprivate static func object(_ text: String) -> OpaqueObject {
    OpaqueObject(unchecked: RawJSON(unchecked: ContiguousArray(#"{"x":"\#(text)"}"#.utf8)))
  }
}

extension Interval {
  fileprivate static func - (one: Interval, nanoseconds: Int64) -> Interval {
    Interval(nanoseconds: one.nanoseconds - nanoseconds)
  }
}
