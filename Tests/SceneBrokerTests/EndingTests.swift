import JSON
import SceneModel
import Testing

@testable import SceneBroker

/// How scenes end, and what the next one is told.
struct EndingTests {
  @Test("a client that goes without a word is called nothing; its sessions stay as they were saved")
  func connectionLost() {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    let session = scene.become("packing")
    scene.ask(.saveActivity(SaveActivity(session: session, activity: note(1))))
    control.ask(.observe(SessionObserve()))
    control.forget()
    scene.close()
    #expect(control.heard == ["changed S1 unattached after connectionLost"])
    #expect(stage.stored(session)?.activity == note(1))
    #expect(stage.stored(session)?.tenure.holder == nil)
  }

  @Test(
    "a new session in which something was saved stays, though willConnect was never answered",
    arguments: ["the client goes", "the application ends", "the client refuses", "it is too late"])
  func savedBeforeAnswering(what: String) {
    let stage = Stage()
    let (control, host) = (stage.control(), stage.client(hosts: ["*"]))
    control.ask(.activate(RequestActivation(name: "packing")))
    let session = SessionIdentifier(high: 0, low: 1)
    host.ask(.saveActivity(SaveActivity(session: session, activity: note(1))))
    #expect(host.heard == ["willConnect S1 new activation 1", "2 generation 1"])
    switch what {
    case "the client goes": host.close()
    case "the application ends":
      stage.terminate()
      stage.pass(.seconds(4))
    case "the client refuses": host.acknowledge(.failed(message: "no"))
    default: stage.pass(.seconds(20))
    }
    #expect(stage.broker.scenes.isEmpty)
    #expect(stage.stored(session)?.activity == note(1))
  }

  @Test("the scenes of one connection end in their order of use")
  func orderOfUse() {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    let sessions = ["one", "two", "three"].map { scene.become($0) }
    control.ask(.activate(RequestActivation(session: sessions[0])))
    scene.close()
    let ends = stage.story.filter { $0.event == .disconnected }.map(\.session)
    #expect(ends == [sessions[1], sessions[2], sessions[0]])
  }

  @Test("a client gives a scene up at once, without callbacks; what it says is saved first")
  func givesUp() {
    let stage = Stage()
    let scene = stage.client()
    let session = scene.become("packing")
    #expect(
      scene.hears(
        .disconnect(SceneDisconnect(session: session, activity: .value(note(1))))) == ["3 {}"])
    #expect(stage.end(session)?.reason == .clientRequest)
    #expect(stage.stored(session)?.activity == note(1))
    #expect(scene.hears(.disconnect(SceneDisconnect(session: session))) == ["4 sessionNotHeld"])
  }

  @Test("null clears the activity on the way out")
  func clearsOnTheWayOut() {
    let stage = Stage()
    let scene = stage.client()
    let session = scene.become("packing")
    scene.ask(.saveActivity(SaveActivity(session: session, activity: note(1))))
    scene.ask(.disconnect(SceneDisconnect(session: session, activity: .null)))
    #expect(stage.stored(session)?.activity == nil)
    #expect(stage.stored(session)?.generation == 2)
  }

  @Test("what cannot be saved keeps the scene")
  func keepsWhatCannotBeSaved() {
    let stage = Stage()
    let scene = stage.client()
    let session = scene.become("packing")
    let large = note(byteCount: Limits().activityBytes + 1)
    #expect(
      scene.hears(.disconnect(SceneDisconnect(session: session, activity: .value(large))))
        == ["3 tooLarge"])
    #expect(stage.state(session) == .foregroundActive)
  }

  @Test("on a full disk a scene with an activity stays, and says why; without one it goes")
  func fullDisk() {
    let stage = Stage()
    let scene = stage.client()
    let session = scene.become("packing")
    stage.handle(.storage(.full))
    let count = stage.records.count
    #expect(
      scene.hears(.disconnect(SceneDisconnect(session: session, activity: .value(note(1)))))
        == ["3 storageFull later"])
    #expect(scene.lastError?.message.hasPrefix("activity: ") == true)
    #expect(stage.records.count == count)
    #expect(stage.state(session) == .foregroundActive)
    #expect(scene.hears(.disconnect(SceneDisconnect(session: session))) == ["4 {}"])
  }

  @Test("a scene that is being discarded is given up at once, whatever activity comes with it")
  func givesUpWhatIsDiscarded() {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    let session = scene.become("packing")
    control.ask(.destroy(RequestDestruction(sessions: [session])))
    #expect(
      scene.hears(.disconnect(SceneDisconnect(session: session, activity: .value(note(1)))))
        == ["3 {}"])
    #expect(control.heard == ["2 {}"])
    #expect(stage.broker.scenes.isEmpty)
    #expect(stage.broker.store.discardingSessions.isEmpty)
  }

  @Test("a scene that a control gives up is told")
  func controlGivesUp() {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    let session = scene.become("packing")
    #expect(control.hears(.disconnect(SceneDisconnect(session: session))) == ["2 {}"])
    #expect(scene.heard == ["didDisconnect S1 clientRequest"])
    #expect(control.hears(.disconnect(SceneDisconnect(session: session))) == ["3 sessionNotHeld"])
  }

  @Test("giving a scene up while a callback is out ends that as well")
  func givesUpMeanwhile() {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    let session = scene.become("packing")
    control.move(session, .background)
    control.ask(.activate(RequestActivation(session: session)))
    scene.ask(.disconnect(SceneDisconnect(session: session)))
    #expect(
      control.heard == ["2 foregroundActive", "3 sessionNotHeld now"])
    scene.forget()
    scene.acknowledgeAll()
    #expect(scene.heard == [])
    #expect(stage.timers.isEmpty)
  }

  @Test(
    "the next connect is told whether the last holder left in order",
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
    "the end of a connection is the reason its scenes ended",
    arguments: [
      DisconnectReason.connectionLost, .slowReader, .violation,
    ])
  func closes(reason: DisconnectReason) {
    let stage = Stage()
    let scene = stage.client()
    let session = scene.become("packing")
    scene.close(reason)
    #expect(stage.end(session)?.reason == reason)
    #expect(stage.client().hears(.connect(SceneConnect())).first == "2 S1 recover 2")
  }

  @Test("launch is for sessions that were never held")
  func launch() throws {
    var state = StoredState()
    let session = SessionIdentifier(high: 0, low: 1)
    let attributes = SessionAttributes(
      identifier: session, name: "made", configuration: SceneConfiguration(name: "A"))
    try state.apply(.session(attributes))
    let stage = Stage(recovered: state, identifiersAfter: 1)
    #expect(stage.client().hears(.connect(SceneConnect(name: "made"))).first == "2 S1 launch 1")
  }

  @Test("a request whose scene goes before it arrives: a transition is answered unattached")
  func goesFirst() {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    let session = scene.become("packing")
    control.move(session, .background)
    scene.close()
    #expect(control.heard == ["2 unattached"])
  }

  @Test("answers to a connection that is gone are dropped")
  func goneAsker() {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    let session = scene.become("packing")
    control.move(session, .background)
    control.ask(.settle(Settle()))
    control.close()
    scene.acknowledgeAll()
    #expect(stage.state(session) == .background)
  }
}
