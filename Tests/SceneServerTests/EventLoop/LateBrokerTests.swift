import SceneBroker
import SceneJSON
import SceneModel
import SceneWire
import Testing

@testable import SceneServer

/// A broker that was stopped or late does not count the time in which it did not read. Before it
/// closes a connection, it reads the waiting input and sends the waiting output.
struct LateBrokerTests {
  private static let initialize = EventLoopFixture.frame(
    Initialize(client: ClientName(name: "late", version: ""), as: .scene), id: 1)

  @Test("the broker reads a first request that waited in the socket")
  func greeting() {
    let fixture = EventLoopFixture()
    let client = fixture.connect()
    fixture.pass(.seconds(3600))
    // The timer is due. The next iteration reports the waiting input.
    fixture.iterate()
    fixture.send(Self.initialize, from: client)
    fixture.iterate()
    #expect(fixture.take(client).first?.contains(#""result""#) == true)
    #expect(fixture.eventLoop.connectionCount == 1)
  }

  @Test("the broker reads the rest of a frame that waited in the socket")
  func frame() {
    let fixture = EventLoopFixture()
    let client = fixture.client()
    let frame = EventLoopFixture.frame(Ping(), id: 1)
    fixture.send(ContiguousArray(frame[..<5]), from: client)
    fixture.pass(.seconds(3600))
    fixture.iterate()
    fixture.send(ContiguousArray(frame[5...]), from: client)
    fixture.iterate()
    #expect(fixture.take(client).first?.contains(#""result""#) == true)
    #expect(fixture.eventLoop.connectionCount == 1)
  }

  @Test("the next incomplete frame has its own timeout")
  func nextFrame() {
    let fixture = EventLoopFixture()
    let client = fixture.client()
    let frame = EventLoopFixture.frame(Ping(), id: 1)
    fixture.send(ContiguousArray(frame[..<5]), from: client)
    fixture.pass(.seconds(3600))
    fixture.iterate()
    fixture.send(ContiguousArray(frame[5...]) + frame[..<5], from: client)
    fixture.iterate()
    fixture.iterate()
    #expect(fixture.eventLoop.connectionCount == 1)
    fixture.pass(.seconds(Int64(Limits().frameSeconds)))
    fixture.iterate()
    fixture.iterate()
    #expect(fixture.eventLoop.connectionCount == 0)
  }

  @Test("a client that never stops sending is disconnected after twice the timeout")
  func flooder() {
    let fixture = EventLoopFixture()
    let client = fixture.connect()
    fixture.pass(.seconds(Int64(Limits().handshakeSeconds)))
    fixture.unread = [client]
    fixture.iterate()
    fixture.iterate()
    #expect(fixture.eventLoop.connectionCount == 1)
    fixture.pass(.seconds(Int64(Limits().handshakeSeconds)))
    fixture.iterate()
    #expect(fixture.eventLoop.connectionCount == 0)
  }

  @Test("a full read keeps a connection open only until an iteration without input")
  func fullRead() {
    let fixture = EventLoopFixture()
    let client = fixture.connect()
    fixture.pass(.seconds(Int64(Limits().handshakeSeconds)))
    fixture.unread = [client]
    fixture.iterate()
    fixture.unread = []
    #expect(fixture.eventLoop.connectionCount == 1)
    fixture.iterate()
    #expect(fixture.eventLoop.connectionCount == 0)
    #expect(fixture.eventLoop.nextWakeUp ?? .max > fixture.now.monotonic)
  }

  /// A client that does not read, with more waiting output than the limit.
  private func slowReader(_ fixture: EventLoopFixture) -> Connection {
    let client = fixture.client()
    fixture.room[client.identifier] = 0
    fixture.send(Describe(), id: 1, from: client)
    return client
  }

  private func fixture() -> EventLoopFixture {
    var limits = Limits()
    limits.slowReaderBytes = 1000
    return EventLoopFixture(limits: limits)
  }

  private let slowReaderTime = Interval.seconds(Int64(Limits().slowReaderSeconds))

  @Test("a client that can read again gets its waiting output")
  func reader() {
    let fixture = fixture()
    let client = slowReader(fixture)
    fixture.pass(.seconds(3600))
    fixture.room[client.identifier] = nil
    fixture.iterate()
    #expect(fixture.eventLoop.connectionCount == 1)
    #expect(fixture.take(client).count == 1)
    fixture.pass(.seconds(3600))
    fixture.iterate()
    #expect(fixture.eventLoop.connectionCount == 1)
  }

