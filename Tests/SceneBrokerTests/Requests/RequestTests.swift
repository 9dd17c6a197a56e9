import SceneModel
import Testing

@testable import SceneBroker

/// The permission of requests, the connection and settle.
final class RequestTests: BrokerSuite {
  /// A request of each method, without content.
  static let requests: [any RequestMessage] = RequestMethod.all.map { $0.message.init() }

  @Test(
    "scenes and controls may change sessions, only controls may act on the application",
    arguments: ClientKind.allCases)
  func permissions(kind: ClientKind) {
    for request in Self.requests {
      let fixture = BrokerFixture(clock: .virtual, allowsFaults: true)
      let client = fixture.client("a", as: kind)
      client.ask(request)
      let isAllowed =
        switch type(of: request).permission {
        case .anyone: true
        case .changers: kind != .observer
        case .controls: kind == .control
        }
      #expect(
        (client.lastError?.reason == .notPermitted) == !isAllowed, "\(request)")
    }
  }

  @Test(
    "a request before initialize is an error, and the connection stays",
    arguments: requests.dropFirst())
  func notInitialized(request: any RequestMessage) {
    let client = fixture.open()
    #expect(client.hears(request) == ["1 notInitialized"])
    #expect(client.isOpen)
    #expect(client.hears(Initialize()) == ["2 initialized background"])
  }

  @Test("without a common version the error has both ranges, and the connection closes")
  func versions() {
    let client = fixture.open()
    var message = Initialize()
    message.protocolRange.min = 2
    message.protocolRange.max = 3
    #expect(client.hears(message) == ["1 unsupportedProtocol"])
    #expect(
      client.lastError?.message
        == "no common protocol version: the broker supports 1 to 1, the client 2 to 3")
    #expect(fixture.closes == [client.connection])
  }

  @Test("the newest common version is used", arguments: [(1, 1), (0, 5), (-1, 1)])
  func commonVersion(min: Int64, max: Int64) throws {
    let client = fixture.open()
    var message = Initialize()
    (message.protocolRange.min, message.protocolRange.max) = (min, max)
    client.ask(message)
    let reply = try #require(client.lastReply?.content as? Initialize.Reply)
    #expect(reply.version == 1)
    #expect(reply.limits.frameBytes == 1 << 20)
    #expect(reply.limits.activityBytes == 256 << 10)
  }

  @Test("input of a closing connection is ignored")
  func lastWord() {
    let session = scene.become("packing")
    fixture.closesAtOnce = false
    fixture.handle(.answered(scene.connection, callback: 99, .done))
    #expect(fixture.closes == [scene.connection])
    let (sent, records, trace) = (fixture.sent, fixture.records, fixture.trace)
    let save = SaveActivity(session: session)
    fixture.request(scene.connection, .number(9), save)
    fixture.handle(.answered(scene.connection, callback: 98, .done))
    #expect(fixture.closes == [scene.connection])
    #expect(fixture.sent == sent)
    #expect(fixture.records == records)
    #expect(fixture.trace == trace)
  }

  @Test("broker/returnError returns every error by name", arguments: ErrorReason.all.map(\.name))
  func returnError(name: String) {
    let client = fixture.client("a", as: .observer)
    client.ask(ReturnError(reason: name))
    #expect(client.lastError?.reason.name == name)
  }

  @Test("broker/returnError refuses an unknown name")
  func noSuchError() {
    #expect(
      control.hears(ReturnError(reason: "whim")) == ["2 invalidParams"])
  }

  @Test("settle waits for steps and deliveries of other clients, not of the requester")
  func settle() {
    #expect(control.hears(Settle()) == ["2 {}"])
    scene.ask(SceneConnect(name: "packing"))
    #expect(control.hears(Settle()) == [])
    #expect(scene.hears(Settle()) == ["3 {}"])
    scene.acknowledge()
    scene.acknowledge()
    #expect(control.heard == [])
    scene.acknowledge()
    #expect(control.heard == ["3 {}"])
  }

  @Test("settle does not wait for the scenes of an excepted process")
  func settleExcept() {
    let (hung, scene, control) = (fixture.client(), fixture.client(), fixture.control())
    hung.ask(SceneConnect(name: "packing"))
    scene.ask(SceneConnect(name: "itinerary"))
    let except = Settle(except: [hung.process.pid])
    #expect(control.hears(except) == [])
    scene.acknowledgeAll()
    #expect(control.heard == ["2 {}"])
    #expect(control.hears(Settle(except: [scene.process.pid])) == [])
    hung.acknowledgeAll()
    #expect(control.heard == ["3 {}"])
  }

  @Test("settle waits for the request of an activity, and for requests that wait for an end")
  func settleWaits() {
    let session = scene.become("packing")
    control.move(session, .background)
    scene.acknowledge()
    scene.acknowledge()
    control.forget()
    #expect(control.hears(Settle()) == [])
    scene.acknowledge()
    #expect(control.heard == ["2 background", "3 {}"])
    fixture.dying = [scene.process]
    other.ask(SceneConnect(name: "packing"))
    #expect(control.hears(Settle()) == [])
    scene.close()
    #expect(control.heard == [])
    other.acknowledgeAll()
    #expect(control.heard == ["4 {}"])
  }

  @Test("all settle requests use the same set of busy connections")
  func busy() {
    let (one, two, control) = (fixture.client(), fixture.client(), fixture.control())
    one.ask(SceneConnect(new: true))
    one.ask(SceneConnect(new: true))
    two.become("packing")
    #expect(fixture.broker.busyHolders == [one.connection])
    #expect(one.hears(Settle()) == ["4 {}"])
    #expect(two.hears(Settle()) == [])
    #expect(control.hears(Settle(except: [one.process.pid, 1])) == ["2 {}"])
    one.acknowledgeAll()
    #expect(fixture.broker.busyHolders.isEmpty)
    #expect(two.heard == ["3 {}"])
  }

  @Test("settle does not wait for timers")
  func settleAndTime() {
    let before = BrokerFixture()
    let scene = before.client(pid: 50)
    let session = scene.become("packing")
    let fixture = before.crashed(living: [scene.process])
    let (control, other) = (fixture.control(), fixture.control())
    other.ask(RequestActivation(session: session))
    #expect(control.hears(Settle()) == ["2 {}"])
  }

  @Test("the reply to settle follows all notifications of the round")
  func settleComesLast() {
    let session = scene.become("packing")
    control.ask(SessionObserve())
    fixture.endsRounds = false
    scene.ask(SetName(session: session, name: "unpacking"))
    #expect(control.hears(Settle()) == [])
    fixture.endRound()
    #expect(control.heard == ["changed S1 foregroundActive", "3 {}"])
  }

  @Test("settle without an identifier does nothing")
  func settleUnanswered() {
    scene.ask(SceneConnect(name: "packing"))
    for _ in 0..<10 { control.tell(Settle()) }
    #expect(fixture.broker.conditionWaiters[.settled].isEmpty)
  }

  @Test("a hung scene does not collect the requests of closed connections")
  func arrivalsAreBounded() {
    let session = scene.become("packing", background: true)
    scene.move(session, .foregroundActive)
    for _ in 0..<600 {
      let control = fixture.control()
      control.ask(RequestActivation(session: session))
      control.tell(RequestActivation(session: session))
      control.ask(RequestRefresh(sessions: [session]))
      control.close()
    }
    #expect(fixture.broker.pending.waiters(of: session).count <= 512)
    control.ask(RequestDestruction(sessions: [session]))
    scene.acknowledgeAll()
    #expect(control.heard == ["2 {}"])
    #expect(fixture.broker.pending.sessions.isEmpty)
  }
}
