import SceneModel
import Testing

@testable import SceneBroker

/// Things to deliver go out between two steps.
final class DeliveryTests: BrokerSuite {
  private func activation(_ session: SessionIdentifier, _ number: Int) -> any RequestMessage {
    RequestActivation(session: session, userActivity: note(number))
  }

  @Test("an active scene gets the type of an activity at once, then the activity")
  func atRest() {
    let session = scene.become("packing")
    #expect(control.hears(activation(session, 1)) == [])
    scene.acknowledgeAll()
    #expect(
      scene.heard == ["willContinueUserActivity S1 note", #"continueUserActivity S1 note{"n":1}"#])
    #expect(control.heard == ["2 activated S1"])
  }

  @Test("R31: content for a scene in the background is delivered between two steps")
  func comingUp() {
    let session = scene.become("packing", background: true)
    control.ask(activation(session, 1))
    for _ in 1...3 { scene.acknowledge() }
    // The scene has the activity, and is not at its target.
    #expect(control.heard == [])
    scene.acknowledgeAll()
    #expect(
      scene.heard == [
        "willEnterForeground S1", "willContinueUserActivity S1 note",
        #"continueUserActivity S1 note{"n":1}"#, "didBecomeActive S1",
      ])
    #expect(control.heard == ["2 activated S1"])
  }

  @Test("content that comes during a step follows its reply, in the order of arrival")
  func inOrder() {
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

  @Test("content that comes after the reply to a step follows the next step")
  func afterTheStep() {
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

  @Test("a scene with a new target still gets the activity whose type it got")
  func pairStaysTogether() {
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

  @Test("64 deliveries can wait; the next one is refused", arguments: [64])
  func limit(count: Int) {
    let session = scene.become("packing", background: true)
    for number in 1...count { #expect(control.hears(activation(session, number)) == []) }
    #expect(control.hears(activation(session, 0)) == ["66 tooMany later"])
    var silent = ApplicationOpen(.urls([url("note:a")]))
    (silent.session, silent.noWait) = (session, true)
    #expect(control.hears(silent) == ["67 tooMany later"])
    scene.acknowledgeAll()
    #expect(scene.heard.count == 2 + 2 * count)
  }

  @Test("the end of a scene fails the requests whose content it did not get")
  func refusedAtTheEnd() {
    let session = scene.become("packing", background: true)
    control.ask(activation(session, 1))
    scene.close()
    #expect(control.heard == ["2 sessionNotHeld now"])
  }

  @Test("an activation whose activity a new target prevents fails when the scene ends")
  func refusedWhenDiverted() {
    let (scene, control, other) = (fixture.client(), fixture.control(), fixture.control())
    let session = scene.become("packing", background: true)
    control.ask(activation(session, 1))
    control.ask(RequestActivation(session: session))
    other.move(session, .unattached)
    // Only the activation without an activity has its reply.
    #expect(control.heard == ["3 activated S1"])
    scene.acknowledgeAll()
    #expect(
      scene.heard == [
        "willEnterForeground S1", "didEnterBackground S1", "stateRestorationActivity S1",
        "didDisconnect S1 clientRequest",
      ])
    #expect(control.heard == ["2 sessionNotHeld now"])
  }

  @Test("a superseded activation gets its reply when the client acknowledges the activity")
  func diverted() {
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

  @Test("a scene whose target is the background gets its content there")
  func inBackground() {
    let session = scene.become("packing", background: true)
    control.ask(
      RequestActivation(
        session: session, userActivity: note(1), options: ActivationOptions(background: true)))
    scene.acknowledgeAll()
    #expect(
      scene.heard == ["willContinueUserActivity S1 note", #"continueUserActivity S1 note{"n":1}"#])
    #expect(fixture.state(session) == .background)
    #expect(control.heard == ["2 activated S1"])
  }

  @Test("an error to a delivery counts as acknowledged")
  func errors() {
    let session = scene.become("packing")
    control.ask(activation(session, 1))
    scene.acknowledge(.failed(message: "methodNotFound"))
    scene.acknowledge(.failed(message: "methodNotFound"))
    #expect(control.heard == ["2 activated S1"])
    #expect(fixture.state(session) == .foregroundActive)
  }
}
