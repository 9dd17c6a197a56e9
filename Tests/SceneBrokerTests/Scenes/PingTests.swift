import SceneModel
import Testing

@testable import SceneBroker

/// Pings by request, and those of a policy.
final class PingTests: BrokerSuite {
  /// A manifest with pings after 30 s.
  private static func pinging(_ action: UnresponsiveAction) -> Manifest {
    var manifest = Manifest.builtIn
    manifest.roles[0].policies[SceneConfiguration.standard.name, default: .init()].unresponsive =
      UnresponsivePolicy(then: action)
    return manifest
  }

  private func summary(_ session: SessionIdentifier) -> SessionSummary? {
    control.ask(SessionShow(session: session))
    return (control.lastReply?.content as? SessionDetails)?.summary
  }

  private func isMarked(_ session: SessionIdentifier) -> Bool {
    summary(session)?.client?.isUnresponsive == true
  }

  private func ping(_ session: SessionIdentifier, seconds: Double = 5) {
    control.forget()
    control.ask(SessionPing(session: session, seconds: seconds))
  }

  private func adopt(_ action: UnresponsiveAction) {
    fixture.handle(.manifestRead(.manifest(Self.pinging(action))))
  }

  private var events: [TraceEvent] {
    fixture.trace.map(\.event).filter { [.unresponsive, .responded].contains($0) }
  }

  // MARK: - By request

  @Test("the reply has the time until the answer", arguments: [true, false])
  func answered(knows: Bool) {
    let session = scene.become("packing")
    ping(session)
    #expect(scene.heard == ["ping S1"])
    fixture.pass(.milliseconds(3))
    // A client that does not know the callback answers with an error.
    scene.acknowledge(knows ? .done : .failed(message: "no method scene/ping"))
    #expect((control.lastReply?.content as? SessionPing.Reply)?.milliseconds == 3)
    fixture.pass(.seconds(3600))
    #expect(!isMarked(session))
    #expect(events == [])
  }

  @Test("a client that does not answer is marked until it answers, or sends anything else")
  func unanswered() {
    let session = scene.become("packing")
    for isLateAnswer in [true, false] {
      ping(session, seconds: 10)
      fixture.pass(.milliseconds(9999))
      #expect(!isMarked(session))
      control.forget()
      fixture.pass(.milliseconds(1))
      #expect(control.heard == ["\(isLateAnswer ? 2 : 6) unresponsive later"])
      #expect(control.lastError?.message == "packing: notes 101 has not answered for 10 s")
      #expect(isMarked(session))
      if isLateAnswer { scene.acknowledge() } else { scene.ask(Ping()) }
      #expect(!isMarked(session))
    }
    #expect(events == [.unresponsive, .responded, .unresponsive, .responded])
    #expect(fixture.state(session) == .foregroundActive)
  }

  @Test("a request that waits shorter than the budget of a ping marks no scene")
  func short() {
    let session = scene.become("packing")
    ping(session, seconds: 0.001)
    fixture.pass(.milliseconds(1))
    #expect(control.heard == ["2 unresponsive later"])
    #expect(!isMarked(session))
    scene.acknowledge()
    #expect(events == [])
    #expect(fixture.broker.scenes[session]?.pings.all.isEmpty == true)
  }

  @Test("a process that was halted within the time is not blamed, and then has the whole time")
  func haltedWithin() {
    adopt(.disconnect)
    let session = scene.become("packing")
    fixture.pass(.seconds(32))
    #expect(scene.heard == ["ping S1"])
    fixture.halts = [scene.process: .stopped]
    fixture.pass(.seconds(7))
    fixture.halts = [:]
    fixture.pass(.seconds(9))
    #expect(!isMarked(session))
    #expect(fixture.state(session) == .foregroundActive)
    fixture.pass(.seconds(1))
    #expect(fixture.end(session)?.reason == .watchdog)
  }

  @Test("a request during which the process was halted marks no scene")
  func haltedWithinRequest() {
    let session = scene.become("packing")
    ping(session, seconds: 20)
    fixture.pass(.seconds(9))
    fixture.halts = [scene.process: .stopped]
    fixture.pass(.seconds(3))
    fixture.halts = [:]
    fixture.pass(.seconds(8))
    #expect(control.heard == ["2 unresponsive later"])
    #expect(!isMarked(session))
  }

