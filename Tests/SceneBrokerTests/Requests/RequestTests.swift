import SceneModel
import Testing

@testable import SceneBroker

/// The permission of requests, the connection and settle.
struct RequestTests {
  private static let session = SessionIdentifier(high: 9, low: 9)

  /// One valid request of each method.
  static let requests: [ClientRequest] = [
    .initialize(Initialize()), .connect(SceneConnect(session: session)),
    .disconnect(SceneDisconnect(session: session)),
    .transition(SceneTransition(session: session, to: .background)),
    .update(SceneUpdate(session: session)), .extend(SceneExtend(session: session, seconds: 1)),
    .beginAssertion(BeginAssertion(session: session, name: "a", seconds: 1)),
    .endAssertion(EndAssertion(assertion: 1)),
    .signal(SceneSignal(session: session, signal: "KILL")),
    .saveActivity(SaveActivity(session: session)),
    .setUserInfo(SetUserInfo(session: session, userInfo: .empty)),
    .setName(SetName(session: session)), .list(SessionList()), .show(SessionShow(session: session)),
    .resolve(SessionResolve(word: "packing")), .history(SessionHistory(session: session)),
    .restore(RestoreActivity(session: session, generation: 1)),
    .dataDirectory(DataDirectory(session: session)), .observe(SessionObserve()),
    .activate(RequestActivation(session: session)),
    .destroy(RequestDestruction(sessions: [session])),
    .refresh(RequestRefresh(sessions: [session])),
    .open(ApplicationOpen(.shortcut(shortcut("new")))),
    .route(ApplicationRoute(targetContentIdentifier: "x")), .status(ApplicationStatus()),
    .manifest(ApplicationManifest()), .updateEnvironment(UpdateEnvironment()), .reclaim(Reclaim()),
    .memoryWarning(MemoryWarning()),
    .timeChange(SignificantTimeChange()), .terminate(Terminate()), .post(EventPost(topic: "news")),
    .observeEvents(EventObserve(topic: "news")), .ceaseEvents(EventCease(topic: "news")),
    .listTopics(TopicList()),
    .trace(TraceObserve()), .ping(Ping()),
    .describe(Describe()), .settle(Settle()), .reload(Reload()),
    .advanceClock(AdvanceClock(seconds: 1)),
    .fault(InjectFault(at: .replySent, .before)), .returnError(ReturnError(reason: "noHost")),
  ]

  @Test("the samples have a request for every method")
  func complete() {
    #expect(Self.requests.map(\.method) == RequestMethod.all)
  }

