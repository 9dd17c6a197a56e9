import SceneJSON
import SceneModel
import Testing

@testable import SceneBroker

/// The application ends in order.
final class ShutdownTests: BrokerSuite {
  @Test("R23: when the broker shuts down, its scenes disconnect with their activities saved")
  func inOrder() {
    let session = scene.become("packing")
    other.become("other", background: true)
    fixture.terminate()
    #expect(!fixture.isStopping)
    scene.acknowledge()
    scene.acknowledge()
    scene.acknowledge(.activity(.value(note(1))))
    #expect(
      scene.heard == [
        "willResignActive S1", "didEnterBackground S1", "stateRestorationActivity S1",
        #"didUpdateUserActivity S1 note{"n":1}"#,
      ])
    scene.acknowledge()
    #expect(scene.heard == ["didDisconnect S1 shutdown"])
    #expect(other.heard == ["didDisconnect S2 shutdown"])
    other.acknowledge()
    #expect(!fixture.isStopping)
    scene.acknowledge()
    #expect(fixture.isStopping)
    #expect(fixture.stored(session)?.activity == note(1))
    #expect(fixture.end(session)?.reason == .shutdown)
    #expect(fixture.timers.isEmpty)
  }

  @Test("after four seconds the broker disconnects the remaining scenes")
  func remainingScenes() {
    let session = scene.become("packing")
    fixture.terminate()
    fixture.pass(.milliseconds(3999))
    #expect(!fixture.isStopping)
    scene.forget()
    fixture.pass(.milliseconds(1))
    #expect(fixture.isStopping)
    #expect(scene.heard == ["didDisconnect S1 shutdown"])
    #expect(fixture.end(session)?.reason == .shutdown)
  }

  @Test("the end of the shutdown time discards a new session that no host has accepted")
  func newSession() {
    let (control, host) = (fixture.control(), fixture.client(hosts: ["*"]))
    control.ask(RequestActivation(name: "packing"))
    fixture.terminate()
    fixture.pass(.seconds(4))
    #expect(host.heard == ["willConnect S1 new activation 1", "didDisconnect S1 shutdown"])
    #expect(fixture.isStopping)
    #expect(fixture.broker.stored.sessions.isEmpty)
  }

  @Test("a shutdown refuses pending activations, with and without content")
  func activations() {
    let session = scene.become("packing")
    control.move(session, .background)
    scene.acknowledgeAll()
    control.forget()
    control.ask(RequestActivation(session: session))
    control.ask(RequestActivation(session: session, userActivity: note(1)))
    fixture.terminate()
    #expect(control.heard == ["3 shuttingDown later", "4 shuttingDown later"])
    scene.acknowledgeAll()
    #expect(control.heard == [])
    #expect(fixture.isStopping)
  }

  @Test("a discard refuses pending activations of its session")
  func discardedActivations() {
    let (scene, control, other) = (fixture.client(), fixture.control(), fixture.control())
    let session = scene.become("packing")
    control.ask(RequestActivation(session: session, userActivity: note(1)))
    control.move(session, .background)
    control.move(session, .unattached)
    control.forget()
    // The activation fails, although its delivery is pending when the session is discarded.
    other.ask(RequestDestruction(sessions: [session]))
    #expect(control.heard == ["2 sessionNotFound"])
    scene.acknowledgeAll()
    #expect(control.heard == ["4 unattached"])
    #expect(other.heard == ["2 {}"])
  }

  @Test("a shutdown does not wait for clients without a scene")
  func idle() {
    let clients = [fixture.client(hosts: ["*"]), fixture.control(), fixture.open()]
    fixture.terminate()
    #expect(fixture.isStopping)
    #expect(clients.allSatisfy { $0.isOpen })
  }

  @Test("a shutdown does not wait for a client that has closed")
  func goes() {
    scene.become("packing")
    fixture.terminate()
    scene.close()
    #expect(fixture.isStopping)
  }

  @Test("a shutdown waits for a pending willConnect")
  func connecting() {
    scene.ask(SceneConnect(name: "packing"))
    scene.forget()
    fixture.terminate()
    #expect(scene.heard == [])
    scene.acknowledge()
    #expect(scene.heard == ["didDisconnect S1 shutdown"])
  }

  @Test("a shutdown does not change the reason of a discarded session")
  func discarded() {
    let session = scene.become("packing")
    control.ask(RequestDestruction(sessions: [session]))
    fixture.terminate()
    scene.acknowledgeAll()
    #expect(scene.heard.last == "didDisconnect S1 discarded")
    #expect(fixture.isStopping)
    #expect(control.heard == ["2 {}"])
  }

  @Test("sessions can still be discarded")
  func discards() {
    let session = scene.become("packing")
    fixture.terminate()
    control.ask(RequestDestruction(sessions: [session]))
    scene.acknowledgeAll()
    #expect(scene.heard.last == "didDisconnect S1 discarded")
    #expect(control.heard == ["2 {}"])
    #expect(fixture.broker.stored.sessions.isEmpty)
  }

  @Test("a shutdown refuses new scenes")
  func nothingNew() {
    let session = scene.become("packing")
    fixture.terminate()
    #expect(
      other.hears(SceneConnect(session: session, takeOver: true))
        == ["2 shuttingDown later"])
    #expect(other.hears(SceneConnect()) == ["3 shuttingDown later"])
    #expect(
      other.hears(
        SceneConnect(session: session, resume: Resume(state: .background, hold: 1)))
        == ["4 shuttingDown later"])
  }

  @Test("a shutdown gives no scene to a next host")
  func brought() {
    let (control, first, second) = (
      fixture.control(), fixture.client(hosts: ["*"]), fixture.client(hosts: ["*"])
    )
    control.ask(RequestActivation(name: "packing"))
    fixture.terminate()
    first.acknowledge(.failed(message: "no"))
    #expect(second.heard == [])
    #expect(fixture.isStopping)
    #expect(fixture.broker.stored.sessions.isEmpty)
  }

  @Test("application/terminate gets its reply at once, and can be repeated")
  func asked() {
    scene.become("packing")
    #expect(control.hears(Terminate()) == ["2 {}"])
    #expect(control.hears(Terminate()) == ["3 {}"])
    #expect(scene.heard == ["willResignActive S1"])
  }

  @Test("after a shutdown, reserved sessions keep their stored holders")
  func kept() {
    let before = BrokerFixture()
    let scene = before.client(pid: 50)
    let session = scene.become("packing")
    let fixture = before.crashed(living: [scene.process])
    fixture.terminate()
    #expect(fixture.isStopping)
    #expect(fixture.stored(session)?.hold.holder == scene.process)
  }

  @Test("requests that wait for the clock or the disk are refused, and so are later ones")
  func waitsForTheEdge() {
    let fixture = BrokerFixture(clock: .virtual, allowsFaults: true)
    let (scene, control) = (fixture.client(), fixture.control())
    scene.become("packing")
    let requests: [any RequestMessage] = [
      AdvanceClock(seconds: 10), InjectFault(diskFull: true), InjectFault(diskFull: true),
    ]
    for request in requests { #expect(control.hears(request) == []) }
    fixture.terminate()
    #expect(control.heard == (2...4).map { "\($0) shuttingDown later" })
    for (number, request) in requests.enumerated() {
      #expect(control.hears(request) == ["\(5 + number) shuttingDown later"])
    }
    fixture.handle(.clockAdvanced)
    fixture.handle(.storage(.full))
    scene.acknowledgeAll()
    #expect(control.heard == [])
    #expect(fixture.isStopping)
  }

  @Test("an activity can be saved during a shutdown")
  func saves() {
    let session = scene.become("packing")
    fixture.terminate()
    scene.forget()
    #expect(
      scene.hears(SaveActivity(session: session, activity: note(1)))
        == ["3 generation 1"])
  }

  @Test("a shutdown refuses waiting and later settle requests")
  func settlers() {
    scene.ask(SceneConnect(name: "packing"))
    #expect(control.hears(Settle()) == [])
    fixture.terminate()
    #expect(control.heard == ["2 shuttingDown later"])
    #expect(control.lastError?.message.contains("start the broker again") == true)
    #expect(!fixture.isStopping)
    #expect(control.hears(Settle()) == ["3 shuttingDown later"])
  }
}
