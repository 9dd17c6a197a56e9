import JSON
import SceneBroker
import SceneModel
import SceneWire
import Testing

@testable import SceneServer

/// A broker that was itself stopped or late does not count the time in which it did not listen: it reads what
/// waits in a socket and offers what waits to leave, before it closes a connection.
struct LateBrokerTests {
  private static let initialize = Stage.frame(
    Initialize(client: ClientName(name: "late", version: ""), as: .scene), id: 1)

  @Test("a first request that waited in the socket is heard")
  func greeting() {
    let stage = Stage()
    let client = stage.connect()
    stage.pass(.seconds(3600))
    // The timer is due, and what waits is reported in the next round.
    stage.round()
    stage.send(Self.initialize, from: client)
    stage.round()
    #expect(stage.take(client).first?.contains(#""result""#) == true)
    #expect(stage.eventLoop.connectionCount == 1)
  }

  @Test("the rest of a frame that waited in the socket is heard")
  func frame() {
    let stage = Stage()
    let client = stage.client()
    let frame = Stage.frame(Ping(), id: 1)
    stage.send(ContiguousArray(frame[..<5]), from: client)
    stage.pass(.seconds(3600))
    stage.round()
    stage.send(ContiguousArray(frame[5...]), from: client)
    stage.round()
    #expect(stage.take(client).first?.contains(#""result""#) == true)
    #expect(stage.eventLoop.connectionCount == 1)
  }

  @Test("another frame that was begun has its own time")
  func nextFrame() {
    let stage = Stage()
    let client = stage.client()
    let frame = Stage.frame(Ping(), id: 1)
    stage.send(ContiguousArray(frame[..<5]), from: client)
    stage.pass(.seconds(3600))
    stage.round()
    stage.send(ContiguousArray(frame[5...]) + frame[..<5], from: client)
    stage.round()
    stage.round()
    #expect(stage.eventLoop.connectionCount == 1)
    stage.pass(.seconds(Int64(Limits().frameSeconds)))
    stage.round()
    stage.round()
    #expect(stage.eventLoop.connectionCount == 0)
  }

  @Test("a client that never stops sending is closed when the time has passed twice")
  func flooder() {
    let stage = Stage()
    let client = stage.connect()
    stage.pass(.seconds(Int64(Limits().handshakeSeconds)))
    stage.unread = [client]
    stage.round()
    stage.round()
    #expect(stage.eventLoop.connectionCount == 1)
    stage.pass(.seconds(Int64(Limits().handshakeSeconds)))
    stage.round()
    #expect(stage.eventLoop.connectionCount == 0)
  }

  @Test("a round that read as much as it may says nothing of the next, in which nothing came")
  func fullRead() {
    let stage = Stage()
    let client = stage.connect()
    stage.pass(.seconds(Int64(Limits().handshakeSeconds)))
    stage.unread = [client]
    stage.round()
    stage.unread = []
    #expect(stage.eventLoop.connectionCount == 1)
    stage.round()
    #expect(stage.eventLoop.connectionCount == 0)
    #expect(stage.eventLoop.nextWakeUp ?? .max > stage.now.monotonic)
  }

  /// A client for which more waits than may, and that does not read.
  private func slowReader(_ stage: Stage) -> Connection {
    let client = stage.client()
    stage.room[client.identifier] = 0
    stage.send(Describe(), id: 1, from: client)
    return client
  }

  private func stage() -> Stage {
    var limits = Limits()
    limits.slowReaderBytes = 1000
    return Stage(limits: limits)
  }

  private let slowReaderTime = Interval.seconds(Int64(Limits().slowReaderSeconds))

  @Test("a reader that has room by now is offered what waits for it")
  func reader() {
    let stage = stage()
    let client = slowReader(stage)
    stage.pass(.seconds(3600))
    stage.room[client.identifier] = nil
    stage.round()
    #expect(stage.eventLoop.connectionCount == 1)
    #expect(stage.take(client).count == 1)
    stage.pass(.seconds(3600))
    stage.round()
    #expect(stage.eventLoop.connectionCount == 1)
  }

  @Test("a reader that takes some of it has its time once more, and then no more")
  func readerOfSome() {
    let stage = stage()
    let client = slowReader(stage)
    stage.pass(.seconds(3600))
    stage.room[client.identifier] = 10
    stage.round()
    #expect(stage.eventLoop.connectionCount == 1)
    stage.pass(slowReaderTime)
    stage.room[client.identifier] = 10
    stage.round()
    #expect(stage.eventLoop.connectionCount == 0)
  }

