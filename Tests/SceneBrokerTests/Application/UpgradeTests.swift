import SceneModel
import Testing

@testable import SceneBroker

/// The last input before another program takes the broker's place.
@Suite("The last input before an upgrade")
final class UpgradeInputTests: BrokerSuite {
  init() { super.init(.launching("Note")) }

  @Test("each request that waits for a client is refused, except an activation")
  func waiting() {
    let session = scene.become("packing")
    control.move(session, .background)
    control.ask(RequestActivation(session: session))
    control.ask(RequestRefresh(sessions: [session]))
    control.ask(SessionPing(session: session, seconds: 5))
    control.ask(Settle())
    control.forget()
    fixture.upgrade()
    #expect(
      Set(control.heard)
        == Set([4, 5, 6].map { "\($0) shuttingDown now" }))
  }

  @Test("a discard has happened, and a reclaim has not")
  func batches() {
    let session = scene.become("packing")
    let reclaimed = other.become("itinerary", background: true)
    control.ask(RequestDestruction(sessions: [session]))
    control.ask(Reclaim(sessions: [reclaimed]))
    control.forget()
    fixture.upgrade()
    #expect(control.heard == ["2 {}", "3 shuttingDown now"])
    #expect(fixture.stored(session) == nil)
  }

  @Test("an activation with content has no reply, because the client may have the content")
  func content() {
    let session = scene.become("packing")
    control.ask(RequestActivation(session: session, userActivity: note(1)))
    control.ask(RequestActivation(session: session, userActivity: note(2)))
    control.forget()
    fixture.upgrade()
    #expect(control.heard == [])
  }

  @Test("a new session that a host has got has no reply")
  func host() {
    _ = fixture.client(hosts: ["Note"])
    control.ask(RequestActivation(name: "packing"))
    fixture.upgrade()
    #expect(control.heard == [])
    #expect(fixture.broker.stored.sessions.count == 1)
  }

  @Test("a launch that no process has shown ends, and its request is refused")
  func launch() {
    control.ask(RequestActivation(name: "packing"))
    #expect(fixture.launches.count == 1)
    fixture.upgrade()
    #expect(control.heard == ["2 shuttingDown now"])
    #expect(fixture.terminations == fixture.launches.map(\.identifier))
    #expect(fixture.broker.stored.sessions.isEmpty)
  }

  @Test("the last requests begin no scene, and other requests are performed")
  func last() {
    let session = scene.become("packing")
    scene.close()
    control.forget()
    fixture.upgrade {
      control.ask(RequestActivation(session: session))
      control.ask(RequestActivation(name: "new"))
      control.ask(RequestRefresh(sessions: [session], open: true))
      control.ask(Terminate())
      control.ask(MemoryWarning(pressure: true))
      control.ask(EventPost(topic: "news", kind: "k"))
    }
    let heard = control.heard
    #expect(heard.dropLast() == [2, 3, 4, 5, 6].map { "\($0) shuttingDown now" })
    #expect(heard.last?.hasPrefix("7 ") == true)
    #expect(control.unanswered.isEmpty)
    #expect(fixture.launches.isEmpty)
  }
}

/// The first requests after an upgrade.
final class AfterUpgradeTests: ReservedSuite {
  init() {
    super.init(isUpgraded: true)
    control.ask(SessionShow(session: session))
    control.ask(SetName(session: session, name: "label"))
  }

  private var states: [String] {
    control.heard.compactMap { $0.contains("foregroundActive") ? "foregroundActive" : $0 }
  }

  @Test("a control finds the scenes that have resumed, and its requests keep their order")
  func resumed() {
    #expect(control.heard == [])
    let client = fixture.client(pid: process.pid)
    #expect(client.hears(SessionShow(session: session)).count == 1)
    client.ask(SceneConnect(session: session, resume: Resume(state: .foregroundActive, hold: 1)))
    #expect(states == ["foregroundActive", "3 {}"])
    #expect(control.hears(Ping()) == ["4 {}"])
  }

  @Test("requests do not wait for a client that is late")
  func late() {
    fixture.pass(ResumptionQueue.time)
    #expect(control.heard.count == 2)
  }

  @Test("a client that sends nothing more gets its replies, also an error")
  func finished() {
    control.ask(SessionShow(name: "no"))
    fixture.handle(.finished(control.connection))
    fixture.pass(ResumptionQueue.time)
    #expect(control.heard.last == "4 sessionNotFound")
    #expect(control.unanswered.isEmpty)
  }

  @Test("the requests of a client that has gone wait too, and come before its end")
  func gone() {
    let other = fixture.control()
    other.ask(SetName(session: session, name: "list"))
    other.tell(SceneTransition(session: session, to: .background))
    other.close()
    #expect(fixture.stored(session)?.attributes.name != "list")
    let client = fixture.client(pid: process.pid)
    client.ask(SceneConnect(session: session, resume: Resume(state: .foregroundActive, hold: 1)))
    #expect(fixture.stored(session)?.attributes.name == "list")
    #expect(!client.callbacks.isEmpty)
    #expect(fixture.broker.clients[other.connection] == nil)
  }

  @Test("an upgrade performs the requests that wait")
  func end() {
    fixture.upgrade()
    #expect(fixture.stored(session)?.attributes.name == "label")
    #expect(control.heard.count == 2)
  }

  @Test("a shutdown answers as if the requests came after it")
  func shutdown() {
    control.ask(RequestActivation(session: session))
    fixture.handle(.terminate)
    let heard = control.heard
    #expect(heard.last == "4 shuttingDown later")
    #expect(heard.count == 3)
  }

  @Test("a request without scenes waits only for earlier requests of its client")
  func ping() {
    #expect(fixture.control().hears(Ping()) == ["2 {}"])
    #expect(control.hears(Ping()) == [])
  }

  @Test("an observer waits, and an application delegate does not")
  func kinds() {
    #expect(fixture.client("watch", as: .observer).hears(SessionList()) == [])
    #expect(fixture.delegate().hears(SessionList()).count == 1)
  }

  @Test("beyond 1000 requests of all clients, none wait")
  func flood() {
    for _ in 2..<ResumptionQueue.limit {
      #expect(control.heard == [])
      let other = fixture.control()
      other.tell(SessionShow(name: "no"))
    }
    #expect(control.heard.count == 2)
    #expect(!fixture.broker.resumptionQueue.isActive)
  }

  @Test("at most 256 requests of a connection wait, also without identifiers")
  func limit() {
    for _ in 2..<fixture.broker.limits.requestsInFlight { control.tell(MemoryWarning()) }
    #expect(control.hears(SessionList()) == ["4 tooMany later"])
  }
}
