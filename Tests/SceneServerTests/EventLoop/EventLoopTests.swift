import SceneBroker
import SceneModel
import SceneWire
import Testing

@testable import SceneServer

struct EventLoopTests {
  @Test("no message leaves before the records that it describes are on disk")
  func barrier() {
    let fixture = EventLoopFixture()
    let client = fixture.client()
    fixture.send(SceneConnect(name: "packing"), id: 1, from: client)
    #expect(fixture.take(client).isEmpty)
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    let texts = fixture.take(client)
    #expect(texts.count == 2)
    #expect(texts[0].contains(#""id":1"#) && texts[0].contains(#""hold":1"#))
    #expect(texts[1].contains("scene/willConnect"))
  }

  @Test("a reply does not wait for the records of other sessions")
  func independence() {
    let fixture = EventLoopFixture()
    let (scene, other) = (fixture.client(), fixture.client(pid: 2))
    fixture.send(SceneConnect(name: "packing"), id: 1, from: scene)
    fixture.send(Ping(), id: 1, from: other)
    #expect(fixture.take(other).count == 1)
  }

  @Test("messages on one connection keep their order, even if one of them waits for the disk")
  func order() {
    let fixture = EventLoopFixture()
    let client = fixture.client()
    fixture.send(SceneConnect(name: "packing"), id: 1, from: client)
    fixture.send(Ping(), id: 2, from: client)
    #expect(fixture.take(client).isEmpty)
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    #expect(fixture.take(client).last?.contains(#""id":2"#) == true)
  }

  @Test("the records of an iteration are one submission")
  func oneSubmission() {
    let fixture = EventLoopFixture()
    let clients = (1...8).map { fixture.client(pid: $0) }
    let before = fixture.sink.submissions.count
    fixture.iterate {
      for (index, client) in clients.enumerated() {
        fixture.eventLoop.receive(
          EventLoopFixture.frame(SceneConnect(name: "s\(index)"), id: 1).span, from: client)
      }
    }
    #expect(fixture.sink.submissions.count == before + 1)
  }

  @Test("all waiting output of a connection is one send")
  func oneSend() {
    let fixture = EventLoopFixture()
    let client = fixture.client()
    let before = fixture.sends
    var bytes: ContiguousArray<UInt8> = []
    for id in 1...20 { bytes += EventLoopFixture.frame(Ping(), id: Int64(id)) }
    fixture.send(bytes, from: client)
    #expect(fixture.sends == before + 1)
    #expect(fixture.take(client).count == 20)
  }

  @Test("an idle connection keeps no buffer")
  func idle() {
    let fixture = EventLoopFixture()
    let client = fixture.client()
    fixture.send(Ping(), id: 1, from: client)
    #expect(client.outbox.isEmpty)
    #expect(client.outbox.buffer == nil)
    #expect(client.input.byteCount == 0)
  }

  @Test("a request over the limit gets the error tooMany, after the other replies")
  func inFlight() {
    var limits = Limits()
    limits.requestsInFlight = 3
    let fixture = EventLoopFixture(limits: limits)
    let client = fixture.client()
    fixture.send(SceneConnect(name: "packing"), id: 1, from: client)
    for id in 2...4 { fixture.send(Ping(), id: Int64(id), from: client) }
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    let texts = fixture.take(client).filter { !$0.contains("method") }
    #expect(texts.count == 4)
    #expect(texts[2].contains(#""id":3"#) && texts[2].contains("result"))
    #expect(texts[3].contains(#""id":4"#) && texts[3].contains("tooMany"))
    fixture.send(Ping(), id: 5, from: client)
    #expect(fixture.take(client).last?.contains("result") == true)
  }

  @Test("a client that does not send its first request in time gets an error and is disconnected")
  func greeting() {
    let fixture = EventLoopFixture()
    let client = fixture.connect()
    fixture.send(Ping(), id: 1, from: client)
    fixture.pass(.seconds(Int64(Limits().handshakeSeconds)))
    fixture.iterate()
    fixture.iterate()
    let texts = fixture.take(client)
    #expect(texts.count == 2)
    #expect(texts.allSatisfy { $0.contains("notInitialized") })
    #expect(fixture.eventLoop.connectionCount == 0)
  }

  @Test("the broker waits for the rest of a frame up to the limit, and for a new frame forever")
  func halfFrame() {
    let fixture = EventLoopFixture()
    let client = fixture.client()
    fixture.send([0, 0, 0, 9], from: client)
    fixture.pass(.seconds(Int64(Limits().frameSeconds)))
    fixture.iterate()
    fixture.iterate()
    #expect(fixture.take(client).first?.contains("invalidRequest") == true)
    let patient = fixture.client()
    fixture.pass(.seconds(3600))
    fixture.iterate()
    #expect(fixture.eventLoop.connection(patient.identifier.number) != nil)
  }

