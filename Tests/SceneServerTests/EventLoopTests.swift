import SceneBroker
import SceneModel
import SceneWire
import Testing

@testable import SceneServer

struct SwitchboardTests {
  @Test("nothing leaves before the disk has what it speaks of")
  func barrier() {
    let stage = Stage()
    let client = stage.client()
    stage.send(SceneConnect(name: "packing"), id: 1, from: client)
    #expect(stage.take(client).isEmpty)
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    let texts = stage.take(client)
    #expect(texts.count == 2)
    #expect(texts[0].contains(#""id":1"#) && texts[0].contains(#""hold":1"#))
    #expect(texts[1].contains("scene/willConnect"))
  }

  @Test("a reply does not wait for the records of other sessions")
  func independence() {
    let stage = Stage()
    let (scene, other) = (stage.client(), stage.client(pid: 2))
    stage.send(SceneConnect(name: "packing"), id: 1, from: scene)
    stage.send(Ping(), id: 1, from: other)
    #expect(stage.take(other).count == 1)
  }

  @Test("order on one connection is kept, even behind what waits for the disk")
  func order() {
    let stage = Stage()
    let client = stage.client()
    stage.send(SceneConnect(name: "packing"), id: 1, from: client)
    stage.send(Ping(), id: 2, from: client)
    #expect(stage.take(client).isEmpty)
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    #expect(stage.take(client).last?.contains(#""id":2"#) == true)
  }

  @Test("the records of a round are one submission")
  func oneSubmission() {
    let stage = Stage()
    let clients = (1...8).map { stage.client(pid: $0) }
    let before = stage.keeper.submissions.count
    stage.round {
      for (index, client) in clients.enumerated() {
        stage.eventLoop.receive(
          Stage.frame(SceneConnect(name: "s\(index)"), id: 1).span, from: client)
      }
    }
    #expect(stage.keeper.submissions.count == before + 1)
  }

  @Test("all that waits for a connection is one send")
  func oneSend() {
    let stage = Stage()
    let client = stage.client()
    let before = stage.sends
    var bytes: ContiguousArray<UInt8> = []
    for id in 1...20 { bytes += Stage.frame(Ping(), id: Int64(id)) }
    stage.send(bytes, from: client)
    #expect(stage.sends == before + 1)
    #expect(stage.take(client).count == 20)
  }

  @Test("an idle connection keeps no buffer")
  func idle() {
    let stage = Stage()
    let client = stage.client()
    stage.send(Ping(), id: 1, from: client)
    #expect(client.outbox.isEmpty)
    #expect(client.outbox.buffer == nil)
    #expect(!client.decoder.isWithinFrame)
  }

  @Test("the request over the limit in flight is answered tooMany, behind the others")
  func inFlight() {
    var limits = Limits()
    limits.requestsInFlight = 3
    let stage = Stage(limits: limits)
    let client = stage.client()
    stage.send(SceneConnect(name: "packing"), id: 1, from: client)
    for id in 2...4 { stage.send(Ping(), id: Int64(id), from: client) }
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    let texts = stage.take(client).filter { !$0.contains("method") }
    #expect(texts.count == 4)
    #expect(texts[2].contains(#""id":3"#) && texts[2].contains("result"))
    #expect(texts[3].contains(#""id":4"#) && texts[3].contains("tooMany"))
    stage.send(Ping(), id: 5, from: client)
    #expect(stage.take(client).last?.contains("result") == true)
  }

  @Test("a client that does not say who it is in time is told so and left")
  func greeting() {
    let stage = Stage()
    let client = stage.connect()
    stage.send(Ping(), id: 1, from: client)
    stage.pass(.seconds(Int64(Limits().handshakeSeconds)))
    stage.round()
    stage.round()
    let texts = stage.take(client)
    #expect(texts.count == 2)
    #expect(texts.allSatisfy { $0.contains("notInitialized") })
    #expect(stage.eventLoop.connectionCount == 0)
  }

  @Test("half a frame is waited for as long as the limit says, whole ones for ever")
  func halfFrame() {
    let stage = Stage()
    let client = stage.client()
    stage.send([0, 0, 0, 9], from: client)
    stage.pass(.seconds(Int64(Limits().frameSeconds)))
    stage.round()
    stage.round()
    #expect(stage.take(client).first?.contains("invalidRequest") == true)
    let patient = stage.client()
    stage.pass(.seconds(3600))
    stage.round()
    #expect(stage.eventLoop.connection(patient.identifier.number) != nil)
  }

  @Test("a client that does not read is left, and its session stays")
  func slowReader() {
    var limits = Limits()
    limits.slowReaderBytes = 1000
    let stage = Stage(limits: limits)
    let client = stage.client()
    stage.send(SceneConnect(name: "packing"), id: 1, from: client)
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    _ = stage.take(client)
    stage.room[client.identifier] = 0
    stage.send(Describe(), id: 2, from: client)
    stage.pass(.seconds(Int64(limits.slowReaderSeconds) - 1))
    stage.round()
    #expect(stage.eventLoop.connectionCount == 1)
    stage.pass(.seconds(1))
    stage.round()
    stage.round()
    #expect(stage.eventLoop.connectionCount == 0)
    let session = stage.eventLoop.broker.stored.sessions.values.first
    #expect(session?.tenure.end?.reason == .slowReader)
  }

