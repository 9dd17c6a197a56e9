import JSON
import SceneBroker
import SceneModel
import SceneWire
import Testing

@testable import SceneServer

@Suite("Turns of busy connections")
struct TurnTests {
  private let fixture = EventLoopFixture()

  private func describes(_ count: Int) -> ContiguousArray<UInt8> {
    var bytes: ContiguousArray<UInt8> = []
    for id in 1...count { bytes += EventLoopFixture.frame(Describe(), id: Int64(id)) }
    return bytes
  }

  /// Bytes of one reply.
  private func describedByteCount() -> Int {
    let client = fixture.client()
    fixture.room[client.identifier] = 0
    fixture.send(describes(1), from: client)
    return client.outbox.byteCount
  }

  @Test("requests wait while more than 64 KiB of output wait for their client")
  func paused() {
    let reply = describedByteCount()
    let client = fixture.client()
    fixture.room[client.identifier] = 0
    fixture.send(describes(100), from: client)
    for _ in 1...10 { fixture.round() }
    #expect(Share.waitingOutput == 64 << 10)
    #expect(Share.waitingOutput..<Share.waitingOutput + reply ~= client.outbox.byteCount)
    #expect(client.isPaused && !client.heldInput.isEmpty)
    #expect(fixture.eventLoop.nextWakeUp == nil, "the loop rests until the client reads")
    fixture.room[client.identifier] = nil
    fixture.round { fixture.eventLoop.scheduleOutput(client) }
    var rounds = 0
    while fixture.eventLoop.nextWakeUp != nil, rounds < 100 {
      fixture.round()
      rounds += 1
    }
    #expect(fixture.take(client).count == 100)
    #expect(client.heldInput.isEmpty && fixture.eventLoop.waitingByteCount == reply)
  }

  @Test("one connection has a share of the output of a round, all busy ones together another")
  func shares() {
    let reply = describedByteCount()
    let clients = (1...8).map { fixture.client(pid: $0) }
    fixture.round {
      for client in clients { fixture.eventLoop.receive(describes(100).span, from: client) }
    }
    let most = Share.output / reply + 1
    #expect(clients.allSatisfy { fixture.take($0).count == most })
    for turn in 0..<24 {
      fixture.round()
      let counts = clients.map { fixture.take($0).count }
      #expect(counts.reduce(0, +) <= most)
      #expect(counts[turn % 8] > 0, "each has its turn before one has another")
    }
  }

  @Test("a request that comes alone is answered at once, however busy others are")
  func alone() {
    let busy = fixture.client(pid: 1)
    let other = fixture.client(pid: 2)
    fixture.send(describes(100), from: busy)
    fixture.send(Ping(), id: 1, from: other)
    #expect(fixture.take(other).count == 1)
    #expect(fixture.take(busy).count < 100)
  }

  @Test("what a client said before it was gone is carried out, and not answered")
  func gone() {
    let client = fixture.client(as: .control)
    fixture.room[client.identifier] = 0
    fixture.send(
      describes(10) + EventLoopFixture.frame(SceneConnect(name: "packing"), id: 99), from: client)
    #expect(fixture.eventLoop.broker.stored.sessions.isEmpty)
    let sends = fixture.sends
    fixture.round { fixture.eventLoop.finish(client, isGone: true) }
    #expect(fixture.eventLoop.broker.stored.sessions.count == 1)
    #expect(fixture.eventLoop.connectionCount == 0)
    #expect(fixture.sends == sends)
  }

  @Test("the time for a frame does not end while the broker does not read it")
  func frameTime() throws {
    let reply = describedByteCount()
    let client = fixture.client(pid: 2)
    fixture.room[client.identifier] = 0
    let count = Share.waitingOutput / reply + 1
    for number in 1...count {
      fixture.send(describes(1) + (number == count ? [0, 0] : []), from: client)
    }
    #expect(client.isPaused && client.hasFrameTimer)
    for _ in 1...4 {
      fixture.pass(.seconds(30))
      fixture.round()
      #expect(fixture.eventLoop.nextWakeUp ?? 0 > fixture.now.monotonic)
    }
    #expect(fixture.eventLoop.connectionCount == 2)
  }

  @Test("the loop rests while a paused client owes an answer")
  func callbackTime() {
    let client = fixture.client(pid: 2)
    fixture.send(EventLoopFixture.frame(SceneConnect(name: "packing"), id: 1), from: client)
    fixture.keeper.sync()
    fixture.round { fixture.eventLoop.journalDidProgress() }
    fixture.room[client.identifier] = 0
    fixture.send(describes(100), from: client)
    for _ in 1...10 { fixture.round() }
    #expect(client.isPaused && !client.heldInput.isEmpty)
    let silent = fixture.connect(pid: 3)
    let begin = fixture.now.monotonic
    let budget = Budgets().connect
    var end: DisconnectOutcome? {
      fixture.eventLoop.broker.stored.sessions.values.first?.hold.end
    }
    var wakeUps = 0
    while end == nil, wakeUps < 20, let next = fixture.eventLoop.nextWakeUp {
      fixture.pass(Interval(nanoseconds: max(0, next - fixture.now.monotonic)))
      fixture.round()
      wakeUps += 1
    }
    #expect(end?.reason == .watchdog)
    #expect(wakeUps < 20)
    #expect(fixture.now.monotonic - begin <= 2 * budget.nanoseconds)
    #expect(silent.stage == .closed)
  }

  @Test("a paused client delays no timer that is about all clients")
  func timeOfAll() {
    let client = fixture.client(pid: 2)
    fixture.room[client.identifier] = 0
    fixture.send(describes(100), from: client)
    for _ in 1...10 { fixture.round() }
    #expect(client.isPaused && !client.heldInput.isEmpty)
    fixture.eventLoop.timers.postpone(
      .broker(.shutdown), iteration: fixture.eventLoop.iteration, atMost: .seconds(1 << 30))
    fixture.round()
    #expect(!fixture.eventLoop.timers.hasPostponed)
  }
}