  @Test("a client that does not read is disconnected, and its session stays")
  func slowReader() {
    var limits = Limits()
    limits.slowReaderBytes = 1000
    let fixture = EventLoopFixture(limits: limits)
    let client = fixture.client()
    fixture.send(SceneConnect(name: "packing"), id: 1, from: client)
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    _ = fixture.take(client)
    fixture.room[client.identifier] = 0
    fixture.send(Describe(), id: 2, from: client)
    fixture.pass(.seconds(Int64(limits.slowReaderSeconds) - 1))
    fixture.iterate()
    #expect(fixture.eventLoop.connectionCount == 1)
    fixture.pass(.seconds(1))
    fixture.iterate()
    fixture.iterate()
    #expect(fixture.eventLoop.connectionCount == 0)
    let session = fixture.eventLoop.broker.stored.sessions.values.first
    #expect(session?.hold.end?.reason == .slowReader)
  }

  @Test("a client whose replies wait for the disk gets errors and stays connected")
  func heldBack() {
    var limits = Limits()
    limits.outboxBytes = 4000
    let fixture = EventLoopFixture(limits: limits)
    let client = fixture.client()
    fixture.send(SceneConnect(name: "packing"), id: 1, from: client)
    for id in Int64(2)...20 { fixture.send(SessionShow(name: "packing"), id: id, from: client) }
    #expect(fixture.take(client).isEmpty)
    #expect(fixture.eventLoop.connectionCount == 1)
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    let answers = fixture.take(client)
    #expect(answers.contains { $0.contains("sceneSession") && $0.contains(#""id":2,"#) })
    #expect(answers.contains { $0.contains("tooMany") && $0.contains(#""id":20,"#) })
  }

  @Test("a client that reads a part in time stays connected")
  func slowButAlive() {
    var limits = Limits()
    limits.slowReaderBytes = 1000
    let fixture = EventLoopFixture(limits: limits)
    let client = fixture.client()
    fixture.room[client.identifier] = 0
    fixture.send(Describe(), id: 2, from: client)
    fixture.pass(.seconds(Int64(limits.slowReaderSeconds) - 1))
    fixture.room[client.identifier] = nil
    fixture.iterate { fixture.eventLoop.scheduleOutput(client) }
    fixture.pass(.seconds(Int64(limits.slowReaderSeconds)))
    fixture.iterate()
    #expect(fixture.eventLoop.connectionCount == 1)
  }

  @Test("a budget starts when the callback can leave, not when the broker decides on it")
  func budgetStart() {
    let fixture = EventLoopFixture()
    let client = fixture.client()
    fixture.send(SceneConnect(name: "packing"), id: 1, from: client)
    // The disk takes longer than the budget, and the broker disconnects no client.
    fixture.pass(.seconds(60))
    fixture.iterate()
    fixture.iterate()
    #expect(fixture.eventLoop.broker.stored.sessions.values.first?.hold.end == nil)
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    fixture.pass(Manifest.builtIn.budgets.connect)
    fixture.iterate()
    fixture.iterate()
    let end = fixture.eventLoop.broker.stored.sessions.values.first?.hold.end
    #expect(end == DisconnectOutcome(reason: .watchdog, callback: "willConnect"))
  }

  @Test("a budget ends only after a later iteration has read all input of the connection")
  func budgetEnd() {
    let fixture = EventLoopFixture()
    let client = fixture.client()
    fixture.send(SceneConnect(name: "packing"), id: 1, from: client)
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    fixture.pass(Manifest.builtIn.budgets.connect)
    fixture.unread = [client]
    fixture.iterate()
    fixture.iterate()
    #expect(fixture.eventLoop.broker.stored.sessions.values.first?.hold.end == nil)
    // The answer had arrived before the budget ended.
    let answer = #"{"jsonrpc":"2.0","id":1,"result":{}}"#
    fixture.send([0, 0, 0, UInt8(answer.utf8.count)] + ContiguousArray(answer.utf8), from: client)
    fixture.unread = []
    fixture.iterate()
    #expect(fixture.eventLoop.broker.stored.sessions.values.first?.hold.end == nil)
  }

  @Test("a client under a debugger has no budget")
  func debugged() {
    let fixture = EventLoopFixture()
    let client = fixture.client(pid: 42)
    fixture.processes.debugged = [42]
    fixture.send(SceneConnect(name: "packing"), id: 1, from: client)
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    fixture.pass(Manifest.builtIn.budgets.connect)
    fixture.iterate()
    fixture.iterate()
    #expect(fixture.eventLoop.broker.stored.sessions.values.first?.hold.end == nil)
  }

  @Test("the broker answers requests that arrived before the client stopped sending")
  func halfClosed() {
    let fixture = EventLoopFixture()
    let client = fixture.client()
    fixture.iterate {
      fixture.eventLoop.receive(EventLoopFixture.frame(Ping(), id: 1).span, from: client)
      fixture.eventLoop.finish(client)
    }
    #expect(fixture.take(client).first?.contains(#""id":1"#) == true)
    #expect(fixture.eventLoop.connectionCount == 0)
  }