  @Test(
    "scenes and controls may change sessions, only controls may act on the application",
    arguments: ClientKind.allCases)
  func permissions(kind: ClientKind) {
    for request in Self.requests {
      let fixture = BrokerFixture(clock: .virtual, allowsFaults: true)
      let client = fixture.client("a", as: kind)
      client.ask(request)
      let isAllowed =
        switch request.method.permission {
        case .anyone: true
        case .changers: kind != .observer
        case .controls: kind == .control
        }
      #expect(
        (client.lastError?.reason == .notPermitted) == !isAllowed, "\(request.method)")
    }
  }

  @Test(
    "a request before initialize is an error, and the connection stays",
    arguments: requests.dropFirst())
  func notInitialized(request: ClientRequest) {
    let fixture = BrokerFixture()
    let client = fixture.open()
    #expect(client.hears(request) == ["1 notInitialized"])
    #expect(client.isOpen)
    #expect(client.hears(.initialize(Initialize())) == ["2 initialized background"])
  }

  @Test("this connection is already initialized")
  func twice() {
    let fixture = BrokerFixture()
    #expect(fixture.client().hears(.initialize(Initialize())) == ["2 alreadyInitialized"])
  }

  @Test("without a common version the error has both ranges, and the connection closes")
  func versions() {
    let fixture = BrokerFixture()
    let client = fixture.open()
    var message = Initialize()
    message.protocolRange.min = 2
    message.protocolRange.max = 3
    #expect(client.hears(.initialize(message)) == ["1 unsupportedProtocol"])
    #expect(
      client.lastError?.message
        == "no common protocol version: the broker supports 1 to 1, the client 2 to 3")
    #expect(fixture.closes == [client.connection])
  }

  @Test("the newest common version is used", arguments: [(1, 1), (0, 5), (-1, 1)])
  func commonVersion(min: Int64, max: Int64) {
    let fixture = BrokerFixture()
    let client = fixture.open()
    var message = Initialize()
    (message.protocolRange.min, message.protocolRange.max) = (min, max)
    client.ask(.initialize(message))
    guard case .initialized(let reply)? = client.lastReply else {
      Issue.record("refused")
      return
    }
    #expect(reply.version == 1)
    #expect(reply.limits.frameBytes == 1 << 20)
    #expect(reply.limits.activityBytes == 256 << 10)
  }

  @Test("input of a closing connection is ignored")
  func lastWord() {
    let fixture = BrokerFixture()
    let scene = fixture.client()
    let session = scene.become("packing")
    fixture.closesAtOnce = false
    fixture.handle(.answered(scene.connection, callback: 99, .done))
    #expect(fixture.closes == [scene.connection])
    let (sent, records, trace) = (fixture.sent, fixture.records, fixture.trace)
    let save = ClientRequest.saveActivity(SaveActivity(session: session))
    fixture.handle(.requested(scene.connection, .number(9), save.method, save))
    fixture.handle(.answered(scene.connection, callback: 98, .done))
    #expect(fixture.closes == [scene.connection])
    #expect(fixture.sent == sent)
    #expect(fixture.records == records)
    #expect(fixture.trace == trace)
  }

  @Test("broker/returnError returns every error by name", arguments: ErrorReason.all.map(\.name))
  func returnError(name: String) {
    let fixture = BrokerFixture()
    let client = fixture.client("a", as: .observer)
    client.ask(.returnError(ReturnError(reason: name)))
    #expect(client.lastError?.reason.name == name)
  }

  @Test("broker/returnError refuses an unknown name")
  func noSuchError() {
    let fixture = BrokerFixture()
    #expect(
      fixture.controlHears(.returnError(ReturnError(reason: "whim"))) == ["2 invalidParams"])
  }

  @Test("settle waits for steps and deliveries of other clients, not of the requester")
  func settle() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    #expect(control.hears(.settle(Settle())) == ["2 {}"])
    scene.ask(.connect(SceneConnect(name: "packing")))
    #expect(control.hears(.settle(Settle())) == [])
    #expect(scene.hears(.settle(Settle())) == ["3 {}"])
    scene.acknowledge()
    scene.acknowledge()
    #expect(control.heard == [])
    scene.acknowledge()
    #expect(control.heard == ["3 {}"])
  }

  @Test("settle does not wait for the scenes of an excepted process")
  func settleExcept() {
    let fixture = BrokerFixture()
    let (hung, scene, control) = (fixture.client(), fixture.client(), fixture.control())
    hung.ask(.connect(SceneConnect(name: "packing")))
    scene.ask(.connect(SceneConnect(name: "itinerary")))
    let except = Settle(except: [hung.process.pid])
    #expect(control.hears(.settle(except)) == [])
    scene.acknowledgeAll()
    #expect(control.heard == ["2 {}"])
    #expect(control.hears(.settle(Settle(except: [scene.process.pid]))) == [])
    hung.acknowledgeAll()
    #expect(control.heard == ["3 {}"])
  }

  @Test("settle waits for the request of an activity, and for requests that wait for an end")
  func settleWaits() {
    let fixture = BrokerFixture()
    let (scene, other, control) = (fixture.client(), fixture.client(), fixture.control())
    let session = scene.become("packing")
    control.move(session, .background)
    scene.acknowledge()
    scene.acknowledge()
    control.forget()
    #expect(control.hears(.settle(Settle())) == [])
    scene.acknowledge()
    #expect(control.heard == ["2 background", "3 {}"])
    fixture.dying = [scene.process]
    other.ask(.connect(SceneConnect(name: "packing")))
    #expect(control.hears(.settle(Settle())) == [])
    scene.close()
    #expect(control.heard == [])
    other.acknowledgeAll()
    #expect(control.heard == ["4 {}"])
  }

  @Test("all settle requests use the same set of busy connections")
  func busy() {
    let fixture = BrokerFixture()
    let (one, two, control) = (fixture.client(), fixture.client(), fixture.control())
    one.ask(.connect(SceneConnect(new: true)))
    one.ask(.connect(SceneConnect(new: true)))
    two.become("packing")
    #expect(fixture.broker.busyHolders == [one.connection])
    #expect(one.hears(.settle(Settle())) == ["4 {}"])
    #expect(two.hears(.settle(Settle())) == [])
    #expect(control.hears(.settle(Settle(except: [one.process.pid, 1]))) == ["2 {}"])
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
    other.ask(.activate(RequestActivation(session: session)))
    #expect(control.hears(.settle(Settle())) == ["2 {}"])
  }

  @Test("the reply to settle follows all notifications of the round")
  func settleComesLast() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("packing")
    control.ask(.observe(SessionObserve()))
    fixture.endsRounds = false
    scene.ask(.setName(SetName(session: session, name: "unpacking")))
    #expect(control.hears(.settle(Settle())) == [])
    fixture.endRound()
    #expect(control.heard == ["changed S1 foregroundActive", "3 {}"])
  }

  @Test("settle without an identifier does nothing")
  func settleUnanswered() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    scene.ask(.connect(SceneConnect(name: "packing")))
    for _ in 0..<10 { control.tell(.settle(Settle())) }
    #expect(fixture.broker.conditionWaiters[.settled].isEmpty)
  }

  @Test("a hung scene does not collect the requests of closed connections")
  func arrivalsAreBounded() {
    let fixture = BrokerFixture()
    let scene = fixture.client()
    let session = scene.become("packing", background: true)
    scene.move(session, .foregroundActive)
    for _ in 0..<600 {
      let control = fixture.control()
      control.ask(.activate(RequestActivation(session: session)))
      control.tell(.activate(RequestActivation(session: session)))
      control.close()
    }
    #expect(fixture.broker.pending.waiters(of: session).count <= 512)
    let control = fixture.control()
    control.ask(.destroy(RequestDestruction(sessions: [session])))
    scene.acknowledgeAll()
    #expect(control.heard == ["2 {}"])
    #expect(fixture.broker.pending.sessions.isEmpty)
  }
}