  @Test("a client that reads a part of its output has the timeout once more, and only once")
  func readerOfSome() {
    let fixture = fixture()
    let client = slowReader(fixture)
    fixture.pass(.seconds(3600))
    fixture.room[client.identifier] = 10
    fixture.iterate()
    #expect(fixture.eventLoop.connectionCount == 1)
    fixture.pass(slowReaderTime)
    fixture.room[client.identifier] = 10
    fixture.iterate()
    #expect(fixture.eventLoop.connectionCount == 0)
  }

  @Test("the broker tries again to send the last reply to a client")
  func lastWords() {
    let fixture = EventLoopFixture()
    let client = fixture.client()
    fixture.room[client.identifier] = 0
    fixture.iterate {
      fixture.eventLoop.receive(EventLoopFixture.frame(Ping(), id: 1).span, from: client)
      fixture.eventLoop.finish(client)
    }
    fixture.pass(.seconds(3600))
    fixture.room[client.identifier] = nil
    fixture.iterate()
    #expect(fixture.take(client).first?.contains(#""id":1"#) == true)
    #expect(fixture.eventLoop.connectionCount == 0)
  }

  @Test("the broker waits for no answer after its last message")
  func farewell() {
    let fixture = EventLoopFixture()
    let holder = fixture.client(pid: 10)
    fixture.send(SceneConnect(name: "packing"), id: 1, from: holder)
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    let next = fixture.client(pid: 11)
    fixture.send(SceneConnect(name: "packing", takeOver: true), id: 1, from: next)
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    #expect(fixture.take(holder).last?.contains(#""reason":"replaced""#) == true)
    let timers = fixture.eventLoop.timers
    #expect(timers.due(.broker(.callback(next.identifier, 1))) != nil)
    #expect(timers.due(.broker(.callback(holder.identifier, 2))) == nil)
  }

  // MARK: - Time in which the broker did not run

  /// Whether the watchdog has disconnected the only scene.
  private func isCut(_ fixture: EventLoopFixture) -> Bool {
    fixture.eventLoop.broker.stored.sessions.values.first?.hold.end?.reason == .watchdog
  }

  private func passInRounds(_ time: Interval, _ fixture: EventLoopFixture) {
    fixture.pass(time)
    for _ in 0..<3 { fixture.iterate() }
  }

  @Test("no budget counts time in which the broker did not run")
  func missedBudget() {
    let fixture = EventLoopFixture()
    let client = fixture.client()
    fixture.send(packing, from: client)
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    passInRounds(.milliseconds(300), fixture)
    fixture.freeze(.seconds(3600))
    passInRounds(.seconds(0), fixture)
    let rest = Budgets().connect.nanoseconds - Interval.milliseconds(300).nanoseconds
    passInRounds(Interval(nanoseconds: rest - 1), fixture)
    #expect(!isCut(fixture))
    // The timer is due, and no iteration has read the client's input since.
    fixture.pass(Interval(nanoseconds: 1))
    fixture.iterate()
    fixture.freeze(.seconds(3600))
    fixture.unread = [client]
    fixture.iterate()
    #expect(!isCut(fixture))
    fixture.unread = []
    passInRounds(.seconds(0), fixture)
    #expect(isCut(fixture))
  }

  @Test("a stop during a wait ends no short budget")
  func missedShortBudget() {
    var manifest = Manifest.builtIn
    manifest.budgets.connect = .milliseconds(300)
    let fixture = EventLoopFixture(manifest: manifest)
    let client = fixture.client()
    fixture.send(packing, from: client)
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    let begin = fixture.now.monotonic
    var missedTime = MissedTime(at: begin)
    let left = (fixture.eventLoop.nextWakeUp ?? .max) - begin
    #expect(left == Interval.milliseconds(300).nanoseconds)
    missedTime.endIteration(at: begin, waiting: MissedTime.wait(before: left))
    let time = Interval.seconds(10).nanoseconds
    let missed = missedTime.beginIteration(at: begin + time)
    fixture.freeze(Interval(nanoseconds: missed))
    passInRounds(Interval(nanoseconds: time - missed), fixture)
    #expect(!isCut(fixture))
    passInRounds(.milliseconds(300), fixture)
    #expect(isCut(fixture))
  }

  @Test("the timeout of the first request does not count time in which the broker did not run")
  func missedGreeting() {
    let fixture = EventLoopFixture()
    _ = fixture.connect()
    fixture.freeze(.seconds(3600))
    passInRounds(.seconds(0), fixture)
    #expect(fixture.eventLoop.connectionCount == 1)
    passInRounds(.seconds(Int64(Limits().handshakeSeconds)), fixture)
    #expect(fixture.eventLoop.connectionCount == 0)
  }