  @Test("whose answers wait for the disk is refused more of them, not left")
  func heldBack() {
    var limits = Limits()
    limits.outboxBytes = 4000
    let stage = Stage(limits: limits)
    let client = stage.client()
    stage.send(SceneConnect(name: "packing"), id: 1, from: client)
    for id in Int64(2)...20 { stage.send(SessionShow(name: "packing"), id: id, from: client) }
    #expect(stage.take(client).isEmpty)
    #expect(stage.eventLoop.connectionCount == 1)
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    let answers = stage.take(client)
    #expect(answers.contains { $0.contains("sceneSession") && $0.contains(#""id":2,"#) })
    #expect(answers.contains { $0.contains("tooMany") && $0.contains(#""id":20,"#) })
  }

  @Test("a client that takes some of it in time is not left")
  func slowButAlive() {
    var limits = Limits()
    limits.slowReaderBytes = 1000
    let stage = Stage(limits: limits)
    let client = stage.client()
    stage.room[client.identifier] = 0
    stage.send(Describe(), id: 2, from: client)
    stage.pass(.seconds(Int64(limits.slowReaderSeconds) - 1))
    stage.room[client.identifier] = nil
    stage.round { stage.eventLoop.scheduleOutput(client) }
    stage.pass(.seconds(Int64(limits.slowReaderSeconds)))
    stage.round()
    #expect(stage.eventLoop.connectionCount == 1)
  }

  @Test("a budget begins when the callback may leave, not when it was decided")
  func budgetStart() {
    let stage = Stage()
    let client = stage.client()
    stage.send(SceneConnect(name: "packing"), id: 1, from: client)
    // The disk takes longer than the budget, and no client times out.
    stage.pass(.seconds(60))
    stage.round()
    stage.round()
    #expect(stage.eventLoop.broker.stored.sessions.values.first?.tenure.end == nil)
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    stage.pass(Manifest.builtIn.budgets.connect)
    stage.round()
    stage.round()
    let end = stage.eventLoop.broker.stored.sessions.values.first?.tenure.end
    #expect(end == SessionEnd(reason: .watchdog, callback: "willConnect"))
  }

  @Test("a budget ends only once the connection was read to its end in a later round")
  func budgetEnd() {
    let stage = Stage()
    let client = stage.client()
    stage.send(SceneConnect(name: "packing"), id: 1, from: client)
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    stage.pass(Manifest.builtIn.budgets.connect)
    stage.unread = [client]
    stage.round()
    stage.round()
    #expect(stage.eventLoop.broker.stored.sessions.values.first?.tenure.end == nil)
    // The answer was there all the time.
    let answer = #"{"jsonrpc":"2.0","id":1,"result":{}}"#
    stage.send([0, 0, 0, UInt8(answer.utf8.count)] + ContiguousArray(answer.utf8), from: client)
    stage.unread = []
    stage.round()
    #expect(stage.eventLoop.broker.stored.sessions.values.first?.tenure.end == nil)
  }

  @Test("a client that is being debugged is not held to its budget")
  func debugged() {
    let stage = Stage()
    let client = stage.client(pid: 42)
    stage.processes.debugged = [42]
    stage.send(SceneConnect(name: "packing"), id: 1, from: client)
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    stage.pass(Manifest.builtIn.budgets.connect)
    stage.round()
    stage.round()
    #expect(stage.eventLoop.broker.stored.sessions.values.first?.tenure.end == nil)
  }

  @Test("what was asked before the other end fell silent is answered")
  func halfClosed() {
    let stage = Stage()
    let client = stage.client()
    stage.round {
      stage.eventLoop.receive(Stage.frame(Ping(), id: 1).span, from: client)
      stage.eventLoop.finish(client)
    }
    #expect(stage.take(client).first?.contains(#""id":1"#) == true)
    #expect(stage.eventLoop.connectionCount == 0)
  }

  @Test("what waits for the disk is still answered to who will say no more")
  func halfClosedAndHeldBack() {
    let stage = Stage()
    let client = stage.client()
    stage.round {
      stage.eventLoop.receive(
        Stage.frame(SceneConnect(name: "packing"), id: 1).span, from: client)
      stage.eventLoop.finish(client)
    }
    stage.round { stage.eventLoop.finish(client) }
    #expect(stage.take(client).isEmpty)
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    #expect(stage.take(client).first?.contains(#""id":1"#) == true)
    #expect(stage.eventLoop.connectionCount == 0)
  }

