import SceneModel
import Testing

@testable import SceneClient

/// The end of a client: it closes its scenes in order, and ends its waiting requests.
struct StoppingRuleTests {
  @Test("a client that stops closes its scenes in order, then the connection")
  func stop() {
    var harness = MachineHarness.with()
    let close = SceneTransition(session: packing, to: .unattached, reason: .clientRequest)
    #expect(harness.take(.stopped()).asked == [ClientRequest(close)])
    for step in [
      Callback(.willResignActive, of: packing), .background(packing),
    ] {
      harness.callAndAnswer(step)
    }
    let farewell = harness.call(.didDisconnect(packing, .clientRequest))
    #expect(!farewell.contains(.close))
    #expect(
      harness.take(.answered(farewell.calls[0].number, .done)) == [
        .send(.answer(.number(6), .done)), .close, .update(.connection(.stopped(nil))), .stop(nil),
      ])
  }

  @Test("a client that another process or its terminal ends states the cause")
  func cause() {
    var harness = MachineHarness.with()
    let close = SceneTransition(
      session: packing, to: .unattached, reason: .clientRequest, cause: .hangup)
    #expect(harness.take(.stopped(by: .hangup)).asked == [ClientRequest(close)])
  }

  private func isStopped(_ actions: [ClientAction]) -> Bool { actions.contains(.stop(nil)) }

  private let closing = ClientRequest(
    SceneTransition(session: packing, to: .unattached, reason: .clientRequest))

  @Test(
    "a client that stops during a connect closes the new scene in order",
    arguments: [SceneConnect(new: true), SceneConnect(name: "packing")])
  func stopConnecting(message: SceneConnect) {
    var harness = MachineHarness.ready()
    let connect = harness.take(.requested(harness.token(), ClientRequest(message)))
    #expect(!isStopped(harness.take(.stopped())))
    let reply = SceneConnect.Reply(session: packing, reason: .launch, hold: 1)
    #expect(harness.reply(to: connect, BrokerReply(reply)).asked == [closing])
    #expect(!isStopped(harness.callAndAnswer(.willConnect(packing))))
    #expect(isStopped(harness.callAndAnswer(.didDisconnect(packing, .clientRequest))))
  }

  @Test("a client that stops during a connect ends when the connect is refused")
  func stopRefused() {
    var harness = MachineHarness.ready()
    let (token, connect) = harness.request(SceneConnect(name: "packing"))
    harness.take(.stopped())
    let actions = harness.refuse(connect, .sessionInUse, retry: .now)
    #expect(actions.finished[token]?.code == .sessionInUse)
    #expect(isStopped(actions))
  }

  @Test("a client that stops does not send a waiting connect")
  func stopBeforeConnect() {
    var harness = MachineHarness()
    let token = harness.request(SceneConnect(new: true)).token
    harness.take(.started)
    harness.take(.opened)
    let actions = harness.take(.stopped())
    #expect(actions.finished[token]?.code == .applicationStopped)
    #expect(actions.asked == [])
    #expect(isStopped(actions))
  }

  @Test("a client that stops while it reconnects a session also closes that scene in order")
  func stopReturning() {
    var harness = MachineHarness.with(in: .background)
    harness.callAndAnswer(.didDisconnect(packing, .shutdown))
    let back = harness.meetNext()
    #expect(back.asked.count == 1)
    #expect(!isStopped(harness.take(.stopped())))
    let reply = SceneConnect.Reply(session: packing, reason: .launch, hold: 2)
    #expect(harness.reply(to: back, BrokerReply(reply)).asked == [closing])
  }

  @Test("a client that stops does not repeat a refused request for a session")
  func stopNotReturning() {
    var harness = MachineHarness.with(in: .background)
    harness.callAndAnswer(.didDisconnect(packing, .shutdown))
    let back = harness.meetNext()
    harness.take(.stopped())
    #expect(isStopped(harness.refuse(back, .shuttingDown, retry: .later)))
  }

  @Test("a client that stops does not connect anew after another holder")
  func stopReplaced() {
    var harness = MachineHarness.with()
    let resume = harness.meetNext()
    harness.take(.stopped())
    let actions = harness.refuse(resume, .sessionNotHeld)
    #expect(actions.asked == [])
    #expect(actions.callbacks == [.didDisconnect(packing, .replaced)])
    #expect(isStopped(harness.take(.answered(actions.calls[0].number, .done))))
  }

  @Test("a client that stops without a broker ends at once")
  func stopAlone() {
    var harness = MachineHarness.with()
    let token = harness.token()
    harness.take(.lost())
    harness.take(.saveRequested(packing, note(1), token))
    let actions = harness.take(.stopped())
    #expect(actions.last == .stop(nil))
    #expect(actions.finished[token]?.code == .applicationStopped)
    #expect(actions.callbacks == [.didDisconnect(packing, .connectionLost)])
  }

  @Test("the activity in a resume without a reply is reported as lost")
  func stopResuming() {
    var harness = MachineHarness.with()
    harness.take(.saveRequested(packing, note(1), nil))
    harness.meetNext()
    harness.take(.stopped())
    let actions = harness.take(.due(.stopping))
    guard case .report(packing, note(1), let error)? = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(error.code == .applicationStopped)
    #expect(actions.callbacks == [.didDisconnect(packing, .connectionLost)])
  }

  @Test("a scene that hangs delays the end of a client for 30 s at most")
  func stopHung() {
    var harness = MachineHarness.with()
    let actions = harness.take(.stopped())
    #expect(actions.contains(.wake(.stopping, after: .seconds(30))))
    harness.call(Callback(.willResignActive, of: packing))
    #expect(harness.take(.due(.stopping)).last == .stop(nil))
  }

  @Test("a scene that is connecting counts when another one ends")
  func lastScene() {
    var harness = MachineHarness.with()
    let connect = harness.request(SceneConnect(name: "itinerary")).actions
    _ = harness.reply(to: connect, SceneConnect.Reply(session: itinerary, reason: .launch, hold: 1))
    harness.callAndAnswer(.didDisconnect(packing, .clientRequest))
    #expect(harness.machine.hasScene(besides: nil))
    #expect(!harness.machine.hasScene(besides: itinerary))
  }

  @Test("a scene that returns with the next broker counts when another one ends")
  func lastReturningScene() {
    var harness = MachineHarness.with()
    harness.callAndAnswer(.didDisconnect(packing, .shutdown))
    #expect(harness.machine.hasScene(besides: nil))
    let back = harness.meetNext()
    #expect(harness.machine.hasScene(besides: nil))
    _ = harness.refuse(back, .sessionNotFound)
    #expect(!harness.machine.hasScene(besides: nil))
  }

  @Test("while a client stops, its connected scenes extend their time and save their state")
  func lastRequests() {
    var harness = MachineHarness.with()
    harness.take(.stopped())
    let requests: [ClientRequest] = [
      ClientRequest(SceneExtend(session: packing, seconds: 60)),
      ClientRequest(SceneUpdate(session: packing, title: .value("Packing"))),
      ClientRequest(SetUserInfo(session: packing, userInfo: .empty)),
      ClientRequest(EventPost(topic: "news", kind: nil, payload: .empty)),
    ]
    for request in requests {
      #expect(harness.take(.requested(nil, request)).asked == [request])
    }
    harness.callAndAnswer(.background(packing))
    harness.call(.didDisconnect(packing, .clientRequest))
    for request in requests { #expect(harness.take(.requested(nil, request)).asked.isEmpty) }
  }

  @Test("while a client stops, it neither connects nor moves a scene")
  func noNewScenes() {
    var harness = MachineHarness.with()
    harness.take(.stopped())
    let requests: [ClientRequest] = [
      ClientRequest(SceneConnect(new: true)),
      ClientRequest(SceneExtend(session: itinerary, seconds: 60)),
      ClientRequest(SceneTransition(session: packing, to: .foregroundActive)),
    ]
    for request in requests {
      let token = harness.token()
      let actions = harness.take(.requested(token, request))
      #expect(actions.asked.isEmpty)
      #expect(actions.finished[token]?.code == .applicationStopped)
    }
  }

  @Test("at the end of a client, the error of a sent request says that its outcome is unknown")
  func outcome() throws {
    var harness = MachineHarness.ready()
    let token = harness.request(SessionList(limit: 1)).token
    guard case .failure(let error)? = harness.take(.stopped()).finished[token] else {
      Issue.record("the request has no error")
      return
    }
    #expect(error.code == .applicationStopped)
    #expect(error.message.contains("the broker may have carried out the request"))
  }

  @Test("a client that has ended sends no request")
  func afterEnd() {
    var harness = MachineHarness.ready()
    harness.take(.stopped())
    let token = harness.token()
    #expect(
      harness.take(.requested(token, ClientRequest(Ping()))).finished[token]?.code
        == .applicationStopped)
  }
}
