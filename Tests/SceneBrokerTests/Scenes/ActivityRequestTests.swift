import SceneJSON
import SceneModel
import Testing

@testable import SceneBroker

/// Entering the background has a second half: being asked where the scene was.
final class ActivityRequestTests: BrokerSuite {
  /// A scene that has just been asked.
  private func asked() -> SessionIdentifier {
    let session = scene.become("packing")
    scene.move(session, .background)
    scene.acknowledge()
    scene.acknowledge()
    #expect(scene.heard.last == "stateRestorationActivity S1")
    return session
  }

  @Test("R5: after didEnterBackground, the broker asks for the activity and saves the answer")
  func saved() {
    let session = asked()
    scene.acknowledge(.activity(.value(note(1))))
    #expect(fixture.stored(session)?.activity == note(1))
    #expect(fixture.stored(session)?.generation == 1)
  }

  @Test(
    "null clears the saved activity; an empty reply and an error keep it",
    arguments: [
      (.activity(.null), nil), (.activity(.absent), note(1)), (.done, note(1)),
      (.failed(message: "not implemented"), note(1)),
    ] as [(CallbackAnswer, Activity?)])
  func cleared(answer: CallbackAnswer, left: Activity?) {
    let session = asked()
    scene.ask(SaveActivity(session: session, activity: note(1)))
    scene.acknowledge(answer)
    #expect(fixture.stored(session)?.activity == left)
    #expect(fixture.state(session) == .background)
  }

  @Test("R6: a client that does not answer stateRestorationActivity keeps its scene")
  func overrun() {
    let session = asked()
    control.move(session, .foregroundActive)
    scene.forget()
    fixture.pass(.seconds(5))
    #expect(scene.heard == ["willEnterForeground S1"])
    #expect(fixture.state(session) == .background)
    #expect(fixture.trace.last { $0.event == .overran }?.callback == "stateRestorationActivity")
  }

  @Test("a late answer is saved while the scene is still held")
  func lateAnswer() {
    let session = asked()
    fixture.pass(.seconds(5))
    scene.acknowledge(.activity(.value(note(2))))
    #expect(fixture.stored(session)?.activity == note(2))
  }

  @Test("a late reply does not count after the scene has ended")
  func tooLateAnswer() {
    let session = asked()
    fixture.pass(.seconds(5))
    scene.ask(SceneDisconnect(session: session))
    scene.acknowledge(.activity(.value(note(2))))
    #expect(fixture.stored(session)?.activity == nil)
    #expect(fixture.closes == [])
  }

  @Test("a late reply to an earlier request does not replace the reply to a later one")
  func olderAnswer() {
    let session = asked()
    fixture.pass(.seconds(5))
    scene.move(session, .foregroundActive)
    scene.move(session, .background)
    // The first in the queue is the question that overran.
    while scene.callbacks.count > 1, scene.callbacks[1].callback.kind != .stateRestorationActivity {
      scene.acknowledge(at: 1)
    }
    scene.acknowledge(at: 1, .activity(.value(note(3))))
    scene.acknowledge(.activity(.value(note(2))))
    #expect(fixture.stored(session)?.activity == note(3))
  }

  @Test("a scene goes on although the full disk refuses its activity, and the saved one stays")
  func fullDisk() {
    let session = asked()
    scene.ask(SaveActivity(session: session, activity: note(1)))
    control.move(session, .unattached)
    fixture.handle(.storage(.full))
    scene.forget()
    scene.acknowledge(.activity(.value(note(2))))
    #expect(scene.heard == ["didDisconnect S1 clientRequest"])
    #expect(fixture.stored(session)?.activity == note(1))
    #expect(fixture.trace.contains { $0.event == .failed && $0.reason == "storageFull" })
  }

  @Test("a scene goes on although its activity exceeds the limit, and the saved one stays")
  func tooLarge() {
    let session = asked()
    scene.acknowledge(.activity(.value(note(byteCount: Limits().activityBytes + 1))))
    #expect(fixture.stored(session)?.generation == 0)
    #expect(fixture.state(session) == .background)
  }

  @Test("the broker ignores an activity for a session that was discarded meanwhile")
  func discardedMeanwhile() {
    let session = asked()
    control.ask(RequestDestruction(sessions: [session]))
    scene.forget()
    scene.acknowledge(.activity(.value(note(1))))
    #expect(scene.heard == ["didDisconnect S1 discarded"])
    #expect(!fixture.trace.contains { $0.event == .failed })
  }

  @Test("the broker neither requests nor restores an activity of settings")
  func settings() {
    let fixture = BrokerFixture(.hosting("Settings", kind: .settings))
    let scene = fixture.client()
    let session = scene.become("settings")
    scene.ask(SaveActivity(session: session, activity: note(1)))
    scene.move(session, .unattached)
    scene.forget()
    scene.acknowledgeAll()
    #expect(scene.heard == ["didEnterBackground S1", "didDisconnect S1 clientRequest"])
    #expect(
      scene.hears(SceneConnect(session: session))
        == ["5 S1 restore 2", "willConnect S1 restore 2"])
  }

  // MARK: - Told of the save

  @Test("didUpdateUserActivity follows each requested save before another callback")
  func told() {
    let session = asked()
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
    let session = asked()
    fixture.control().ask(SaveActivity(session: session, activity: note(7)))
    scene.forget()
    scene.acknowledge(answer)
    #expect(scene.heard == [])
    #expect(fixture.broker.isAtRest(session) == true)
  }

  @Test("an activity that cannot be saved sends no update")
  func notSaved() {
    _ = asked()
    fixture.handle(.storage(.full))
    scene.acknowledge(.activity(.value(note(1))))
    #expect(scene.heard == [])
  }

  @Test("a late activity sends an update too, at once or after the pending step")
  func late() {
    let session = asked()
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
}
