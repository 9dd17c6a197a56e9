import SceneBroker
import SceneJSON
import SceneModel
import SceneWire
import Testing

@testable import SceneServer

/// A broker that was stopped or late does not count the time in which it did not read. Before it
/// closes a connection, it reads the waiting input and sends the waiting output.
struct LateBrokerTests {
  private let fixture = EventLoopFixture()

  private static let initialize = EventLoopFixture.frame(
    Initialize(client: ClientName(name: "late", version: ""), as: .scene), id: 1)

  @Test("the broker reads a first request that waited in the socket")
  func greeting() {
    let client = fixture.connect()
    fixture.pass(.seconds(3600))
    // The timer is due. The next iteration reports the waiting input.
    fixture.iterate()
    fixture.send(Self.initialize, from: client)
    fixture.iterate()
    #expect(fixture.take(client).first?.contains(#""result""#) == true)
    #expect(fixture.connectionCount == 1)
  }

  @Test("the broker reads the rest of a frame that waited in the socket")
  func frame() {
    let client = fixture.client()
    let frame = EventLoopFixture.frame(Ping(), id: 1)
    fixture.send(ContiguousArray(frame[..<5]), from: client)
    fixture.pass(.seconds(3600), iterations: 1)
    fixture.send(ContiguousArray(frame[5...]), from: client)
    fixture.iterate()
    #expect(fixture.take(client).first?.contains(#""result""#) == true)
    #expect(fixture.connectionCount == 1)
  }

  @Test("the next incomplete frame has its own timeout")
  func nextFrame() {
    let client = fixture.client()
    let frame = EventLoopFixture.frame(Ping(), id: 1)
    fixture.send(ContiguousArray(frame[..<5]), from: client)
    fixture.pass(.seconds(3600), iterations: 1)
    fixture.send(ContiguousArray(frame[5...]) + frame[..<5], from: client)
    fixture.iterate()
    fixture.iterate()
    #expect(fixture.connectionCount == 1)
    fixture.pass(.seconds(Int64(Limits().frameSeconds)), iterations: 2)
    #expect(fixture.connectionCount == 0)
  }

  @Test("a client that never stops sending is disconnected after twice the timeout")
  func flooder() {
    let client = fixture.connect()
    fixture.pass(.seconds(Int64(Limits().handshakeSeconds)))
    fixture.unread = [client]
    fixture.iterate()
    fixture.iterate()
    #expect(fixture.connectionCount == 1)
    fixture.pass(.seconds(Int64(Limits().handshakeSeconds)), iterations: 1)
    #expect(fixture.connectionCount == 0)
  }

  @Test("a full read keeps a connection open only until an iteration without input")
  func fullRead() {
    let client = fixture.connect()
    fixture.pass(.seconds(Int64(Limits().handshakeSeconds)))
    fixture.unread = [client]
    fixture.iterate()
    fixture.unread = []
    #expect(fixture.connectionCount == 1)
    fixture.iterate()
    #expect(fixture.connectionCount == 0)
    #expect(fixture.eventLoop.nextWakeUp ?? .max > fixture.now.monotonic)
  }

  /// A client that does not read, with more waiting output than the limit.
  private func slowReader(_ fixture: EventLoopFixture) -> Connection {
    let client = fixture.client()
    fixture.room[client.identifier] = 0
    fixture.send(Describe(), id: 1, from: client)
    return client
  }

  private func fixtureWithSmallOutput() -> EventLoopFixture {
    var limits = Limits()
    limits.slowReaderBytes = 1000
    return EventLoopFixture(limits: limits)
  }

  private let slowReaderTime = Interval.seconds(Int64(Limits().slowReaderSeconds))

  @Test("a client that can read again gets its waiting output")
  func reader() {
    let fixture = fixtureWithSmallOutput()
    let client = slowReader(fixture)
    fixture.pass(.seconds(3600))
    fixture.room[client.identifier] = nil
    fixture.iterate()
    #expect(fixture.connectionCount == 1)
    #expect(fixture.take(client).count == 1)
    fixture.pass(.seconds(3600), iterations: 1)
    #expect(fixture.connectionCount == 1)
  }

  @Test("a client that reads a part of its output has the timeout once more, and only once")
  func readerOfSome() {
    let fixture = fixtureWithSmallOutput()
    let client = slowReader(fixture)
    fixture.pass(.seconds(3600))
    fixture.room[client.identifier] = 10
    fixture.iterate()
    #expect(fixture.connectionCount == 1)
    fixture.pass(slowReaderTime)
    fixture.room[client.identifier] = 10
    fixture.iterate()
    #expect(fixture.connectionCount == 0)
  }

