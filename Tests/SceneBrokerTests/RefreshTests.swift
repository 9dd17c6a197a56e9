import SceneModel
import Testing

@testable import SceneBroker

/// F84, F85: scenes that are asked to take in what has changed.
struct RefreshTests {
  private func refresh(_ sessions: SessionIdentifier..., open: Bool = false) -> ClientRequest {
    .refresh(RequestRefresh(sessions: sessions, open: open))
  }

  private func refresh(where members: String, open: Bool = false) -> ClientRequest {
    .refresh(RequestRefresh(matching: object(members), open: open))
  }

  private func observe(_ session: SessionIdentifier) -> ClientRequest {
    .observeEvents(EventObserve(topic: "news", session: session))
  }

  @Test("a scene is refreshed in its state, and the request is answered afterwards")
  func connected() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("packing", background: true)
    #expect(control.hears(refresh(session)) == [])
    #expect(scene.heard == ["refresh S1"])
    #expect(control.heard == [])
    scene.acknowledge()
    #expect(control.heard == ["2 refreshed [S1]"])
    #expect(fixture.state(session) == .background)
  }

  @Test("what is asked of one's own scene is answered at once")
  func own() {
    let fixture = BrokerFixture()
    let scene = fixture.client()
    let session = scene.become("packing")
    #expect(scene.hears(refresh(session)) == ["3 refreshed [S1]", "refresh S1"])
  }

  @Test("it waits until a transition is over")
  func transition() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("packing")
    control.move(session, .background)
    control.ask(refresh(session))
    #expect(scene.heard == ["willResignActive S1"])
    scene.acknowledgeAll()
    #expect(
      scene.heard == ["didEnterBackground S1", "stateRestorationActivity S1", "refresh S1"])
    #expect(control.heard.last == "3 refreshed [S1]")
  }

  @Test("one that is sent elsewhere is refreshed there, and waited for")
  func diverted() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("packing", background: true)
    control.move(session, .foregroundActive)
    control.ask(refresh(session))
    control.move(session, .background)
    #expect(control.heard == ["2 background"])
    scene.acknowledgeAll()
    #expect(scene.heard.last == "refresh S1")
    #expect(control.heard.sorted() == ["3 refreshed [S1]", "4 background"])
  }

  @Test("repeated ones are merged, but for one that came while it was refreshed")
  func merged() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("packing")
    control.move(session, .foregroundInactive)
    for _ in 1...3 { control.ask(refresh(session)) }
    scene.acknowledge()
    #expect(scene.heard == ["willResignActive S1", "refresh S1"])
    control.ask(refresh(session))
    scene.acknowledgeAll()
    #expect(scene.heard == ["refresh S1"])
    #expect(control.heard.count == 5)
  }

  @Test("what a scene has missed comes before, and pauses again behind")
  func missed() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("packing", background: true)
    scene.ask(observe(session))
    for number in 1...2 {
      control.ask(.post(EventPost(topic: "news", payload: object(#"{"n":\#(number)}"#))))
    }
    scene.forget()
    control.ask(refresh(session))
    #expect(
      scene.heard == [#"news {"n":1} A-1 S1"#, #"news {"n":2} A-2 S1"#, "refresh S1"])
    scene.acknowledge()
    control.ask(.post(EventPost(topic: "news")))
    #expect(scene.heard == [])
  }

  @Test("who missed more than it takes at once is sent the rest when it has taken that")
  func missedMuch() {
    var limits = Limits()
    limits.slowReaderBytes = 500
    let fixture = BrokerFixture(limits: limits)
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("packing", background: true)
    scene.ask(observe(session))
    for _ in 1...5 { control.ask(.post(EventPost(topic: "news"))) }
    scene.forget()
    control.ask(refresh(session))
    #expect(scene.heard == ["news {} A-1 S1", "news {} A-2 S1", "refresh S1"])
    scene.acknowledge()
    fixture.drain(scene.connection)
    fixture.drain(scene.connection)
    #expect(scene.heard == ["news {} A-3 S1", "news {} A-4 S1", "news {} A-5 S1"])
    control.ask(.post(EventPost(topic: "news")))
    #expect(scene.heard == [])
  }

  @Test("F85: sessions are found by what their userInfo has")
  func byUserInfo() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    for (name, list) in [("one", "inbox"), ("two", "sent"), ("three", "inbox")] {
      scene.become(
        SceneConnect(name: name, background: true, userInfo: object(#"{"list":"\#(list)"}"#)))
    }
    control.ask(refresh(where: #"{"list":"inbox"}"#))
    #expect(scene.heard == ["refresh S1", "refresh S3"])
    scene.acknowledgeAll()
    #expect(control.heard == ["2 refreshed [S1 S3]"])
    #expect(control.hears(refresh(where: #"{"list":"none"}"#)) == ["3 refreshed []"])
  }

  @Test("a session without a scene is left alone, or brought to the background")
  func opened() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("packing", background: true)
    control.ask(.reclaim(Reclaim()))
    scene.acknowledgeAll()
    scene.forget()
    control.forget()
    #expect(control.hears(refresh(session)) == ["3 refreshed []"])
    control.ask(refresh(session, open: true))
    scene.acknowledgeAll()
    #expect(scene.heard == ["willConnect S1 refresh 2", "refresh S1"])
    #expect(control.heard == ["4 refreshed [S1]"])
    #expect(fixture.state(session) == .background)
  }

  @Test("one that its host would not have goes to the next, and is missing if there is none")
  func refusedByHost() {
    let fixture = BrokerFixture()
    let (one, two, control) = (
      fixture.client(hosts: ["*"]), fixture.client(hosts: ["*"]), fixture.control()
    )
    let maker = fixture.client()
    let session = maker.become("packing")
    maker.close()
    control.ask(refresh(session, open: true))
    one.acknowledge(.failed(message: "no"))
    two.acknowledgeAll()
    #expect(two.heard == ["willConnect S1 refresh 3", "refresh S1"])
    #expect(control.heard == ["2 refreshed [S1]"])
    two.move(session, .unattached)
    two.acknowledgeAll()
    one.close()
    two.forget()
    control.ask(refresh(session, open: true))
    two.acknowledge(.failed(message: "no"))
    #expect(control.heard == ["3 refreshed []"])
  }

  @Test("what cannot be is said")
  func refused() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("packing")
    scene.close()
    #expect(control.hears(refresh(session, open: true)) == ["2 noHost later"])
    let unknown = SessionIdentifier(high: 9, low: 9)
    #expect(control.hears(refresh(session, unknown)) == ["3 sessionNotFound"])
    #expect(control.hears(.refresh(RequestRefresh())) == ["4 invalidParams"])
    #expect(
      control.hears(.refresh(RequestRefresh(sessions: [session], matching: .empty)))
        == ["5 invalidParams"])
    fixture.terminate()
    control.ask(refresh(session))
    #expect(control.lastError?.reason == .shuttingDown)
  }

  @Test("a scene that goes before it is refreshed is not among those that were")
  func gone() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("packing")
    control.ask(refresh(session))
    scene.close()
    #expect(control.heard == ["2 refreshed []"])
  }
}
