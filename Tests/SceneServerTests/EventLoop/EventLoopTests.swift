import SceneBroker
import SceneModel
import ScenePlatform
import SceneWire
import Testing

@testable import SceneServer

struct EventLoopTests {
  private let fixture = EventLoopFixture()

  @Test("no message leaves before the records that it describes are on disk")
  func barrier() {
    let client = fixture.client()
    fixture.send(SceneConnect(name: "packing"), id: 1, from: client)
    #expect(fixture.take(client).isEmpty)
    fixture.sync()
    let texts = fixture.take(client)
    #expect(texts.count == 2)
    #expect(texts[0].contains(#""id":1"#) && texts[0].contains(#""hold":1"#))
    #expect(texts[1].contains("scene/willConnect"))
  }

  @Test("a reply does not wait for the records of other sessions")
  func independence() {
    let (scene, other) = (fixture.client(), fixture.client(pid: 2))
    fixture.send(SceneConnect(name: "packing"), id: 1, from: scene)
    fixture.send(Ping(), id: 1, from: other)
    #expect(fixture.take(other).count == 1)
  }

  @Test("messages on one connection keep their order, even if one of them waits for the disk")
  func order() {
    let client = fixture.client()
    fixture.send(SceneConnect(name: "packing"), id: 1, from: client)
    fixture.send(Ping(), id: 2, from: client)
    #expect(fixture.take(client).isEmpty)
    fixture.sync()
    #expect(fixture.take(client).last?.contains(#""id":2"#) == true)
  }

  @Test("an idle connection keeps no buffer")
  func idle() {
    let client = fixture.client()
    fixture.send(Ping(), id: 1, from: client)
    #expect(client.outbox.isEmpty)
    #expect(client.outbox.buffer == nil)
    #expect(client.input.byteCount == 0)
  }

  @Test("a budget starts when the callback can leave, not when the broker decides on it")
  func budgetStart() {
    let client = fixture.client()
    fixture.send(SceneConnect(name: "packing"), id: 1, from: client)
    // The disk takes longer than the budget, and the broker disconnects no client.
    fixture.pass(.seconds(60), iterations: 2)
    #expect(fixture.session?.hold.end == nil)
    fixture.sync()
    fixture.pass(Manifest.builtIn.budgets.connect, iterations: 2)
    let end = fixture.session?.hold.end
    #expect(end == DisconnectOutcome(reason: .watchdog, callback: "willConnect"))
  }

  @Test("a budget ends only after a later iteration has read all input of the connection")
  func budgetEnd() {
    let client = fixture.client()
    fixture.connectScene(from: client)
    fixture.pass(Manifest.builtIn.budgets.connect)
    fixture.unread = [client]
    fixture.iterate()
    fixture.iterate()
    #expect(fixture.session?.hold.end == nil)
    // The answer had arrived before the budget ended.
    let answer = #"{"jsonrpc":"2.0","id":1,"result":{}}"#
    fixture.send([0, 0, 0, UInt8(answer.utf8.count)] + ContiguousArray(answer.utf8), from: client)
    fixture.unread = []
    fixture.iterate()
    #expect(fixture.session?.hold.end == nil)
  }

  @Test("a client under a debugger has no budget")
  func debugged() {
    let client = fixture.client(pid: 42)
    fixture.processes.debugged = [42]
    fixture.connectScene(from: client)
    fixture.pass(Manifest.builtIn.budgets.connect, iterations: 2)
    #expect(fixture.session?.hold.end == nil)
  }

  @Test(
    "a client gets more time if it asks in the iteration that ends its budget", arguments: [0, 1])
  func extendedAtTheLastMoment(roundsLater: Int) {
    let client = fixture.client()
    fixture.connectScene(from: client)
    guard let session = fixture.eventLoop.broker.stored.sessions.keys.first else { return }
    fixture.pass(Manifest.builtIn.budgets.connect)
    for _ in 0..<roundsLater { fixture.iterate() }
    fixture.send(SceneExtend(session: session, seconds: 600), id: 2, from: client)
    fixture.iterate()
    fixture.iterate()
    #expect(fixture.session?.hold.end == nil)
  }