  // MARK: - All connections

  private let packing = EventLoopFixture.frame(SceneConnect(name: "packing"), id: 1)

  /// A broker that starts after another broker was killed, while this client held its session.
  private func restarted() throws -> (fixture: EventLoopFixture, resume: SceneConnect) {
    let before = EventLoopFixture()
    before.send(packing, from: before.client(pid: 10))
    let stored = before.eventLoop.broker.stored
    let session = try #require(stored.sessions.values.first)
    let resume = SceneConnect(
      session: session.attributes.identifier,
      resume: Resume(state: .background, hold: session.hold.number))
    return (EventLoopFixture(recovered: stored), resume)
  }

  /// Whether the session stays reserved for its holder.
  private func isKept(_ fixture: EventLoopFixture) -> Bool {
    fixture.eventLoop.broker.stored.sessions.values.first?.hold.holder?.pid == 10
  }

  private func isResumed(_ client: Connection, _ fixture: EventLoopFixture) -> Bool {
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    return fixture.take(client).contains { $0.contains(#""reason":"resume""#) }
  }

  @Test("a session stays reserved for a holder whose input is unread after the grace period")
  func grace() throws {
    let (fixture, resume) = try restarted()
    fixture.pass(Broker.reservationTime)
    fixture.iterate()
    // The connection was in the listener's queue, with all its input.
    let client = fixture.connect(pid: 10)
    #expect(isKept(fixture))
    fixture.send(Self.initialize + EventLoopFixture.frame(resume, id: 2), from: client)
    #expect(isResumed(client, fixture))
  }

  @Test(
    "a session stays reserved while a client has unread input, for twice the grace period at most")
  func graceOfUnread() throws {
    let (fixture, _) = try restarted()
    let client = fixture.connect(pid: 10)
    fixture.pass(Broker.reservationTime)
    fixture.unread = [client]
    for _ in 0..<3 { fixture.iterate() }
    #expect(isKept(fixture))
    fixture.pass(Broker.reservationTime)
    fixture.iterate()
    #expect(!isKept(fixture))
  }

  @Test("a holder that waits for a reply before it resumes gets the missed time once more")
  func missedGrace() throws {
    let (fixture, resume) = try restarted()
    fixture.freeze(.seconds(3600))
    fixture.iterate()
    let client = fixture.connect(pid: 10)
    fixture.send(Self.initialize, from: client)
    for _ in 0..<3 { fixture.iterate() }
    #expect(isKept(fixture))
    fixture.send(resume, id: 2, from: client)
    #expect(isResumed(client, fixture))
  }

  @Test("a session that its holder does not resume in the grace period becomes free")
  func endOfGrace() throws {
    let (fixture, _) = try restarted()
    fixture.freeze(.seconds(3600))
    fixture.iterate()
    #expect(isKept(fixture))
    fixture.pass(Broker.reservationTime)
    fixture.iterate()
    fixture.iterate()
    #expect(!isKept(fixture))
  }

  /// The number of the request for the client's activity. The client answers the callbacks before
  /// it.
  private func asked(_ client: Connection, _ fixture: EventLoopFixture) -> Int64? {
    for _ in 0..<10 {
      fixture.sink.sync()
      fixture.iterate { fixture.eventLoop.journalDidProgress() }
      for text in fixture.take(client) where text.contains(#""method""#) {
        guard let match = text.firstMatch(of: /"id":([0-9]+)/), let number = Int64(match.1)
        else { continue }
        if text.contains("scene/stateRestorationActivity") { return number }
        fixture.send(answer(number, StateRestorationAnswer()), from: client)
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

  @Test("the broker saves an activity that waited in the socket at the end of a shutdown")
  func shutdown() throws {
    let fixture = EventLoopFixture()
    let client = fixture.client()
    fixture.send(packing, from: client)
    #expect(asked(client, fixture) == nil)
    fixture.iterate { fixture.eventLoop.terminate() }
    let callback = try #require(asked(client, fixture))
    fixture.pass(.seconds(3600))
    fixture.iterate()
    // One iteration reads only this part.
    let said = answer(callback, activity())
    fixture.unread = [client]
    fixture.send(ContiguousArray(said[..<5]), from: client)
    fixture.unread = []
    fixture.send(ContiguousArray(said[5...]), from: client)
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    #expect(fixture.eventLoop.broker.stored.sessions.values.first?.activity != nil)
    #expect(fixture.eventLoop.isStopping)
  }
}
