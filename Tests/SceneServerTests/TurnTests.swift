import JSON
import SceneBroker
import SceneModel
import SceneWire
import Testing

@testable import SceneServer

@Suite("Turns of busy connections")
struct TurnTests {
  private let stage = Stage()

  private func describes(_ count: Int) -> ContiguousArray<UInt8> {
    var bytes: ContiguousArray<UInt8> = []
    for id in 1...count { bytes += Stage.frame(Describe(), id: Int64(id)) }
    return bytes
  }

  /// Bytes of one reply.
  private func describedByteCount() -> Int {
    let client = stage.client()
    stage.room[client.identifier] = 0
    stage.send(describes(1), from: client)
    return client.outbox.byteCount
  }

  @Test("requests wait while more than 64 KiB of output wait for their client")
  func paused() {
    let reply = describedByteCount()
    let client = stage.client()
    stage.room[client.identifier] = 0
    stage.send(describes(100), from: client)
    for _ in 1...10 { stage.round() }
    #expect(Share.waitingOutput == 64 << 10)
    #expect(Share.waitingOutput..<Share.waitingOutput + reply ~= client.outbox.byteCount)
    #expect(client.isPaused && !client.heldInput.isEmpty)
    #expect(stage.eventLoop.nextWakeUp == nil, "the loop rests until the client reads")
    stage.room[client.identifier] = nil
    stage.round { stage.eventLoop.scheduleOutput(client) }
    var rounds = 0
    while stage.eventLoop.nextWakeUp != nil, rounds < 100 {
      stage.round()
      rounds += 1
    }
    #expect(stage.take(client).count == 100)
    #expect(client.heldInput.isEmpty && stage.eventLoop.waitingByteCount == reply)
  }

  @Test("one connection has a share of the output of a round, all busy ones together another")
  func shares() {
    let reply = describedByteCount()
    let clients = (1...8).map { stage.client(pid: $0) }
    stage.round {
      for client in clients { stage.eventLoop.receive(describes(100).span, from: client) }
    }
    let most = Share.output / reply + 1
    #expect(clients.allSatisfy { stage.take($0).count == most })
    for turn in 0..<24 {
      stage.round()
      let counts = clients.map { stage.take($0).count }
      #expect(counts.reduce(0, +) <= most)
      #expect(counts[turn % 8] > 0, "each has its turn before one has another")
    }
  }

  @Test("a request that comes alone is answered at once, however busy others are")
  func alone() {
    let busy = stage.client(pid: 1)
    let other = stage.client(pid: 2)
    stage.send(describes(100), from: busy)
    stage.send(Ping(), id: 1, from: other)
    #expect(stage.take(other).count == 1)
    #expect(stage.take(busy).count < 100)
  }

  @Test("what a client said before it was gone is carried out, and not answered")
  func gone() {
    let client = stage.client(as: .control)
    stage.room[client.identifier] = 0
    stage.send(describes(10) + Stage.frame(SceneConnect(name: "packing"), id: 99), from: client)
    #expect(stage.eventLoop.broker.stored.sessions.isEmpty)
    let sends = stage.sends
    stage.round { stage.eventLoop.finish(client, isGone: true) }
    #expect(stage.eventLoop.broker.stored.sessions.count == 1)
    #expect(stage.eventLoop.connectionCount == 0)
    #expect(stage.sends == sends)
  }

  @Test("the time for a frame does not end while the broker does not read it")
  func frameTime() throws {
    let reply = describedByteCount()
    let client = stage.client(pid: 2)
    stage.room[client.identifier] = 0
    let count = Share.waitingOutput / reply + 1
    for number in 1...count {
      stage.send(describes(1) + (number == count ? [0, 0] : []), from: client)
    }
    #expect(client.isPaused && client.hasFrameTimer)
    for _ in 1...4 {
      stage.pass(.seconds(30))
      stage.round()
      #expect(stage.eventLoop.nextWakeUp ?? 0 > stage.now.monotonic)
    }
    #expect(stage.eventLoop.connectionCount == 2)
  }

  @Test("the loop rests while a paused client owes an answer")
  func callbackTime() {
    let client = stage.client(pid: 2)
    stage.send(Stage.frame(SceneConnect(name: "packing"), id: 1), from: client)
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    stage.room[client.identifier] = 0
    stage.send(describes(100), from: client)
    for _ in 1...10 { stage.round() }
    #expect(client.isPaused && !client.heldInput.isEmpty)
    let silent = stage.connect(pid: 3)
    let begin = stage.now.monotonic
    let budget = Budgets().connect
    var end: SessionEnd? {
      stage.eventLoop.broker.stored.sessions.values.first?.tenure.end
    }
    var wakeUps = 0
    while end == nil, wakeUps < 20, let next = stage.eventLoop.nextWakeUp {
      stage.pass(Interval(nanoseconds: max(0, next - stage.now.monotonic)))
      stage.round()
      wakeUps += 1
    }
    #expect(end?.reason == .watchdog)
    #expect(wakeUps < 20)
    #expect(stage.now.monotonic - begin <= 2 * budget.nanoseconds)
    #expect(silent.stage == .closed)
  }

  @Test("a paused client delays no timer that is about all clients")
  func timeOfAll() {
    let client = stage.client(pid: 2)
    stage.room[client.identifier] = 0
    stage.send(describes(100), from: client)
    for _ in 1...10 { stage.round() }
    #expect(client.isPaused && !client.heldInput.isEmpty)
    stage.eventLoop.timers.postpone(
      .broker(.shutdown), iteration: stage.eventLoop.iteration, atMost: .seconds(1 << 30))
    stage.round()
    #expect(!stage.eventLoop.timers.hasPostponed)
  }
}
