import SceneModel
import Testing

@testable import SceneBroker

/// The application wants a scene.
final class ActivationTests: BrokerSuite {
  @Test("an activation moves a scene to the foreground, and the reply comes at the target")
  func connected() {
    let session = scene.become("packing", background: true)
    #expect(control.hears(RequestActivation(session: session)) == [])
    scene.acknowledge()
    #expect(control.heard == [])
    scene.acknowledge()
    #expect(control.heard == ["2 activated S1"])
    #expect(scene.heard == ["willEnterForeground S1", "didBecomeActive S1"])
  }

  @Test("an activation of an active scene gets its reply at once")
  func alreadyThere() {
    scene.become("packing")
    #expect(
      control.hears(RequestActivation(name: "packing")) == ["2 activated S1"])
    #expect(scene.heard == [])
  }

  @Test("a scene that a control activates is told to show its window; no other activation does")
  func showsWindow() {
    let session = scene.become("packing", background: true)
    fixture.client().ask(RequestActivation(session: session))
    control.ask(
      RequestActivation(session: session, options: ActivationOptions(background: true)))
    control.ask(SceneTransition(session: session, to: .background))
    #expect(scene.activations == [])
    control.ask(RequestActivation(session: session))
    #expect(scene.activations == [session])
    scene.acknowledgeAll()
    // Nothing changes in the life cycle of an active scene.
    control.ask(RequestActivation(session: session))
    #expect(scene.activations == [session, session])
    control.ask(
      SceneTransition(session: session, to: .unattached, reason: .reclaimed))
    scene.acknowledgeAll()
    control.ask(RequestActivation(session: session))
    #expect(scene.activations == [session, session, session])
  }

  @Test("an activation in the background does not move a connected scene")
  func background() {
    let session = scene.become("packing", background: true)
    let request = RequestActivation(session: session, options: ActivationOptions(background: true))
    #expect(control.hears(request) == ["2 activated S1"])
    scene.move(session, .foregroundActive)
    scene.acknowledgeAll()
    #expect(control.hears(request) == ["3 activated S1"])
    #expect(fixture.state(session) == .foregroundActive)
  }

  @Test("an activation in the background keeps a scene that was moving to its end")
  func backgroundTurnsRound() {
    let session = scene.become("packing")
    control.move(session, .unattached)
    control.ask(
      RequestActivation(session: session, options: ActivationOptions(background: true)))
    scene.acknowledgeAll()
    #expect(fixture.state(session) == .background)
    #expect(control.heard == ["2 foregroundActive", "3 activated S1"])
  }

  @Test("an activation by the scene's own client gets its reply at once")
  func ownScene() {
    let session = scene.become("packing", background: true)
    #expect(
      scene.hears(RequestActivation(session: session))
        == ["3 activated S1", "willEnterForeground S1"])
  }

  @Test(
    "an activation waits for a pending didDisconnect, then connects the session to its last holder")
  func waitsForTheEnd() {
    let session = scene.become("packing", background: true)
    control.ask(
      SceneTransition(session: session, to: .unattached, reason: .reclaimed))
    control.ask(RequestActivation(session: session, userActivity: note(1)))
    #expect(scene.heard == ["didDisconnect S1 reclaimed"])
    scene.acknowledgeAll()
    #expect(
      scene.heard == [
        #"willConnect S1 activation 2 for note{"n":1}"#, "willEnterForeground S1",
        "didBecomeActive S1",
      ])
    #expect(control.heard == ["2 unattached", "3 activated S1"])
  }

  @Test("a client that activates its own leaving scene gets its reply before the end")
  func ownSceneOnItsWayOut() {
    let session = scene.become("packing", background: true)
    scene.move(session, .unattached)
    #expect(scene.hears(RequestActivation(session: session)) == ["4 activated S1"])
    #expect(scene.hears(Settle()) == ["5 {}"])
    scene.acknowledge()
    #expect(scene.heard == ["willConnect S1 activation 2"])
  }

  @Test("the reply to a disconnect precedes the next willConnect of a waiting activation")
  func broughtAgain() {
    let session = scene.become("packing", background: true)
    control.move(session, .unattached)
    control.ask(RequestActivation(session: session))
    scene.forget()
    #expect(
      scene.hears(SceneDisconnect(session: session))
        == ["3 {}", "willConnect S1 activation 2"])
  }

  @Test("an activation creates a session for an unknown name, not for an unknown identifier")
  func unknown() {
    let (control, host) = (fixture.control(), fixture.client("notes", hosts: ["*"]))
    control.ask(RequestActivation(name: "packing"))
    #expect(host.heard == ["willConnect S1 new activation 1"])
    host.acknowledgeAll()
    #expect(control.heard == ["2 activated S1 new"])
    #expect(fixture.stored(SessionIdentifier(high: 0, low: 1))?.attributes.maker == "notes")
    #expect(
      control.hears(RequestActivation(session: SessionIdentifier(high: 9, low: 9)))
        == ["3 sessionNotFound"])
    #expect(
      control.hears(
        RequestActivation(session: SessionIdentifier(high: 9, low: 9), name: "packing"))
        == ["4 invalidParams"])
  }

  @Test("an activation without a session and a name creates a session")
  func new() {
    let fixture = BrokerFixture(.hosting("Note", "Tool"))
    let (control, host) = (fixture.control(), fixture.client(hosts: ["Tool"]))
    control.ask(
      RequestActivation(configuration: "Tool", userActivity: note(1)))
    #expect(host.heard == [#"willConnect S1 new activation 1 for note{"n":1}"#])
  }

  @Test("a new session can stay in the background")
  func newInBackground() {
    let (control, host) = (fixture.control(), fixture.client(hosts: ["*"]))
    control.ask(
      RequestActivation(name: "a", options: ActivationOptions(background: true)))
    host.acknowledgeAll()
    #expect(host.heard == ["willConnect S1 new activation 1"])
    #expect(control.heard == ["2 activated S1 new"])
  }

  @Test("an activation with another role than that of the session is refused")
  func wrongRole() {
    scene.become("packing")
    #expect(
      control.hears(
        RequestActivation(name: "packing", role: .windowExternalDisplay))
        == ["2 wrongRole"])
  }

  @Test("the name of a discarded session is free when its scene has ended")
  func discarded() {
    let (scene, control) = (fixture.client(hosts: ["*"]), fixture.control())
    let session = scene.become("packing")
    control.ask(RequestDestruction(sessions: [session]))
    #expect(
      control.hears(RequestActivation(name: "packing")) == ["3 sessionInUse now"])
    #expect(
      scene.hears(SceneConnect(name: "packing")) == ["3 sessionInUse now"])
    scene.acknowledgeAll()
    control.forget()
    control.ask(RequestActivation(name: "packing"))
    #expect(scene.heard.last == "willConnect S2 new activation 1")
  }

  @Test("an activation with a large activity is refused, and so is one during a shutdown")
  func refused() {
    let large = note(byteCount: Limits().activityBytes + 1)
    #expect(
      control.hears(RequestActivation(name: "a", userActivity: large))
        == ["2 tooLarge"])
    fixture.terminate()
    #expect(
      control.hears(RequestActivation(name: "a")) == ["3 shuttingDown later"])
  }

  @Test("an activation counts as a use")
  func use() {
    let (one, two) = (scene.become("one", background: true), scene.become("two"))
    control.ask(
      RequestActivation(session: one, options: ActivationOptions(background: true)))
    #expect(
      fixture.stored(one)?.hold.order ?? 0 > fixture.stored(two)?.hold.order ?? 0)
  }

  @Test("the broker performs a waiting activation after its requester has disconnected")
  func outlives() {
    let (scene, control) = (fixture.client(hosts: ["*"]), fixture.control())
    let session = scene.become("packing")
    control.move(session, .unattached)
    while scene.heard.last?.hasPrefix("didDisconnect") == false { scene.acknowledge() }
    control.ask(RequestActivation(session: session))
    control.close()
    scene.acknowledgeAll()
    #expect(fixture.state(session) == .foregroundActive)
  }
}
