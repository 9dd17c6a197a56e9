import SceneJSON
import SceneModel
import Testing

@testable import SceneBroker

/// The ends of scenes, and the reason that the next scene gets.
final class DisconnectTests: BrokerSuite {
  @Test("R11: a session stays when its scene ends")
  func connectionLost() {
    let session = scene.become("packing")
    scene.ask(SaveActivity(session: session, activity: note(1)))
    control.ask(SessionObserve())
    control.forget()
    scene.close()
    #expect(control.heard == ["changed S1 unattached after connectionLost"])
    #expect(fixture.stored(session)?.activity == note(1))
    #expect(fixture.stored(session)?.hold.holder == nil)
  }

  @Test(
    "a new session in which something was saved stays, though willConnect was never answered",
    arguments: ["the client goes", "the application ends", "the client refuses", "it is too late"])
  func savedBeforeAnswering(what: String) {
    let (control, host) = (fixture.control(), fixture.client(hosts: ["*"]))
    control.ask(RequestActivation(name: "packing"))
    let session = SessionIdentifier(high: 0, low: 1)
    host.ask(SaveActivity(session: session, activity: note(1)))
    #expect(host.heard == ["willConnect S1 new activation 1", "2 generation 1"])
    switch what {
    case "the client goes": host.close()
    case "the application ends":
      fixture.terminate()
      fixture.pass(.seconds(4))
    case "the client refuses": host.acknowledge(.failed(message: "no"))
    default: fixture.pass(.seconds(20))
    }
    #expect(fixture.broker.scenes.all.isEmpty)
    #expect(fixture.stored(session)?.activity == note(1))
  }

  @Test("the scenes of one connection end in their order of use")
  func orderOfUse() {
    let sessions = ["one", "two", "three"].map { scene.become($0) }
    control.ask(RequestActivation(session: sessions[0]))
    scene.close()
    let ends = fixture.trace.filter { $0.event == .disconnected }.map(\.session)
    #expect(ends == [sessions[1], sessions[2], sessions[0]])
  }

  @Test("a disconnect ends a scene without callbacks, after its activity is saved")
  func givesUp() {
    let session = scene.become("packing")
    #expect(
      scene.hears(
        SceneDisconnect(session: session, activity: .value(note(1)))) == ["3 {}"])
    #expect(fixture.end(session)?.reason == .clientRequest)
    #expect(fixture.stored(session)?.activity == note(1))
    #expect(scene.hears(SceneDisconnect(session: session)) == ["4 sessionNotHeld"])
  }

  @Test("a disconnect with null clears the activity")
  func clearsOnTheWayOut() {
    let session = scene.become("packing")
    scene.ask(SaveActivity(session: session, activity: note(1)))
    scene.ask(SceneDisconnect(session: session, activity: .null))
    #expect(fixture.stored(session)?.activity == nil)
    #expect(fixture.stored(session)?.generation == 2)
  }

  @Test("a disconnect whose activity cannot be saved leaves the scene")
  func keepsWhatCannotBeSaved() {
    let session = scene.become("packing")
    let large = note(byteCount: Limits().activityBytes + 1)
    #expect(
      scene.hears(SceneDisconnect(session: session, activity: .value(large)))
        == ["3 tooLarge"])
    #expect(fixture.state(session) == .foregroundActive)
  }

  @Test("a full disk refuses a disconnect with an activity, and takes one without")
  func fullDisk() {
    let session = scene.become("packing")
    fixture.handle(.storage(.full))
    let count = fixture.records.count
    #expect(
      scene.hears(SceneDisconnect(session: session, activity: .value(note(1))))
        == ["3 storageFull later"])
    #expect(scene.lastError?.message.hasPrefix("activity: ") == true)
    #expect(fixture.records.count == count)
    #expect(fixture.state(session) == .foregroundActive)
    #expect(scene.hears(SceneDisconnect(session: session)) == ["4 {}"])
  }

  @Test("a disconnect of a discarded session takes effect at once, whatever its activity")
  func givesUpWhatIsDiscarded() {
    let session = scene.become("packing")
    control.ask(RequestDestruction(sessions: [session]))
    #expect(
      scene.hears(SceneDisconnect(session: session, activity: .value(note(1))))
        == ["3 {}"])
    #expect(control.heard == ["2 {}"])
    #expect(fixture.broker.scenes.all.isEmpty)
    #expect(fixture.broker.store.discarding.keys.isEmpty)
  }

  @Test("the client of a scene that a control disconnects gets didDisconnect")
  func controlGivesUp() {
    let session = scene.become("packing")
    #expect(control.hears(SceneDisconnect(session: session)) == ["2 {}"])
    #expect(scene.heard == ["didDisconnect S1 clientRequest"])
    #expect(control.hears(SceneDisconnect(session: session)) == ["3 sessionNotHeld"])
  }

  @Test("a disconnect ends the pending callback")
  func givesUpMeanwhile() {
    let session = scene.become("packing")
    control.move(session, .background)
    control.ask(RequestActivation(session: session))
    scene.ask(SceneDisconnect(session: session))
    #expect(
      control.heard == ["2 foregroundActive", "3 sessionNotHeld now"])
    scene.forget()
    scene.acknowledgeAll()
    #expect(scene.heard == [])
    #expect(fixture.timers.isEmpty)
  }

  @Test(
    "R7: the reason for a connection states how the last scene ended",
    arguments: [
      (DisconnectReason.connectionLost, ConnectReason.recover), (.slowReader, .recover),
      (.violation, .recover), (.replaced, .recover), (.watchdog, .recover),
      (.clientRequest, .restore), (.reclaimed, .restore), (.shutdown, .restore),
      (.refused, .restore), (.discarded, .restore),
    ])
  func nextReason(last: DisconnectReason, next: ConnectReason) {
    #expect(last.nextConnectReason == next)
  }

  @Test(
    "the scenes of a connection end for the reason of its close",
    arguments: [
      DisconnectReason.connectionLost, .slowReader, .violation,
    ])
  func closes(reason: DisconnectReason) {
    let session = scene.become("packing")
    scene.close(reason)
    #expect(fixture.end(session)?.reason == reason)
    #expect(fixture.client().hears(SceneConnect()).first == "2 S1 recover 2")
  }

  @Test("launch is for sessions that were never held")
  func launch() throws {
    var state = StoredState()
    let session = SessionIdentifier(high: 0, low: 1)
    let attributes = SessionAttributes(
      identifier: session, name: "made", configuration: SceneConfiguration(name: "A"))
    try state.apply(.session(attributes))
    let fixture = BrokerFixture(recovered: state, identifiersAfter: 1)
    #expect(fixture.client().hears(SceneConnect(name: "made")).first == "2 S1 launch 1")
  }

  @Test("a transition whose scene ends first gets the state unattached")
  func goesFirst() {
    let session = scene.become("packing")
    control.move(session, .background)
    scene.close()
    #expect(control.heard == ["2 unattached"])
  }

  @Test("replies to a closed connection are dropped")
  func goneAsker() {
    let session = scene.become("packing")
    control.move(session, .background)
    control.ask(Settle())
    control.close()
    #expect(fixture.broker.conditionWaiters[.settled].isEmpty)
    scene.acknowledgeAll()
    #expect(fixture.state(session) == .background)
  }
}
