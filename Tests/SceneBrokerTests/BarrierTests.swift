import SceneModel
import Testing

@testable import SceneBroker

/// Nothing leaves before the disk has what it claims: each message says how much that is.
struct BarrierTests {
  /// The stamps of what was sent from here on.
  private func stamps(_ fixture: BrokerFixture, _ body: () -> Void) -> [UInt64] {
    let count = fixture.sent.count
    body()
    return fixture.sent[count...].map(\.after)
  }

  @Test("R21: a reply about a session leaves after the newest record of the session is on disk")
  func session() {
    let fixture = BrokerFixture()
    let (one, two) = (fixture.client(), fixture.client())
    // Made and held: two records each.
    #expect(stamps(fixture) { one.ask(.connect(SceneConnect(name: "one"))) } == [2, 2])
    #expect(stamps(fixture) { two.ask(.connect(SceneConnect(name: "two"))) } == [4, 4])
    #expect(stamps(fixture) { one.acknowledge() } == [2])
    let session = SessionIdentifier(high: 0, low: 1)
    #expect(
      stamps(fixture) { one.ask(.saveActivity(SaveActivity(session: session, activity: note(1)))) }
        == [5])
    #expect(stamps(fixture) { two.ask(.show(SessionShow(session: session))) } == [5])
    #expect(stamps(fixture) { two.ask(.show(SessionShow(name: "two"))) } == [4])
    #expect(stamps(fixture) { one.ask(.resolve(SessionResolve(word: "two"))) } == [4])
  }

  @Test("sets and absences carry the newest of all")
  func sets() {
    let fixture = BrokerFixture()
    let scene = fixture.client()
    scene.become("one")
    let unknown = SessionIdentifier(high: 9, low: 9)
    let requests: [ClientRequest] = [
      .list(SessionList()), .status(ApplicationStatus()), .show(SessionShow(session: unknown)),
      .show(SessionShow(name: "no")), .resolve(SessionResolve(word: "no")),
      .resolve(SessionResolve(word: "0000")), .reclaim(Reclaim()), .settle(Settle()),
    ]
    let control = fixture.control()
    for request in requests { #expect(stamps(fixture) { control.ask(request) } == [2]) }
  }

  @Test("a reply about no stored state waits for no record, even on a full disk")
  func nothing() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("one")
    fixture.handle(.storage(.behind))
    let requests: [ClientRequest] = [
      .ping(Ping()), .describe(Describe()), .observe(SessionObserve()),
      .returnError(ReturnError(reason: "noHost")), .show(SessionShow()),
      .saveActivity(SaveActivity(session: session, activity: note(1))),
      .connect(SceneConnect(new: true)),
    ]
    for request in requests { #expect(stamps(fixture) { control.ask(request) } == [0]) }
  }

  @Test("that there are as many sessions as there may be is told when that is on disk")
  func tooMany() {
    var limits = Limits()
    limits.sessions = 1
    let fixture = BrokerFixture(limits: limits)
    let scene = fixture.client()
    scene.become("one")
    #expect(stamps(fixture) { scene.ask(.connect(SceneConnect(new: true))) } == [2])
    #expect(scene.lastError?.reason == .tooMany)
    fixture.handle(.storage(.behind))
    #expect(stamps(fixture) { scene.ask(.connect(SceneConnect(new: true))) } == [0])
    #expect(scene.lastError?.reason == .tooMany, "it is the disk that is behind")
  }

  @Test("that all sessions together have as much as they may is told when that is on disk")
  func storedBytes() {
    var limits = Limits()
    limits.storedBytes = 1000
    let fixture = BrokerFixture(limits: limits)
    let scene = fixture.client()
    let session = scene.become("one")
    let large = note(byteCount: 1000)
    let requests: [ClientRequest] = [
      .saveActivity(SaveActivity(session: session, activity: large)),
      .disconnect(SceneDisconnect(session: session, activity: .value(large))),
      .connect(SceneConnect(new: true, title: String(repeating: "x", count: 900))),
    ]
    for request in requests {
      #expect(stamps(fixture) { scene.ask(request) } == [2])
      #expect(scene.lastError?.reason == .storageFull)
    }
  }

  @Test("once it is on disk, a session needs no stamp any more")
  func synced() {
    let fixture = BrokerFixture()
    let scene = fixture.client()
    let (one, two) = (scene.become("one"), scene.become("two"))
    fixture.handle(.synced(2))
    #expect(stamps(fixture) { scene.ask(.show(SessionShow(session: one))) } == [0])
    #expect(stamps(fixture) { scene.ask(.show(SessionShow(session: two))) } == [4])
    fixture.sync()
    #expect(stamps(fixture) { scene.ask(.show(SessionShow(session: two))) } == [0])
  }

  @Test("a discard is told of only when it is on disk")
  func discard() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("one")
    scene.close()
    control.ask(.observe(SessionObserve()))
    let number = UInt64(fixture.records.count)
    #expect(
      stamps(fixture) { control.ask(.destroy(RequestDestruction(sessions: [session]))) }
        == [number + 1, number + 1])
    #expect(control.heard.suffix(2) == ["3 {}", "discarded S1"])
  }

  @Test("the end of a scene is told of only when it is on disk")
  func end() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("one")
    control.ask(.observe(SessionObserve()))
    control.move(session, .background)
    fixture.sync()
    control.forget()
    // The reply, the phase, which is no session's, and the session.
    #expect(stamps(fixture) { scene.close() } == [3, 0, 3])
    #expect(control.heard == ["3 unattached", "changed S1 unattached after connectionLost"])
  }

  @Test("a client that loses its scene is told once that is on disk")
  func cut() {
    let fixture = BrokerFixture()
    let (old, new) = (fixture.client(), fixture.client())
    let session = old.become("one")
    let told = stamps(fixture) { new.ask(.connect(SceneConnect(session: session, takeOver: true))) }
    // The old one, the new one's answer and first callback; the phase is no session's.
    #expect(told == [3, 4, 4, 0, 0])
    #expect(old.heard.last == "didDisconnect S1 replaced")
  }

  @Test("a request that changes nothing also waits for the newest record of the session")
  func unchanged() {
    let fixture = BrokerFixture()
    let scene = fixture.client()
    let session = scene.become("one")
    let request = ClientRequest.saveActivity(SaveActivity(session: session, activity: note(1)))
    #expect(stamps(fixture) { scene.ask(request) } == [3])
    #expect(stamps(fixture) { scene.ask(request) } == [3])
  }

  @Test("the refusal of a new scene by all hosts is told when its session is gone from the disk")
  func denial() {
    let fixture = BrokerFixture()
    let (host, control) = (fixture.client(hosts: ["*"]), fixture.control())
    control.ask(.activate(RequestActivation(name: "packing")))
    // Made, held, ended, discarded.
    #expect(stamps(fixture) { host.acknowledge(.failed(message: "busy")) } == [4])
    #expect(fixture.records.count == 4)
    #expect(control.heard == ["2 requestDenied"])
  }

  @Test("those who wait for a new scene that is refused are told once its session is gone")
  func refusedNew() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    scene.ask(.connect(SceneConnect(name: "packing")))
    let session = SessionIdentifier(high: 0, low: 1)
    control.ask(.activate(RequestActivation(session: session)))
    control.move(session, .background)
    let number = UInt64(fixture.records.count)
    #expect(
      stamps(fixture) { scene.acknowledge(.failed(message: "no")) } == [number + 2])
    #expect(fixture.records.count == Int(number) + 2)
  }
}
