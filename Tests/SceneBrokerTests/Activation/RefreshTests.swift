import SceneModel
import Testing

@testable import SceneBroker

/// F84, F85: requests to refresh scenes.
final class RefreshTests: BrokerSuite {
  private func refresh(_ sessions: SessionIdentifier..., open: Bool = false) -> any RequestMessage {
    RequestRefresh(sessions: sessions, open: open)
  }

  private func refresh(where members: String, open: Bool = false) -> any RequestMessage {
    RequestRefresh(matching: object(members), open: open)
  }

  private func observe(_ session: SessionIdentifier) -> any RequestMessage {
    EventObserve(topic: "news", session: session)
  }

  @Test("a scene is refreshed in its state, and the request is answered afterwards")
  func connected() {
    let session = scene.become("packing", background: true)
    #expect(control.hears(refresh(session)) == [])
    #expect(scene.heard == ["refresh S1"])
    #expect(control.heard == [])
    scene.acknowledge()
    #expect(control.heard == ["2 refreshed [S1]"])
    #expect(fixture.state(session) == .background)
  }

  @Test("a refresh by the scene's own client gets its reply at once")
  func own() {
    let session = scene.become("packing")
    #expect(scene.hears(refresh(session)) == ["3 refreshed [S1]", "refresh S1"])
  }

  @Test("a refresh waits until the scene is at its target")
  func transition() {
    let session = scene.become("packing")
    control.move(session, .background)
    control.ask(refresh(session))
    #expect(scene.heard == ["willResignActive S1"])
    scene.acknowledgeAll()
    #expect(
      scene.heard == ["didEnterBackground S1", "stateRestorationActivity S1", "refresh S1"])
    #expect(control.heard.last == "3 refreshed [S1]")
  }

  @Test("a refresh follows a scene to its new target")
  func diverted() {
    let session = scene.become("packing", background: true)
    control.move(session, .foregroundActive)
    control.ask(refresh(session))
    control.move(session, .background)
    #expect(control.heard == ["2 background"])
    scene.acknowledgeAll()
    #expect(scene.heard.last == "refresh S1")
    #expect(control.heard.sorted() == ["3 refreshed [S1]", "4 background"])
  }

  @Test("refreshes of one scene are merged, except one that comes during the callback")
  func merged() {
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

  @Test("a paused scene gets its missed events before the refresh, and is paused again after it")
  func missed() {
    let session = scene.become("packing", background: true)
    scene.ask(observe(session))
    for number in 1...2 {
      control.ask(EventPost(topic: "news", payload: object(#"{"n":\#(number)}"#)))
    }
    scene.forget()
    control.ask(refresh(session))
    #expect(
      scene.heard == [#"news {"n":1} A-1 S1"#, #"news {"n":2} A-2 S1"#, "refresh S1"])
    scene.acknowledge()
    control.ask(EventPost(topic: "news"))
    #expect(scene.heard == [])
  }

  @Test("a scene that missed many events gets the rest when it has read the first ones")
  func missedMuch() {
    let fixture = BrokerFixture(limits: .with(\.slowReaderBytes, 500))
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("packing", background: true)
    scene.ask(observe(session))
    for _ in 1...5 { control.ask(EventPost(topic: "news")) }
    scene.forget()
    control.ask(refresh(session))
    #expect(scene.heard == ["news {} A-1 S1", "news {} A-2 S1", "refresh S1"])
    scene.acknowledge()
    fixture.drain(scene.connection)
    fixture.drain(scene.connection)
    #expect(scene.heard == ["news {} A-3 S1", "news {} A-4 S1", "news {} A-5 S1"])
    control.ask(EventPost(topic: "news"))
    #expect(scene.heard == [])
  }

  @Test("F85: a refresh finds sessions by members of their userInfo")
  func byUserInfo() {
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

  @Test("a refresh ignores an unattached session, or connects it in the background with open")
  func opened() {
    let session = scene.become("packing", background: true)
    control.ask(Reclaim())
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

  @Test("after a refusal the next host is refreshed; the reply omits a session without a host")
  func refusedByHost() {
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

  @Test("a refresh without a host, or of an unknown session, is refused")
  func refused() {
    let session = scene.become("packing")
    scene.close()
    #expect(control.hears(refresh(session, open: true)) == ["2 noHost later"])
    let unknown = SessionIdentifier(high: 9, low: 9)
    #expect(control.hears(refresh(session, unknown)) == ["3 sessionNotFound"])
    #expect(control.hears(RequestRefresh()) == ["4 invalidParams"])
    #expect(
      control.hears(RequestRefresh(sessions: [session], matching: .empty))
        == ["5 invalidParams"])
    fixture.terminate()
    control.ask(refresh(session))
    #expect(control.lastError?.reason == .shuttingDown)
  }

  @Test("the reply omits a scene that ended before its refresh")
  func gone() {
    let session = scene.become("packing")
    control.ask(refresh(session))
    scene.close()
    #expect(control.heard == ["2 refreshed []"])
  }
}
