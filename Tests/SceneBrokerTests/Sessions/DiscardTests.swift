import SceneModel
import Testing

@testable import SceneBroker

/// How sessions end for good.
final class DiscardTests: BrokerSuite {
  private func destroy(_ sessions: SessionIdentifier...) -> any RequestMessage {
    RequestDestruction(sessions: sessions)
  }

  @Test("R12: a discard ends the scene first, and then removes the session")
  func connected() {
    let session = scene.become("packing")
    #expect(control.hears(destroy(session)) == [])
    // The discard is recorded at once.
    #expect(fixture.records.last == .discard(Discard(session: session)))
    scene.acknowledge()
    scene.acknowledge()
    #expect(control.heard == [])
    scene.acknowledge()
    #expect(control.heard == ["2 {}"])
    #expect(
      scene.heard == [
        "willResignActive S1", "didEnterBackground S1", "didDisconnect S1 discarded",
      ])
  }

  @Test("a discard tells the client what it means for the work in the window")
  func dismissal() throws {
    let session = scene.become("packing")
    control.ask(RequestDestruction(sessions: [session], dismissalAnimation: .decline))
    scene.acknowledge()
    scene.acknowledge()
    let message = try #require(scene.callbacks.last?.callback.message as? DidDisconnect)
    #expect(message.dismissalAnimation == .decline)
  }

  @Test("the discard of an unattached session ends it at once")
  func unattached() {
    let session = scene.become("packing")
    scene.close()
    #expect(control.hears(destroy(session)) == ["2 {}"])
    #expect(control.hears(destroy(session)) == ["3 sessionNotFound"])
  }

  @Test("with unattached, a session stays that a client holds or waits for")
  func unused() {
    let (held, awaited) = (scene.become("held"), scene.become("awaited"))
    let unused = other.become("unused")
    other.close()
    scene.move(awaited, .background)
    scene.acknowledgeAll()
    control.ask(Reclaim(sessions: [awaited]))
    scene.acknowledgeAll()
    control.ask(RequestDestruction(sessions: [held, awaited, unused], unattached: true))
    control.forget()
    #expect(control.hears(SessionList()).last?.hasSuffix("sessions [S1 S2]") == true)
  }

  @Test("a discarded session is listed, and its name is in use, until its scene has ended")
  func listed() {
    let session = scene.become("packing")
    let other = scene.become("other")
    control.ask(destroy(session))
    control.forget()
    #expect(control.hears(SessionList()) == ["3 sessions [S1 S2]"])
    #expect(
      control.hears(SessionShow(name: "packing"))
        == ["4 shown S1 foregroundActive to unattached"])
    #expect(
      control.hears(SetName(session: other, name: "packing")) == ["5 nameInUse"])
    #expect(
      control.hears(SetName(session: session, name: "else")) == ["6 sessionNotFound"])
    let words = ["packing", session.description.lowercased()]
    for word in words {
      #expect(control.hears(SessionResolve(word: word)).last?.hasSuffix("resolved S1 [] 0") == true)
    }
    scene.acknowledgeAll()
    control.forget()
    #expect(control.hears(SessionList()) == ["9 sessions [S2]"])
    for word in words {
      #expect(control.hears(SessionResolve(word: word)).last?.hasSuffix("NotFound") == true)
    }
    #expect(control.hears(SetName(session: other, name: "packing")) == ["12 {}"])
  }

  @Test("a discarded session cannot be changed or discarded again")
  func notFound() {
    let session = scene.become("packing")
    control.ask(destroy(session))
    scene.forget()
    let requests: [any RequestMessage] = [
      destroy(session), SaveActivity(session: session, activity: note(1)),
      SetUserInfo(session: session, userInfo: .empty),
      SceneUpdate(session: session), SceneConnect(session: session),
      RequestActivation(session: session),
    ]
    for (number, request) in requests.enumerated() {
      #expect(scene.hears(request) == ["\(3 + number) sessionNotFound"])
    }
  }

  @Test("one unknown identifier refuses a whole request")
  func allOrNothing() {
    let session = scene.become("packing")
    #expect(
      control.hears(destroy(session, SessionIdentifier(high: 9, low: 9)))
        == ["2 sessionNotFound"])
    #expect(fixture.stored(session) != nil)
  }

  @Test("the reply about several sessions follows the last end; a repeated one counts once")
  func several() {
    let (one, two, control) = (fixture.client(), fixture.client(), fixture.control())
    let (first, second) = (one.become("one"), two.become("two"))
    let third = one.become("three")
    one.ask(SceneDisconnect(session: third))
    control.ask(destroy(second, first, third, first))
    one.acknowledgeAll()
    #expect(control.heard == [])
    two.close()
    #expect(control.heard == ["2 {}"])
    #expect(fixture.broker.stored.sessions.isEmpty)
  }

  @Test("a request discards a limited number of sessions", arguments: [0, 1])
  func mostOfOneRequest(more: Int) {
    let session = scene.become("packing")
    scene.ask(SceneDisconnect(session: session))
    let count = Discard.mostOfOneRequest + more
    let sessions = Array(repeating: session, count: count)
    #expect(
      control.hears(RequestDestruction(sessions: sessions))
        == [more == 0 ? "2 {}" : "2 tooMany"])
  }

  @Test("a discard by the scene's own client gets its reply at once")
  func own() {
    let session = scene.become("packing")
    #expect(scene.hears(destroy(session)) == ["3 {}", "willResignActive S1"].reversed())
  }

  @Test("a discard does not wait for the requester's own scene, only for others")
  func ownAndOthers() {
    let (mine, theirs) = (scene.become("mine"), other.become("theirs"))
    #expect(scene.hears(destroy(mine, theirs)) == ["willResignActive S1"])
    other.acknowledgeAll()
    #expect(scene.heard == ["3 {}"])
  }

  @Test("a discard of no session gets its reply at once")
  func none() {
    #expect(control.hears(destroy()) == ["2 {}"])
  }

  @Test("a discard replaces the reason of a scene that moves to its end")
  func onItsWay() {
    let session = scene.become("packing")
    control.move(session, .unattached)
    control.ask(destroy(session))
    scene.acknowledgeAll()
    #expect(scene.heard.last == "didDisconnect S1 discarded")
    #expect(control.heard == ["2 unattached", "3 {}"])
  }

  @Test("a discard waits for a pending willConnect")
  func whileConnecting() {
    scene.ask(SceneConnect(name: "packing"))
    let session = SessionIdentifier(high: 0, low: 1)
    control.ask(destroy(session))
    scene.forget()
    scene.acknowledge()
    #expect(scene.heard == ["didDisconnect S1 discarded"])
    scene.acknowledge()
    #expect(control.heard == ["2 {}"])
  }

  @Test("a refused willConnect ends the scene of a discarded session")
  func refusedWhileConnecting() {
    scene.ask(SceneConnect(name: "packing"))
    control.ask(destroy(SessionIdentifier(high: 0, low: 1)))
    scene.forget()
    scene.acknowledge(.failed(message: "no"))
    #expect(scene.heard == [])
    #expect(control.heard == ["2 {}"])
  }

  @Test("the watchdog ends the scene of a discarded session")
  func hanging() {
    let session = scene.become("packing")
    control.ask(destroy(session))
    scene.forget()
    fixture.pass(.seconds(5))
    #expect(scene.heard == ["didDisconnect S1 watchdog"])
    #expect(control.heard == ["2 {}"])
    #expect(fixture.broker.store.listed(session) == nil)
  }

  @Test("a full disk takes a discard, an exhausted one does not")
  func fullDisk() {
    let (one, two) = (scene.become("one"), scene.become("two"))
    scene.close()
    fixture.handle(.storage(.full))
    #expect(control.hears(destroy(one)) == ["2 {}"])
    fixture.handle(.storage(.exhausted))
    #expect(control.hears(destroy(two)) == ["3 storageFull later"])
  }

  @Test("a discarded session does not return after a crash, whatever the state of its scene")
  func crash() {
    let session = scene.become("packing")
    control.ask(destroy(session))
    let next = fixture.crashed(living: [scene.process])
    #expect(next.broker.stored.sessions.isEmpty)
    #expect(
      next.client().hears(SceneConnect(name: "packing")).first == "2 S2 new launch 1")
  }
}