  @Test("a client that stopped sending still gets a reply that waits for the disk")
  func halfClosedAndHeldBack() {
    let fixture = EventLoopFixture()
    let client = fixture.client()
    fixture.iterate {
      fixture.eventLoop.receive(
        EventLoopFixture.frame(SceneConnect(name: "packing"), id: 1).span, from: client)
      fixture.eventLoop.finish(client)
    }
    fixture.iterate { fixture.eventLoop.finish(client) }
    #expect(fixture.take(client).isEmpty)
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    #expect(fixture.take(client).first?.contains(#""id":1"#) == true)
    #expect(fixture.eventLoop.connectionCount == 0)
  }

  @Test("frames that never end at the end of a read have no timeout")
  func misaligned() {
    let fixture = EventLoopFixture()
    let client = fixture.client()
    let frame = EventLoopFixture.frame(Ping(), id: 1)
    fixture.send(ContiguousArray(frame[..<5]), from: client)
    for _ in 0..<10 {
      fixture.pass(.seconds(Int64(Limits().frameSeconds) - 1))
      fixture.send(ContiguousArray(frame[5...]) + frame[..<5], from: client)
    }
    #expect(fixture.take(client).allSatisfy { $0.contains("result") })
    #expect(fixture.eventLoop.connectionCount == 1)
  }

  @Test(
    "a client gets more time if it asks in the iteration that ends its budget", arguments: [0, 1])
  func extendedAtTheLastMoment(roundsLater: Int) {
    let fixture = EventLoopFixture()
    let client = fixture.client()
    fixture.send(SceneConnect(name: "packing"), id: 1, from: client)
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    guard let session = fixture.eventLoop.broker.stored.sessions.keys.first else { return }
    fixture.pass(Manifest.builtIn.budgets.connect)
    for _ in 0..<roundsLater { fixture.iterate() }
    fixture.send(SceneExtend(session: session, seconds: 600), id: 2, from: client)
    fixture.iterate()
    fixture.iterate()
    #expect(fixture.eventLoop.broker.stored.sessions.values.first?.hold.end == nil)
  }

  @Test("a request waits for a holder that is ending, and then gets its session")
  func dyingHolder() {
    let fixture = EventLoopFixture()
    let holder = fixture.client(pid: 10)
    fixture.send(SceneConnect(name: "packing"), id: 1, from: holder)
    fixture.processes.states[10] = .ending
    let next = fixture.client(pid: 11)
    fixture.send(SceneConnect(name: "packing"), id: 1, from: next)
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    #expect(fixture.take(next).isEmpty)
    fixture.iterate { fixture.eventLoop.close(holder, .connectionLost) }
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    #expect(fixture.take(next).first?.contains(#""reason":"recover""#) == true)
  }

  @Test("two requests of one iteration query holders until the second can have a session")
  func secondPick() {
    let fixture = EventLoopFixture()
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
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    #expect(fixture.take(next).map { $0.contains(#""id":2"#) } == [false, false])
    #expect(fixture.eventLoop.broker.stored.sessions.count == 3)
    fixture.iterate { fixture.eventLoop.close(dying, .connectionLost) }
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    #expect(fixture.take(next).first?.contains(#""isNew":false"#) == true)
  }

  @Test("the number of a submission is that of its own last record, not of a later one")
  func submissionNumbers() {
    let fixture = EventLoopFixture()
    let (holder, other) = (fixture.client(pid: 1), fixture.client(pid: 2))
    fixture.send(SceneConnect(name: "one"), id: 1, from: holder)
    fixture.iterate {
      fixture.eventLoop.receive(
        EventLoopFixture.frame(SceneConnect(name: "two"), id: 1).span, from: other)
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
    let fixture = EventLoopFixture()
    let client = fixture.client()
    fixture.room[client.identifier] = 0
    fixture.send(Ping(), id: 1, from: client)
    fixture.iterate { fixture.eventLoop.terminate() }
    #expect(!fixture.eventLoop.isDone)
    fixture.pass(.seconds(1))
    fixture.iterate()
    #expect(fixture.eventLoop.isDone)
  }

  @Test("tables do not grow with clients that connect and disconnect")
  func noGrowth() {
    let fixture = EventLoopFixture()
    for pid in 1...200 {
      let client = fixture.client(pid: Int64(pid))
      fixture.send(SceneConnect(name: "packing"), id: 1, from: client)
      fixture.sink.sync()
      fixture.iterate { fixture.eventLoop.journalDidProgress() }
      fixture.iterate { fixture.eventLoop.close(client, .connectionLost) }
    }
    #expect(fixture.eventLoop.connectionCount == 0)
    #expect(fixture.eventLoop.timers.entryCount < 64)
  }

  @Test("a closed connection is freed, although its reply waits for the disk")
  func closedWhileHeldBack() {
    let fixture = EventLoopFixture()
    weak var kept: Connection?
    do {
      let client = fixture.client()
      kept = client
      fixture.send(SceneConnect(name: "packing"), id: 1, from: client)
      fixture.iterate { fixture.eventLoop.close(client, .connectionLost) }
    }
    #expect(kept == nil)
    #expect(fixture.eventLoop.connectionCount == 0)
  }
}
