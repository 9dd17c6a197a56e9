import SceneBroker
import SceneJSON
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

  /// The size of one reply.
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
    for _ in 1...10 { fixture.iterate() }
    #expect(Share.waitingOutput == 64 << 10)
    #expect(Share.waitingOutput..<Share.waitingOutput + reply ~= client.outbox.byteCount)
    #expect(client.isPaused && !client.input.held.isEmpty)
    #expect(fixture.eventLoop.nextWakeUp == nil, "the loop waits until the client reads")
    fixture.room[client.identifier] = nil
    fixture.iterate { fixture.eventLoop.scheduleOutput(client) }
    var iterations = 0
    while fixture.eventLoop.nextWakeUp != nil, iterations < 100 {
      fixture.iterate()
      iterations += 1
    }
    #expect(fixture.take(client).count == 100)
    #expect(client.input.held.isEmpty && fixture.eventLoop.waitingByteCount == reply)
  }

  @Test("a client that reads nothing gets few replies more than fit, in however many turns")
  func pausedLater() {
    let reply = describedByteCount()
    let client = fixture.client()
    fixture.room[client.identifier] = 0
    fixture.send(describes(Share.waitingOutput / reply), from: client)
    for _ in 1...10 { fixture.iterate() }
    #expect(!client.isPaused && client.input.held.isEmpty)
    fixture.send(describes(100), from: client)
    #expect(Share.waitingOutput..<Share.waitingOutput + reply ~= client.outbox.byteCount)
  }

  @Test("one connection, and all busy connections together, have a limited share of an iteration")
  func shares() {
    let reply = describedByteCount()
    let clients = (1...8).map { fixture.client(pid: $0) }
    fixture.iterate {
      for client in clients { fixture.eventLoop.receive(describes(100).span, from: client) }
    }
    let most = Share.output / reply + 1
    #expect(clients.allSatisfy { fixture.take($0).count == most })
    for turn in 0..<24 {
      fixture.iterate()
      let counts = clients.map { fixture.take($0).count }
      #expect(counts.reduce(0, +) <= most)
      #expect(counts[turn % 8] > 0, "each connection has a turn before one has its second")
    }
  }

  @Test("a single request gets its reply at once, however busy other connections are")
  func alone() {
    let busy = fixture.client(pid: 1)
    let other = fixture.client(pid: 2)
    fixture.send(describes(100), from: busy)
    fixture.send(Ping(), id: 1, from: other)
    #expect(fixture.take(other).count == 1)
    #expect(fixture.take(busy).count < 100)
  }

  @Test("the broker carries out the requests of a client that is gone, and sends no replies")
  func gone() {
    let client = fixture.client(as: .control)
    fixture.room[client.identifier] = 0
    fixture.send(
      describes(10) + EventLoopFixture.frame(SceneConnect(name: "packing"), id: 99), from: client)
    #expect(fixture.eventLoop.broker.stored.sessions.isEmpty)
    let sends = fixture.sends
    fixture.iterate { fixture.eventLoop.finish(client, isGone: true) }
    #expect(fixture.eventLoop.broker.stored.sessions.count == 1)
    #expect(fixture.connectionCount == 0)
    #expect(fixture.sends == sends)
  }

  @Test("the timeout of a frame does not end while the broker does not read the frame")
  func frameTime() throws {
    let reply = describedByteCount()
    let client = fixture.client(pid: 2)
    fixture.room[client.identifier] = 0
    let count = Share.waitingOutput / reply + 1
    for number in 1...count {
      fixture.send(describes(1) + (number == count ? [0, 0] : []), from: client)
    }
    #expect(client.isPaused && client.input.hasFrameTimer)
    for _ in 1...4 {
      fixture.pass(.seconds(30), iterations: 1)
      #expect(fixture.eventLoop.nextWakeUp ?? 0 > fixture.now.monotonic)
    }
    #expect(fixture.connectionCount == 2)
  }

  @Test("the loop waits while a paused client has not answered")
  func callbackTime() {
    let client = fixture.client(pid: 2)
    fixture.send(EventLoopFixture.frame(SceneConnect(name: "packing"), id: 1), from: client)
    fixture.sync()
    fixture.room[client.identifier] = 0
    fixture.send(describes(100), from: client)
    for _ in 1...10 { fixture.iterate() }
    #expect(client.isPaused && !client.input.held.isEmpty)
    let silent = fixture.connect(pid: 3)
    let begin = fixture.now.monotonic
    let budget = Budgets().connect
    var end: DisconnectOutcome? {
      fixture.session?.hold.end
    }
    var wakeUps = 0
    while end == nil, wakeUps < 20, let next = fixture.eventLoop.nextWakeUp {
      fixture.pass(Interval(nanoseconds: max(0, next - fixture.now.monotonic)), iterations: 1)
      wakeUps += 1
    }
    #expect(end?.reason == .watchdog)
    #expect(wakeUps < 20)
    #expect(fixture.now.monotonic - begin <= 2 * budget.nanoseconds)
    #expect(silent.stage == .closed)
  }

  @Test("a paused client delays no timer that concerns all clients")
  func timeOfAll() {
    let client = fixture.client(pid: 2)
    fixture.room[client.identifier] = 0
    fixture.send(describes(100), from: client)
    for _ in 1...10 { fixture.iterate() }
    #expect(client.isPaused && !client.input.held.isEmpty)
    fixture.eventLoop.timers.postpone(
      .broker(.shutdown), iteration: fixture.eventLoop.iteration, atMost: .seconds(1 << 30))
    fixture.iterate()
    #expect(fixture.eventLoop.timers.postponed.isEmpty)
  }
}