  @Test("the broker tries again to send the last reply to a client")
  func lastWords() {
    let client = fixture.client()
    fixture.room[client.identifier] = 0
    fixture.iterate {
      fixture.receive(Ping(), id: 1, from: client)
      fixture.eventLoop.finish(client)
    }
    fixture.pass(.seconds(3600))
    fixture.room[client.identifier] = nil
    fixture.iterate()
    #expect(fixture.take(client).first?.contains(#""id":1"#) == true)
    #expect(fixture.connectionCount == 0)
  }

  @Test("the broker waits for no answer after its last message")
  func farewell() {
    let holder = fixture.client(pid: 10)
    fixture.connectScene(from: holder)
    let next = fixture.client(pid: 11)
    fixture.send(SceneConnect(name: "packing", takeOver: true), id: 1, from: next)
    fixture.sync()
    #expect(fixture.take(holder).last?.contains(#""reason":"replaced""#) == true)
    let timers = fixture.eventLoop.timers
    #expect(timers.due(.broker(.callback(next.identifier, 1))) != nil)
    #expect(timers.due(.broker(.callback(holder.identifier, 2))) == nil)
  }

  // MARK: - Time in which the broker did not run

  private func isCut(_ fixture: EventLoopFixture) -> Bool {
    fixture.session?.hold.end?.reason == .watchdog
  }

  @Test("no budget counts time in which the broker did not run")
  func missedBudget() {
    let client = fixture.client()
    fixture.send(packing, from: client)
    fixture.sync()
    fixture.pass(.milliseconds(300), iterations: 3)
    fixture.freeze(.seconds(3600))
    fixture.pass(.seconds(0), iterations: 3)
    let rest = Budgets().connect.nanoseconds - Interval.milliseconds(300).nanoseconds
    fixture.pass(Interval(nanoseconds: rest - 1), iterations: 3)
    #expect(!isCut(fixture))
    // The timer is due, and no iteration has read the client's input since.
    fixture.pass(Interval(nanoseconds: 1), iterations: 1)
    fixture.freeze(.seconds(3600))
    fixture.unread = [client]
    fixture.iterate()
    #expect(!isCut(fixture))
    fixture.unread = []
    fixture.pass(.seconds(0), iterations: 3)
    #expect(isCut(fixture))
  }

  @Test("the timeout of the first request does not count time in which the broker did not run")
  func missedGreeting() {
    _ = fixture.connect()
    fixture.freeze(.seconds(3600))
    fixture.pass(.seconds(0), iterations: 3)
    #expect(fixture.connectionCount == 1)
    fixture.pass(.seconds(Int64(Limits().handshakeSeconds)), iterations: 3)
    #expect(fixture.connectionCount == 0)
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
    fixture.session?.hold.holder?.pid == 10
  }

  private func isResumed(_ client: Connection, _ fixture: EventLoopFixture) -> Bool {
    fixture.sync()
    return fixture.take(client).contains { $0.contains(#""reason":"resume""#) }
  }

  @Test("a session stays reserved for a holder whose input is unread after the grace period")
  func grace() throws {
    let (fixture, resume) = try restarted()
    fixture.pass(.reservation, iterations: 1)
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
    fixture.pass(.reservation)
    fixture.unread = [client]
    for _ in 0..<3 { fixture.iterate() }
    #expect(isKept(fixture))
    fixture.pass(.reservation, iterations: 1)
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
    fixture.pass(.reservation, iterations: 2)
    #expect(!isKept(fixture))
  }

  /// The number of the request for the client's activity. The client answers the callbacks before
  /// it.
  private func asked(_ client: Connection) -> Int64? {
    for _ in 0..<10 {
      fixture.sync()
      for text in fixture.take(client) where text.contains(#""method""#) {
        guard let match = text.firstMatch(of: /"id":([0-9]+)/), let number = Int64(match.1)
        else { continue }
        if text.contains("scene/stateRestorationActivity") { return number }
        fixture.send(EventLoopFixture.answer(to: number), from: client)
      }
    }
    return nil
  }

  private func activity() -> StateRestorationAnswer {
    let text = #"{"activityType":"late","userInfo":{}}"#
    return StateRestorationAnswer(
      activity: .value(Activity(unchecked: RawJSON(unchecked: ContiguousArray(text.utf8)))))
  }

  @Test("the broker saves an activity that waited in the socket at the end of a shutdown")
  func shutdown() throws {
    let client = fixture.client()
    fixture.send(packing, from: client)
    #expect(asked(client) == nil)
    fixture.iterate { fixture.eventLoop.terminate() }
    let callback = try #require(asked(client))
    fixture.pass(.seconds(3600), iterations: 1)
    // One iteration reads only this part.
    let said = EventLoopFixture.answer(to: callback, activity())
    fixture.unread = [client]
    fixture.send(ContiguousArray(said[..<5]), from: client)
    fixture.unread = []
    fixture.send(ContiguousArray(said[5...]), from: client)
    fixture.sync()
    #expect(fixture.session?.activity != nil)
    #expect(fixture.eventLoop.isStopping)
  }
}