  @Test("last words are offered once more")
  func lastWords() {
    let stage = Stage()
    let client = stage.client()
    stage.room[client.identifier] = 0
    stage.round {
      stage.eventLoop.receive(Stage.frame(Ping(), id: 1).span, from: client)
      stage.eventLoop.finish(client)
    }
    stage.pass(.seconds(3600))
    stage.room[client.identifier] = nil
    stage.round()
    #expect(stage.take(client).first?.contains(#""id":1"#) == true)
    #expect(stage.eventLoop.connectionCount == 0)
  }

  @Test("the broker waits for no answer after its last message")
  func farewell() {
    let stage = Stage()
    let holder = stage.client(pid: 10)
    stage.send(SceneConnect(name: "packing"), id: 1, from: holder)
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    let next = stage.client(pid: 11)
    stage.send(SceneConnect(name: "packing", takeOver: true), id: 1, from: next)
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    #expect(stage.take(holder).last?.contains(#""reason":"replaced""#) == true)
    let timers = stage.eventLoop.timers
    #expect(timers.due(.broker(.callback(next.identifier, 1))) != nil)
    #expect(timers.due(.broker(.callback(holder.identifier, 2))) == nil)
  }

  // MARK: - Time in which the broker did not run

  /// Whether the watchdog has disconnected the one scene.
  private func isCut(_ stage: Stage) -> Bool {
    stage.eventLoop.broker.stored.sessions.values.first?.tenure.end?.reason == .watchdog
  }

  private func passInRounds(_ time: Interval, _ stage: Stage) {
    stage.pass(time)
    for _ in 0..<3 { stage.round() }
  }

  @Test("time in which the broker did not run counts for no callback, due or not")
  func missedBudget() {
    let stage = Stage()
    let client = stage.client()
    stage.send(packing, from: client)
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    passInRounds(.milliseconds(300), stage)
    stage.freeze(.seconds(3600))
    passInRounds(.seconds(0), stage)
    let rest = Budgets().connect.nanoseconds - Interval.milliseconds(300).nanoseconds
    passInRounds(Interval(nanoseconds: rest - 1), stage)
    #expect(!isCut(stage))
    // It is due, and no round has read what the client has said meanwhile.
    stage.pass(Interval(nanoseconds: 1))
    stage.round()
    stage.freeze(.seconds(3600))
    stage.unread = [client]
    stage.round()
    #expect(!isCut(stage))
    stage.unread = []
    passInRounds(.seconds(0), stage)
    #expect(isCut(stage))
  }

  @Test("a stop within a wait ends no short budget")
  func missedShortBudget() {
    var manifest = Manifest.builtIn
    manifest.budgets.connect = .milliseconds(300)
    let stage = Stage(manifest: manifest)
    let client = stage.client()
    stage.send(packing, from: client)
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    let begin = stage.now.monotonic
    var missedTime = MissedTime(at: begin)
    let left = (stage.eventLoop.nextWakeUp ?? .max) - begin
    #expect(left == Interval.milliseconds(300).nanoseconds)
    missedTime.endIteration(at: begin, waiting: MissedTime.wait(before: left))
    let time = Interval.seconds(10).nanoseconds
    let missed = missedTime.beginIteration(at: begin + time)
    stage.freeze(Interval(nanoseconds: missed))
    passInRounds(Interval(nanoseconds: time - missed), stage)
    #expect(!isCut(stage))
    passInRounds(.milliseconds(300), stage)
    #expect(isCut(stage))
  }

  @Test("time in which the broker did not run counts for no first request")
  func missedGreeting() {
    let stage = Stage()
    _ = stage.connect()
    stage.freeze(.seconds(3600))
    passInRounds(.seconds(0), stage)
    #expect(stage.eventLoop.connectionCount == 1)
    passInRounds(.seconds(Int64(Limits().handshakeSeconds)), stage)
    #expect(stage.eventLoop.connectionCount == 0)
  }

  // MARK: - All connections

  private let packing = Stage.frame(SceneConnect(name: "packing"), id: 1)