  @Test("a stopped or debugged process is named, and not marked")
  func halted() {
    let session = scene.become("packing")
    fixture.halts = [scene.process: .stopped]
    ping(session)
    fixture.pass(.seconds(5))
    #expect(
      control.lastError?.message
        == "packing: notes 101 is stopped, as by Ctrl-Z; continue it with: scenectl kill -CONT "
        + "packing")
    fixture.halts = [scene.process: .debugged]
    ping(session)
    fixture.pass(.seconds(5))
    #expect(
      control.lastError?.message
        == "packing: notes 101 is being debugged, so its answer can take any time")
    #expect(!isMarked(session))
  }

  @Test("a ping does not wait for another callback, nor another callback for a ping")
  func besideCallbacks() {
    let session = scene.become("packing")
    control.move(session, .background)
    ping(session)
    #expect(scene.heard == ["willResignActive S1", "ping S1"])
    scene.acknowledge()
    #expect(scene.heard == ["didEnterBackground S1"])
    scene.acknowledgeAll()
    #expect(fixture.state(session) == .background)
    #expect((control.lastReply?.content as? SceneTransition.Reply)?.state == .background)
    #expect(control.unanswered.isEmpty)
  }

  @Test("a scene that leaves, or that is not there, is not pinged")
  func leaving() {
    let session = scene.become("packing", background: true)
    control.move(session, .unattached)
    scene.forget()
    ping(session)
    #expect(control.heard == ["3 sessionNotHeld now"])
    #expect(scene.heard == [])
    scene.acknowledgeAll()
    ping(session)
    #expect(control.heard == ["4 sessionNotHeld"])
    scene.ask(SceneConnect(session: session))
    ping(session)
    #expect(control.heard == ["5 sessionNotHeld now"])
    scene.acknowledgeAll()
    ping(session)
    scene.forget()
    scene.close()
    #expect(control.heard == ["6 sessionNotHeld now"])
  }

  @Test("the time for an answer is from a millisecond to an hour", arguments: [-1, 0, 3601])
  func bounds(seconds: Double) {
    let session = scene.become("packing")
    ping(session, seconds: seconds)
    #expect(control.heard == ["2 invalidParams"])
  }

  // MARK: - By a policy

  @Test("without a policy, an idle client gets no message")
  func noPolicy() {
    scene.become("packing")
    fixture.pass(.seconds(3600))
    #expect(scene.heard == [])
    #expect(fixture.timers.isEmpty)
  }

  @Test("the broker pings an active scene whose client was silent for the time of the policy")
  func silent() {
    adopt(.report)
    let session = scene.become("packing")
    fixture.pass(.seconds(20))
    scene.tell(Ping())
    fixture.pass(.seconds(29))
    #expect(scene.heard == [])
    fixture.pass(.seconds(1))
    #expect(scene.heard == ["ping S1"])
    scene.acknowledge()
    fixture.pass(.seconds(30))
    #expect(scene.heard == ["ping S1"])
    scene.acknowledge()
    control.move(session, .background)
    scene.acknowledgeAll()
    scene.forget()
    fixture.pass(.seconds(3600))
    #expect(scene.heard == [])
    #expect(events == [])
  }

  @Test("a scene that does not answer is reported, and gets no more pings until it sends something")
  func reported() {
    adopt(.report)
    let session = scene.become("packing")
    fixture.pass(.seconds(40))
    #expect(isMarked(session))
    scene.forget()
    fixture.pass(.seconds(3600))
    #expect(scene.heard == [])
    #expect(events == [.unresponsive])
    scene.acknowledge()
    #expect(!isMarked(session))
    fixture.pass(.seconds(30))
    #expect(scene.heard == ["ping S1"])
  }

  @Test("another policy disconnects the scene; a stopped or debugged process keeps it")
  func disconnected() {
    adopt(.disconnect)
    let session = scene.become("packing")
    fixture.halts = [scene.process: .stopped]
    fixture.pass(.seconds(300))
    fixture.halts = [scene.process: .debugged]
    fixture.pass(.seconds(300))
    #expect(scene.heard == ["ping S1"])
    // A process that goes on has the whole time.
    fixture.halts = [:]
    fixture.pass(.milliseconds(9999))
    #expect(scene.heard == [])
    fixture.pass(.milliseconds(1))
    #expect(scene.heard == ["didDisconnect S1 watchdog"])
    #expect(fixture.end(session) == DisconnectOutcome(reason: .watchdog, callback: "ping"))
  }

  @Test("the answers of one scene do not excuse another scene of the same client")
  func scenesOfOneClient() {
    adopt(.disconnect)
    let (blocked, healthy) = (scene.become("blocked"), scene.become("healthy"))
    fixture.pass(.seconds(30))
    #expect(scene.heard == ["ping S1", "ping S2"])
    fixture.pass(.seconds(5))
    scene.acknowledge(at: 1)
    fixture.pass(.seconds(5))
    #expect(fixture.end(blocked)?.reason == .watchdog)
    #expect(fixture.state(healthy) == .foregroundActive)
  }

  @Test("a late answer of one scene does not excuse another scene of the same client")
  func lateAnswer() {
    let (blocked, late) = (scene.become("blocked"), scene.become("late"))
    for session in [blocked, late, late] {
      ping(session, seconds: 10)
      fixture.pass(.seconds(10))
    }
    #expect(isMarked(blocked) && isMarked(late))
    #expect(scene.heard == ["ping S1", "ping S2", "ping S2"])
    scene.acknowledge(at: 2)
    #expect(isMarked(blocked) && isMarked(late))
  }

  @Test("a client that answers no ping keeps no more than one of them after its time")
  func endedPings() {
    let session = scene.become("packing")
    for _ in 0..<100 {
      ping(session, seconds: 10)
      fixture.pass(.seconds(10))
      scene.ask(Ping())
    }
    #expect(fixture.broker.scenes[session]?.pings.all.isEmpty == true)
  }

  @Test("a scene has at most 64 pings at a time")
  func limit() {
    let session = scene.become("packing")
    for _ in 0..<64 { ping(session) }
    #expect(control.heard == [])
    ping(session)
    #expect(control.lastError?.reason == .tooMany)
  }

  @Test("a client that sends something during a ping keeps its scene")
  func busy() {
    adopt(.disconnect)
    let session = scene.become("packing")
    fixture.pass(.seconds(35))
    scene.ask(SaveActivity(session: session, activity: note(1)))
    fixture.pass(.seconds(6))
    #expect(fixture.state(session) == .foregroundActive)
    #expect(!isMarked(session))
  }

  @Test("a request that was not answered does not keep a policy from disconnecting")
  func requestBeforePolicy() {
    adopt(.disconnect)
    let session = scene.become("packing")
    ping(session, seconds: 10)
    fixture.pass(.seconds(10))
    #expect(isMarked(session))
    fixture.pass(.seconds(30))
    #expect(fixture.end(session)?.reason == .watchdog)
  }

  @Test("a reload of the manifest begins and ends the pings of connected scenes")
  func reloaded() {
    scene.become("packing")
    adopt(.report)
    fixture.pass(.seconds(30))
    #expect(scene.heard == ["ping S1"])
    scene.acknowledge()
    fixture.handle(.manifestRead(.manifest(.builtIn)))
    fixture.pass(.seconds(3600))
    #expect(scene.heard == [])
    #expect(fixture.timers.isEmpty)
  }

  @Test("a resumed scene begins without a mark, and is pinged as before")
  func resumed() {
    adopt(.report)
    let session = scene.become("packing")
    fixture.pass(.seconds(40))
    let hold = fixture.stored(session)?.hold.number ?? 0
    let process = scene.process
    scene.close()
    let again = fixture.client(pid: process.pid)
    again.ask(
      SceneConnect(session: session, resume: Resume(state: .foregroundActive, hold: hold)))
    again.forget()
    #expect(!isMarked(session))
    fixture.pass(.seconds(30))
    #expect(again.heard == ["ping S1"])
  }

  @Test("a launched program that does not answer ends, and starts again")
  func restarted() {
    var manifest = Manifest.launching("Note", restart: .onCrash)
    for role in manifest.roles.indices {
      for configuration in manifest.roles[role].configurations {
        manifest.roles[role].policies[configuration.name, default: .init()].unresponsive =
          UnresponsivePolicy(then: .disconnect)
      }
    }
    let fixture = BrokerFixture(manifest)
    fixture.control().ask(RequestActivation(name: "packing"))
    fixture.launchedClient().acknowledgeAll()
    fixture.pass(.seconds(41))
    #expect(fixture.terminations.count == 1)
    fixture.exit(ClientExit(signal: "KILL"))
    #expect(fixture.launches.count == 2)
  }
}
