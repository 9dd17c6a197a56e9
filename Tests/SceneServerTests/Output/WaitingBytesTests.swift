import SceneBroker
import SceneJSON
import SceneModel
import SceneWire
import Testing

@testable import SceneServer

@Suite("The waiting bytes of all connections")
struct WaitingBytesTests {
  private func fixture(waitingBytes: Int) -> EventLoopFixture {
    var limits = Limits()
    limits.totalBytes = 16 * waitingBytes
    #expect(limits.waitingBytes == waitingBytes)
    return EventLoopFixture(limits: limits)
  }

  private func describe(_ count: Int, _ fixture: EventLoopFixture, _ client: Connection) {
    fixture.room[client.identifier] = 10
    for id in 1...count { fixture.send(Describe(), id: Int64(id), from: client) }
  }

  private func replyByteCount() -> Int {
    let fixture = EventLoopFixture()
    let client = fixture.client()
    describe(1, fixture, client)
    return client.outbox.byteCount
  }

  @Test("the connection with the most output gets the reason and is closed")
  func output() {
    let limit = 7 * replyByteCount() / 2
    let fixture = fixture(waitingBytes: limit)
    let scene = fixture.client(pid: 1)
    fixture.send(SceneConnect(name: "packing"), id: 9, from: scene)
    fixture.sync()
    _ = fixture.take(scene)
    let other = fixture.client(pid: 2)
    describe(2, fixture, scene)
    describe(1, fixture, other)
    #expect(fixture.connectionCount == 2)
    fixture.send(Describe(), id: 2, from: other)
    let session = fixture.session
    #expect(session?.hold.end?.reason == .slowReader)
    #expect(fixture.eventLoop.waitingByteCount <= limit)
    fixture.room = [:]
    fixture.iterate {
      for client in [scene, other] { fixture.eventLoop.scheduleOutput(client) }
    }
    // The frame that was being sent is complete, and the error follows it.
    let told = fixture.take(scene)
    #expect(told.count == 2)
    #expect(told.last?.contains(#""id":null,"error":{"code":1013"#) == true)
    #expect(fixture.take(other).count == 2)
    #expect(fixture.connectionCount == 1)
    #expect(fixture.eventLoop.waitingByteCount == 0)
  }

  @Test("the input of an incomplete frame counts too")
  func input() {
    let fixture = fixture(waitingBytes: 10_000)
    let clients = (1...3).map { fixture.client(pid: $0) }
    let frame = EventLoopFixture.frame(Ping(), id: 1)
    for (index, client) in clients.enumerated() {
      let count = 2500 + 500 * index
      let head: ContiguousArray<UInt8> = [0, 1, 0, 0]
      fixture.send(head + ContiguousArray(repeating: 32, count: count), from: client)
    }
    #expect(fixture.connectionCount == 3)
    fixture.send(ContiguousArray(repeating: 32, count: 2500), from: clients[0])
    #expect(fixture.take(clients[0]).first?.contains("tooMany") == true)
    #expect(fixture.connectionCount == 2)
    let last = fixture.client(pid: 4)
    fixture.send(frame, from: last)
    #expect(fixture.take(last).count == 1)
  }
}