  @Test("a stream of frames that never ends at the end of a read is not half a frame")
  func misaligned() {
    let stage = Stage()
    let client = stage.client()
    let frame = Stage.frame(Ping(), id: 1)
    stage.send(ContiguousArray(frame[..<5]), from: client)
    for _ in 0..<10 {
      stage.pass(.seconds(Int64(Limits().frameSeconds) - 1))
      stage.send(ContiguousArray(frame[5...]) + frame[..<5], from: client)
    }
    #expect(stage.take(client).allSatisfy { $0.contains("result") })
    #expect(stage.eventLoop.connectionCount == 1)
  }

  @Test(
    "time that was asked for in the round in which the budget ended is given", arguments: [0, 1])
  func extendedAtTheLastMoment(roundsLater: Int) {
    let stage = Stage()
    let client = stage.client()
    stage.send(SceneConnect(name: "packing"), id: 1, from: client)
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    guard let session = stage.eventLoop.broker.stored.sessions.keys.first else { return }
    stage.pass(Manifest.builtIn.budgets.connect)
    for _ in 0..<roundsLater { stage.round() }
    stage.send(SceneExtend(session: session, seconds: 600), id: 2, from: client)
    stage.round()
    stage.round()
    #expect(stage.eventLoop.broker.stored.sessions.values.first?.tenure.end == nil)
  }

  @Test("a request waits for a holder that is coming to its end, and gets its session")
  func dyingHolder() {
    let stage = Stage()
    let holder = stage.client(pid: 10)
    stage.send(SceneConnect(name: "packing"), id: 1, from: holder)
    stage.processes.states[10] = .ending
    let next = stage.client(pid: 11)
    stage.send(SceneConnect(name: "packing"), id: 1, from: next)
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    #expect(stage.take(next).isEmpty)
    stage.round { stage.eventLoop.close(holder, .connectionLost) }
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    #expect(stage.take(next).first?.contains(#""reason":"recover""#) == true)
  }

  @Test("two requests of one iteration query holders until the second can have a session")
  func secondPick() {
    let stage = Stage()
    let (dying, living) = (stage.client(pid: 10), stage.client(pid: 11))
    stage.send(SceneConnect(name: "one"), id: 1, from: dying)
    let free = stage.client(pid: 12)
    stage.send(SceneConnect(name: "two"), id: 1, from: free)
    stage.round { stage.eventLoop.close(free, .connectionLost) }
    stage.send(SceneConnect(name: "three"), id: 1, from: living)
    stage.processes.states[10] = .ending
    let next = stage.client(pid: 13)
    stage.send(
      Stage.frame(SceneConnect(), id: 1) + Stage.frame(SceneConnect(), id: 2), from: next)
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    #expect(stage.take(next).map { $0.contains(#""id":2"#) } == [false, false])
    #expect(stage.eventLoop.broker.stored.sessions.count == 3)
    stage.round { stage.eventLoop.close(dying, .connectionLost) }
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    #expect(stage.take(next).first?.contains(#""isNew":false"#) == true)
  }

  @Test("a submission is numbered by its own last record, not by those that are still to come")
  func submissionNumbers() {
    let stage = Stage()
    let (holder, other) = (stage.client(pid: 1), stage.client(pid: 2))
    stage.send(SceneConnect(name: "one"), id: 1, from: holder)
    stage.round {
      stage.eventLoop.receive(Stage.frame(SceneConnect(name: "two"), id: 1).span, from: other)
      stage.eventLoop.finish(holder, isGone: true)
    }
    var count: UInt64 = 0
    for submission in stage.keeper.submissions {
      count += UInt64(submission.count)
      #expect(submission.through == count)
    }
    #expect(count == stage.eventLoop.broker.recordCount)
  }

  @Test("a shutdown does not wait for ever for a client that does not read")
  func lastWords() {
    let stage = Stage()
    let client = stage.client()
    stage.room[client.identifier] = 0
    stage.send(Ping(), id: 1, from: client)
    stage.round { stage.eventLoop.terminate() }
    #expect(!stage.eventLoop.isDone)
    stage.pass(.seconds(1))
    stage.round()
    #expect(stage.eventLoop.isDone)
  }

  @Test("tables do not grow with clients that come and go")
  func noGrowth() {
    let stage = Stage()
    for pid in 1...200 {
      let client = stage.client(pid: Int64(pid))
      stage.send(SceneConnect(name: "packing"), id: 1, from: client)
      stage.keeper.sync()
      stage.round { stage.eventLoop.journalDidProgress() }
      stage.round { stage.eventLoop.close(client, .connectionLost) }
    }
    #expect(stage.eventLoop.connectionCount == 0)
    #expect(stage.eventLoop.timers.entryCount < 64)
  }

  @Test("a connection that is closed is let go, although its answer waits for the disk")
  func closedWhileHeldBack() {
    let stage = Stage()
    weak var kept: Connection?
    do {
      let client = stage.client()
      kept = client
      stage.send(SceneConnect(name: "packing"), id: 1, from: client)
      stage.round { stage.eventLoop.close(client, .connectionLost) }
    }
    #expect(kept == nil)
    #expect(stage.eventLoop.connectionCount == 0)
  }
}
