import SceneModel
import Testing

@testable import SceneBroker

/// A message leaves after the disk has the records that it describes. It names the newest one.
final class BarrierTests: BrokerSuite {
  /// The record numbers of the messages that the body causes.
  private func stamps(_ fixture: BrokerFixture, _ body: () -> Void) -> [UInt64] {
    let count = fixture.sent.count
    body()
    return fixture.sent[count...].map(\.after)
  }

  @Test("R21: a reply about a session leaves after the newest record of the session is on disk")
  func session() {
    let (one, two) = (fixture.client(), fixture.client())
    // Made and held: two records each.
    #expect(stamps(fixture) { one.ask(SceneConnect(name: "one")) } == [2, 2])
    #expect(stamps(fixture) { two.ask(SceneConnect(name: "two")) } == [4, 4])
    #expect(stamps(fixture) { one.acknowledge() } == [2])
    let session = SessionIdentifier(high: 0, low: 1)
    #expect(
      stamps(fixture) { one.ask(SaveActivity(session: session, activity: note(1))) }
        == [5])
    #expect(stamps(fixture) { two.ask(SessionShow(session: session)) } == [5])
    #expect(stamps(fixture) { two.ask(SessionShow(name: "two")) } == [4])
    #expect(stamps(fixture) { one.ask(SessionResolve(word: "two")) } == [4])
  }

  @Test("a reply about several sessions or an absent one waits for the newest record of all")
  func sets() {
    scene.become("one")
    let unknown = SessionIdentifier(high: 9, low: 9)
    let requests: [any RequestMessage] = [
      SessionList(), ApplicationStatus(), SessionShow(session: unknown),
      SessionShow(name: "no"), SessionResolve(word: "no"),
      SessionResolve(word: "0000"), Reclaim(), Settle(),
    ]
    let control = fixture.control()
    for request in requests { #expect(stamps(fixture) { control.ask(request) } == [2]) }
  }

  @Test("a reply about no stored state waits for no record, even on a full disk")
  func nothing() {
    let session = scene.become("one")
    fixture.handle(.storage(.behind))
    let requests: [any RequestMessage] = [
      Ping(), Describe(), SessionObserve(),
      ReturnError(reason: "noHost"), SessionShow(),
      SaveActivity(session: session, activity: note(1)),
      SceneConnect(new: true),
    ]
    let control = fixture.control()
    for request in requests { #expect(stamps(fixture) { control.ask(request) } == [0]) }
  }

  @Test("the error of the session limit waits for the newest record of all")
  func tooMany() {
    let fixture = BrokerFixture(limits: .with(\.sessions, 1))
    let scene = fixture.client()
    scene.become("one")
    #expect(stamps(fixture) { scene.ask(SceneConnect(new: true)) } == [2])
    #expect(scene.lastError?.reason == .tooMany)
    fixture.handle(.storage(.behind))
    #expect(stamps(fixture) { scene.ask(SceneConnect(new: true)) } == [0])
    #expect(scene.lastError?.reason == .tooMany, "it is the disk that is behind")
  }

  @Test("the error of the byte limit waits for the newest record of all")
  func storedBytes() {
    let fixture = BrokerFixture(limits: .with(\.storedBytes, 1000))
    let scene = fixture.client()
    let session = scene.become("one")
    let large = note(byteCount: 1000)
    let requests: [any RequestMessage] = [
      SaveActivity(session: session, activity: large),
      SceneDisconnect(session: session, activity: .value(large)),
      SceneConnect(new: true, title: String(repeating: "x", count: 900)),
    ]
    for request in requests {
      #expect(stamps(fixture) { scene.ask(request) } == [2])
      #expect(scene.lastError?.reason == .storageFull)
    }
  }

  @Test("a message about a session waits for no record that the disk has")
  func synced() {
    let (one, two) = (scene.become("one"), scene.become("two"))
    fixture.handle(.synced(2))
    #expect(stamps(fixture) { scene.ask(SessionShow(session: one)) } == [0])
    #expect(stamps(fixture) { scene.ask(SessionShow(session: two)) } == [4])
    fixture.sync()
    #expect(stamps(fixture) { scene.ask(SessionShow(session: two)) } == [0])
  }

  @Test("every message about a discard waits for its record")
  func discard() {
    let session = scene.become("one")
    scene.close()
    control.ask(SessionObserve())
    let number = UInt64(fixture.records.count)
    #expect(
      stamps(fixture) { control.ask(RequestDestruction(sessions: [session])) }
        == [number + 1, number + 1])
    #expect(control.heard.suffix(2) == ["3 {}", "discarded S1"])
  }

  @Test("every message about the end of a scene waits for its record")
  func end() {
    let session = scene.become("one")
    control.ask(SessionObserve())
    control.move(session, .background)
    fixture.sync()
    control.forget()
    // The reply, the phase, which waits for no record, and the session.
    #expect(stamps(fixture) { scene.close() } == [3, 0, 3])
    #expect(control.heard == ["3 unattached", "changed S1 unattached after connectionLost"])
  }

  @Test("didDisconnect of a take-over waits for the record of the end")
  func takeOver() {
    let (old, new) = (fixture.client(), fixture.client())
    let session = old.become("one")
    let numbers = stamps(fixture) {
      new.ask(SceneConnect(session: session, takeOver: true))
    }
    // The old client, the new client's reply and first callback; the phase waits for no record.
    #expect(numbers == [3, 4, 4, 0, 0])
    #expect(old.heard.last == "didDisconnect S1 replaced")
  }

  @Test("a request that changes nothing also waits for the newest record of the session")
  func unchanged() {
    let session = scene.become("one")
    let request = SaveActivity(session: session, activity: note(1))
    #expect(stamps(fixture) { scene.ask(request) } == [3])
    #expect(stamps(fixture) { scene.ask(request) } == [3])
  }

  @Test("the error after the last host waits for the discard of the new session")
  func denial() {
    let (host, control) = (fixture.client(hosts: ["*"]), fixture.control())
    control.ask(RequestActivation(name: "packing"))
    // Made, held, ended, discarded.
    #expect(stamps(fixture) { host.acknowledge(.failed(message: "busy")) } == [4])
    #expect(fixture.records.count == 4)
    #expect(control.heard == ["2 requestDenied"])
  }

  @Test("the replies to waiters of a refused new scene wait for the discard of its session")
  func refusedNew() {
    scene.ask(SceneConnect(name: "packing"))
    let session = SessionIdentifier(high: 0, low: 1)
    control.ask(RequestActivation(session: session))
    control.move(session, .background)
    let number = UInt64(fixture.records.count)
    #expect(
      stamps(fixture) { scene.acknowledge(.failed(message: "no")) } == [number + 2])
    #expect(fixture.records.count == Int(number) + 2)
  }
}