  /// A broker that begins where another one was killed under this client.
  private func restarted() throws -> (stage: Stage, resume: SceneConnect) {
    let before = Stage()
    before.send(packing, from: before.client(pid: 10))
    let stored = before.eventLoop.broker.stored
    let session = try #require(stored.sessions.values.first)
    let resume = SceneConnect(
      session: session.attributes.identifier,
      resume: Resume(state: .background, hold: session.tenure.hold))
    return (Stage(recovered: stored), resume)
  }

  /// Whether no other client can get the session.
  private func isKept(_ stage: Stage) -> Bool {
    stage.eventLoop.broker.stored.sessions.values.first?.tenure.holder?.pid == 10
  }

  private func isResumed(_ client: Connection, _ stage: Stage) -> Bool {
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    return stage.take(client).contains { $0.contains(#""reason":"resume""#) }
  }

  @Test("a session is kept for a holder that has come, and was not heard in the grace")
  func grace() throws {
    let (stage, resume) = try restarted()
    stage.pass(Broker.grace)
    stage.round()
    // It was in the listener's queue, with all that it says.
    let client = stage.connect(pid: 10)
    #expect(isKept(stage))
    stage.send(Self.initialize + Stage.frame(resume, id: 2), from: client)
    #expect(isResumed(client, stage))
  }

  @Test(
    "a session stays reserved while a client has unread input, for twice the grace period at most")
  func graceOfUnread() throws {
    let (stage, _) = try restarted()
    let client = stage.connect(pid: 10)
    stage.pass(Broker.grace)
    stage.unread = [client]
    for _ in 0..<3 { stage.round() }
    #expect(isKept(stage))
    stage.pass(Broker.grace)
    stage.round()
    #expect(!isKept(stage))
  }

  @Test("a holder that has to wait for an answer before it resumes has the missed time once more")
  func missedGrace() throws {
    let (stage, resume) = try restarted()
    stage.freeze(.seconds(3600))
    stage.round()
    let client = stage.connect(pid: 10)
    stage.send(Self.initialize, from: client)
    for _ in 0..<3 { stage.round() }
    #expect(isKept(stage))
    stage.send(resume, id: 2, from: client)
    #expect(isResumed(client, stage))
  }

  @Test("a session that is not asked for in the grace period is free, even if the broker is late")
  func endOfGrace() throws {
    let (stage, _) = try restarted()
    stage.freeze(.seconds(3600))
    stage.round()
    #expect(isKept(stage))
    stage.pass(Broker.grace)
    stage.round()
    stage.round()
    #expect(!isKept(stage))
  }

  /// The number of the callback that the client is to answer with its activity, once it has
  /// answered those before.
  private func asked(_ client: Connection, _ stage: Stage) -> Int64? {
    for _ in 0..<10 {
      stage.keeper.sync()
      stage.round { stage.eventLoop.journalDidProgress() }
      for text in stage.take(client) where text.contains(#""method""#) {
        guard let match = text.firstMatch(of: /"id":([0-9]+)/), let number = Int64(match.1)
        else { continue }
        if text.contains("scene/stateRestorationActivity") { return number }
        stage.send(answer(number, StateRestorationAnswer()), from: client)
      }
    }
    return nil
  }

  private func answer(
    _ callback: Int64, _ answer: StateRestorationAnswer
  ) -> ContiguousArray<UInt8> {
    var writer = FrameWriter()
    writer.answer(.number(callback), answer)
    return writer.take()
  }

  private func activity() -> StateRestorationAnswer {
    let text = #"{"activityType":"late","userInfo":{}}"#
    return StateRestorationAnswer(
      activity: .value(Activity(unchecked: RawJSON(unchecked: ContiguousArray(text.utf8)))))
  }

  @Test("an activity that lay in the socket when the orderly end was over is kept")
  func shutdown() throws {
    let stage = Stage()
    let client = stage.client()
    stage.send(packing, from: client)
    #expect(asked(client, stage) == nil)
    stage.round { stage.eventLoop.terminate() }
    let callback = try #require(asked(client, stage))
    stage.pass(.seconds(3600))
    stage.round()
    // No more than this is read of it in a round.
    let said = answer(callback, activity())
    stage.unread = [client]
    stage.send(ContiguousArray(said[..<5]), from: client)
    stage.unread = []
    stage.send(ContiguousArray(said[5...]), from: client)
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    #expect(stage.eventLoop.broker.stored.sessions.values.first?.activity != nil)
    #expect(stage.eventLoop.isStopping)
  }
}
