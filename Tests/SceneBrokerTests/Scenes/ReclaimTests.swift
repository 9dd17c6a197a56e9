import SceneModel
import Testing

@testable import SceneBroker

/// Taking scenes that are in the background, by hand.
final class ReclaimTests: BrokerSuite {
  @Test("without sessions a reclaim takes all scenes in the background, oldest use first")
  func all() {
    let one = scene.become("one", background: true)
    scene.become("two", background: true)
    scene.become("three")
    control.ask(
      RequestActivation(session: one, options: ActivationOptions(background: true)))
    #expect(control.hears(Reclaim()) == [])
    #expect(scene.heard == ["didDisconnect S2 reclaimed", "didDisconnect S1 reclaimed"])
    scene.acknowledgeAll()
    #expect(control.heard == ["3 reclaimed [S2 S1]"])
    #expect(fixture.end(one)?.reason == .reclaimed)
    #expect(scene.isOpen)
  }

  @Test("R15: only scenes in the background are reclaimed")
  func foreground() {
    let one = scene.become("one")
    let two = scene.become("two", background: true)
    scene.move(two, .foregroundActive)
    #expect(
      control.hears(Reclaim(sessions: [one, two])) == ["2 reclaimed []"])
  }

  @Test("a dry run names the scenes and disconnects none")
  func dryRun() {
    scene.become("one", background: true)
    #expect(control.hears(Reclaim(dryRun: true)) == ["2 reclaimed [S1]"])
    #expect(scene.heard == [])
  }

  @Test("a reclaim takes only the named sessions, and refuses an unknown one")
  func named() {
    let one = scene.become("one", background: true)
    scene.become("two", background: true)
    #expect(
      control.hears(Reclaim(sessions: [one, SessionIdentifier(high: 9, low: 9)]))
        == ["2 sessionNotFound"])
    control.ask(Reclaim(sessions: [one, one]))
    #expect(scene.heard == ["didDisconnect S1 reclaimed"])
    scene.acknowledgeAll()
    #expect(control.heard == ["3 reclaimed [S1]"])
  }

  @Test("a reclaim does not wait for the requester's own scenes")
  func own() {
    control.become("one", background: true)
    #expect(
      control.hears(Reclaim()) == ["3 reclaimed [S1]", "didDisconnect S1 reclaimed"])
  }

  @Test("R16: a reclaimed scene comes back with its state")
  func comesBack() {
    let session = scene.become("one", background: true)
    scene.ask(SaveActivity(session: session, activity: note(1)))
    control.ask(Reclaim())
    scene.acknowledgeAll()
    #expect(
      scene.hears(SceneConnect(session: session))
        == ["4 S1 restore 2", #"willConnect S1 restore 2 was note{"n":1}"#])
  }

  @Test("a reclaim takes at most the scenes that a reply can name")
  func fits() {
    let fixture = BrokerFixture(limits: .with(\.frameBytes, 1024 + 39 * 2))
    let (scene, control) = (fixture.client(), fixture.control())
    for name in ["one", "two", "three"] { scene.become(name, background: true) }
    #expect(control.hears(Reclaim(dryRun: true)) == ["2 reclaimed [S1 S2]"])
  }

  @Test("the reply omits a scene that got another target")
  func diverted() {
    let (scene, control, other) = (fixture.client(), fixture.control(), fixture.control())
    let one = scene.become("one")
    scene.become("two", background: true)
    scene.move(one, .background)
    scene.acknowledge()
    scene.acknowledge()
    // The scene is in the background, and the request for its activity is pending.
    scene.forget()
    control.ask(Reclaim())
    other.ask(RequestActivation(session: one))
    scene.acknowledgeAll()
    #expect(fixture.state(one) == .foregroundActive)
    #expect(control.heard == ["2 reclaimed [S2]"])
  }

  @Test("the reply omits a scene that was taken over meanwhile, and has one whose client died")
  func taken() {
    let one = scene.become("one", background: true)
    scene.become("two", background: true)
    control.ask(Reclaim())
    other.ask(SceneConnect(session: one, takeOver: true))
    scene.close()
    #expect(control.heard == ["2 reclaimed [S2]"])
  }
}
