import SceneModel
import Testing

@testable import SceneBroker

/// Things to deliver go out between two steps.
struct DeliveryTests {
  private func activation(_ session: SessionIdentifier, _ number: Int) -> ClientRequest {
    .activate(RequestActivation(session: session, userActivity: note(number)))
  }

  @Test("a scene that is active is given an activity at once: first its type, then itself")
  func atRest() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("packing")
    #expect(control.hears(activation(session, 1)) == [])
    scene.acknowledgeAll()
    #expect(
      scene.heard == ["willContinueUserActivity S1 note", #"continueUserActivity S1 note{"n":1}"#])
    #expect(control.heard == ["2 activated S1"])
  }

  @Test("R31: content for a scene in the background is delivered between two steps")
  func comingUp() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("packing", background: true)
    control.ask(activation(session, 1))
    scene.acknowledgeAll()
    #expect(
      scene.heard == [
        "willEnterForeground S1", "willContinueUserActivity S1 note",
        #"continueUserActivity S1 note{"n":1}"#, "didBecomeActive S1",
      ])
  }

  @Test("what comes while a step is out waits for its acknowledgement, in the order it came")
  func inOrder() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("packing", background: true)
    control.ask(activation(session, 1))
    control.ask(activation(session, 2))
    #expect(scene.heard == ["willEnterForeground S1"])
    scene.acknowledgeAll()
    #expect(
      scene.heard == [
        "willContinueUserActivity S1 note", #"continueUserActivity S1 note{"n":1}"#,
        "willContinueUserActivity S1 note", #"continueUserActivity S1 note{"n":2}"#,
        "didBecomeActive S1",
      ])
    #expect(control.heard == ["2 activated S1", "3 activated S1"])
  }

  @Test("what comes after the last step was acknowledged waits for the next one")
  func afterTheStep() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("packing", background: true)
    control.ask(activation(session, 1))
    scene.acknowledge()
    control.ask(activation(session, 2))
    scene.forget()
    scene.acknowledgeAll()
    #expect(
      scene.heard == [
        #"continueUserActivity S1 note{"n":1}"#, "didBecomeActive S1",
        "willContinueUserActivity S1 note", #"continueUserActivity S1 note{"n":2}"#,
      ])
  }

  @Test("an activity that was announced is given before the scene goes elsewhere")
  func pairStaysTogether() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("packing")
    control.ask(activation(session, 1))
    control.move(session, .background)
    scene.acknowledgeAll()
    #expect(
      scene.heard == [
        "willContinueUserActivity S1 note", #"continueUserActivity S1 note{"n":1}"#,
        "willResignActive S1", "didEnterBackground S1", "stateRestorationActivity S1",
      ])
  }

  @Test("64 may wait; the next is refused", arguments: [64])
  func limit(count: Int) {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("packing", background: true)
    for number in 1...count { #expect(control.hears(activation(session, number)) == []) }
    #expect(control.hears(activation(session, 0)) == ["66 tooMany later"])
    scene.acknowledgeAll()
    #expect(scene.heard.count == 2 + 2 * count)
  }

  @Test("what is still queued when a scene goes is refused to its requester")
  func refusedAtTheEnd() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("packing", background: true)
    control.ask(activation(session, 1))
    scene.close()
    #expect(control.heard == ["2 sessionNotHeld now"])
  }

  @Test("an activity that a new target keeps from its scene is refused, not forgotten")
  func refusedWhenDiverted() {
    let fixture = BrokerFixture()
    let (scene, control, other) = (fixture.client(), fixture.control(), fixture.control())
    let session = scene.become("packing", background: true)
    control.ask(activation(session, 1))
    control.ask(.activate(RequestActivation(session: session)))
    other.move(session, .unattached)
    // Only the one without an activity knows already how it ended.
    #expect(control.heard == ["3 activated S1"])
    scene.acknowledgeAll()
    #expect(
      scene.heard == [
        "willEnterForeground S1", "didEnterBackground S1", "stateRestorationActivity S1",
        "didDisconnect S1 clientRequest",
      ])
    #expect(control.heard == ["2 sessionNotHeld now"])
  }

  @Test("a diverted activation is answered when its activity is acknowledged")
  func diverted() {
    let fixture = BrokerFixture()
    let (scene, control, other) = (fixture.client(), fixture.control(), fixture.control())
    let session = scene.become("packing", background: true)
    control.ask(activation(session, 1))
    other.move(session, .background)
    #expect(control.heard == [])
    scene.acknowledge()
    scene.acknowledge()
    #expect(control.heard == [])
    scene.acknowledge()
    #expect(control.heard == ["2 activated S1"])
  }

  @Test("a scene that stays in the background is given it there")
  func inBackground() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("packing", background: true)
    control.ask(
      .activate(
        RequestActivation(
          session: session, userActivity: note(1), options: ActivationOptions(background: true))))
    scene.acknowledgeAll()
    #expect(
      scene.heard == ["willContinueUserActivity S1 note", #"continueUserActivity S1 note{"n":1}"#])
    #expect(fixture.state(session) == .background)
    #expect(control.heard == ["2 activated S1"])
  }

  @Test("an error to a delivery counts as acknowledged")
  func errors() {
    let fixture = BrokerFixture()
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become("packing")
    control.ask(activation(session, 1))
    scene.acknowledge(.failed(message: "methodNotFound"))
    scene.acknowledge(.failed(message: "methodNotFound"))
    #expect(control.heard == ["2 activated S1"])
    #expect(fixture.state(session) == .foregroundActive)
  }
}