  @Test("a request waits for a holder that is ending, and then gets its session")
  func dyingHolder() {
    let holder = fixture.client(pid: 10)
    fixture.send(SceneConnect(name: "packing"), id: 1, from: holder)
    fixture.processes.states[10] = .ending
    let next = fixture.client(pid: 11)
    fixture.connectScene(from: next)
    #expect(fixture.take(next).isEmpty)
    fixture.iterate { fixture.eventLoop.close(holder, .connectionLost) }
    fixture.sync()
    #expect(fixture.take(next).first?.contains(#""reason":"recover""#) == true)
  }

  @Test("two requests of one iteration query holders until the second can have a session")
  func secondPick() {
    let (dying, living) = (fixture.client(pid: 10), fixture.client(pid: 11))
    fixture.send(SceneConnect(name: "one"), id: 1, from: dying)
    let free = fixture.client(pid: 12)
    fixture.send(SceneConnect(name: "two"), id: 1, from: free)
    fixture.iterate { fixture.eventLoop.close(free, .connectionLost) }
    fixture.send(SceneConnect(name: "three"), id: 1, from: living)
    fixture.processes.states[10] = .ending
    let next = fixture.client(pid: 13)
    fixture.send(
      EventLoopFixture.frame(SceneConnect(), id: 1) + EventLoopFixture.frame(SceneConnect(), id: 2),
      from: next)
    fixture.sync()
    #expect(fixture.take(next).map { $0.contains(#""id":2"#) } == [false, false])
    #expect(fixture.eventLoop.broker.stored.sessions.count == 3)
    fixture.iterate { fixture.eventLoop.close(dying, .connectionLost) }
    fixture.sync()
    #expect(fixture.take(next).first?.contains(#""isNew":false"#) == true)
  }

  @Test("a request that arrives at the end of the broker has a reply, also if it needs an effect")
  func lastRequest() throws {
    let client = fixture.client()
    fixture.connectScene(from: client)
    let session = try #require(fixture.session?.attributes.identifier)
    fixture.iterate { fixture.eventLoop.close(client, .connectionLost) }
    let control = fixture.client(pid: 2, as: .control)
    var isSent = false
    fixture.eventLoop.endReceiving = { [fixture] connection in
      guard connection === control, !isSent else { return }
      isSent = true
      fixture.receive(DataDirectory(session: session), id: 7, from: connection)
    }
    fixture.iterate { fixture.eventLoop.terminate() }
    fixture.sync()
    #expect(fixture.take(control).count { $0.contains(#""id":7"#) } == 1)
    #expect(fixture.eventLoop.isDone)
  }

  @Test("the number of a submission is that of its own last record, not of a later one")
  func submissionNumbers() {
    let (holder, other) = (fixture.client(pid: 1), fixture.client(pid: 2))
    fixture.send(SceneConnect(name: "one"), id: 1, from: holder)
    fixture.iterate {
      fixture.receive(SceneConnect(name: "two"), id: 1, from: other)
      fixture.eventLoop.finish(holder, isGone: true)
    }
    var count: UInt64 = 0
    for submission in fixture.sink.submissions {
      count += UInt64(submission.count)
      #expect(submission.through == count)
    }
    #expect(count == fixture.eventLoop.broker.recordCount)
  }

  @Test("a shutdown does not wait forever for a client that does not read")
  func lastWords() {
    let client = fixture.client()
    fixture.room[client.identifier] = 0
    fixture.send(Ping(), id: 1, from: client)
    fixture.iterate { fixture.eventLoop.terminate() }
    #expect(!fixture.eventLoop.isDone)
    fixture.pass(.seconds(1), iterations: 1)
    #expect(fixture.eventLoop.isDone)
  }

  @Test("tables do not grow with clients that connect and disconnect")
  func noGrowth() {
    for pid in 1...200 {
      let client = fixture.client(pid: Int64(pid))
      fixture.connectScene(from: client)
      fixture.iterate { fixture.eventLoop.close(client, .connectionLost) }
    }
    #expect(fixture.connectionCount == 0)
    #expect(fixture.eventLoop.timers.entryCount < 64)
  }

  @Test("a closed connection is freed, although its reply waits for the disk")
  func closedWhileHeldBack() {
    weak var kept: Connection?
    do {
      let client = fixture.client()
      kept = client
      fixture.send(SceneConnect(name: "packing"), id: 1, from: client)
      fixture.iterate { fixture.eventLoop.close(client, .connectionLost) }
    }
    #expect(kept == nil)
    #expect(fixture.connectionCount == 0)
  }
}
