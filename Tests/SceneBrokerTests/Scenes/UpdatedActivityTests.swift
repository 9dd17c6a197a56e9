import SceneModel
import Testing

@testable import SceneBroker

/// A scene gets the activity that it returned, after the broker has saved it.
struct UpdatedActivityTests {
  /// A scene that was sent to the background, and asked for its activity.
  private func asked() -> (BrokerFixture, Client, SessionIdentifier) {
    let fixture = BrokerFixture()
    let scene = fixture.client()
    let session = scene.become("packing")
    scene.move(session, .background)
    scene.acknowledge()
    scene.acknowledge()
    scene.forget()
    return (fixture, scene, session)
  }

  @Test("didUpdateUserActivity follows each requested save before another callback")
  func told() {
    let (fixture, scene, session) = asked()
    scene.move(session, .unattached)
    scene.forget()
    scene.acknowledge(.activity(.value(note(1))))
    #expect(scene.heard == [#"didUpdateUserActivity S1 note{"n":1}"#])
    #expect(fixture.broker.isAtRest(session) == false)
    scene.acknowledge()
    #expect(scene.heard == ["didDisconnect S1 clientRequest"])
  }

  @Test(
    "an empty reply, null, an error or the same bytes send no update",
    arguments: [
      CallbackAnswer.done, .activity(.absent), .activity(.null), .failed(message: "no"),
      .activity(.value(note(7))),
    ])
  func notTold(answer: CallbackAnswer) {
    let (fixture, scene, session) = asked()
    fixture.control().ask(SaveActivity(session: session, activity: note(7)))
    scene.forget()
    scene.acknowledge(answer)
    #expect(scene.heard == [])
    #expect(fixture.broker.isAtRest(session) == true)
  }

  @Test("an activity that cannot be saved sends no update")
  func notSaved() {
    let (fixture, scene, _) = asked()
    fixture.handle(.storage(.full))
    scene.acknowledge(.activity(.value(note(1))))
    #expect(scene.heard == [])
  }

  @Test("a late activity sends an update too, at once or after the pending step")
  func late() {
    let (fixture, scene, session) = asked()
    fixture.pass(.seconds(5))
    scene.acknowledge(.activity(.value(note(1))))
    #expect(scene.heard == [#"didUpdateUserActivity S1 note{"n":1}"#])
    scene.acknowledge()
    #expect(fixture.broker.isAtRest(session) == true)

    scene.move(session, .foregroundActive)
    scene.acknowledgeAll()
    scene.move(session, .background)
    scene.acknowledge()
    scene.acknowledge()
    scene.move(session, .foregroundActive)
    fixture.pass(.seconds(5))
    scene.forget()
    // The question, and the step up that went on without its answer.
    scene.acknowledge(at: 0, .activity(.value(note(2))))
    #expect(scene.heard == [])
    scene.acknowledge()
    #expect(scene.heard == [#"didUpdateUserActivity S1 note{"n":2}"#])
    scene.acknowledge()
    #expect(scene.heard == ["didBecomeActive S1"])
  }

  @Test("didUpdateUserActivity has a budget")
  func budget() {
    let (fixture, scene, session) = asked()
    scene.acknowledge(.activity(.value(note(1))))
    fixture.pass(.seconds(5))
    #expect(
      fixture.end(session)
        == DisconnectOutcome(reason: .watchdog, callback: "didUpdateUserActivity"))
  }
}
