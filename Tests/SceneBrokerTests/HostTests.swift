import SceneModel
import Testing

@testable import SceneBroker

/// Which client is given a scene that it did not ask for.
struct HostTests {
  private let activate = ClientRequest.activate(RequestActivation(name: "packing"))

  @Test("without a host nothing is made, and it can be tried again later")
  func noHost() {
    let stage = Stage(.hosting("Note"))
    let (control, _) = (stage.control(), stage.client(hosts: ["Tool"]))
    #expect(control.hears(activate) == ["2 noHost later"])
    #expect(stage.broker.stored.sessions.isEmpty)
    #expect(stage.records.isEmpty)
    #expect(control.lastError?.session == nil)
    #expect(control.lastError?.message.hasSuffix("; start a client and try again") == true)
  }

  @Test("an unattached session without a host stays as it is")
  func noHostForOld() {
    let stage = Stage(.hosting("Note"))
    let (control, scene) = (stage.control(), stage.client())
    let session = scene.become("packing")
    scene.close()
    #expect(control.hears(activate) == ["2 noHost later"])
    #expect(
      control.lastError?.message
        == "no connected client can host scenes of class Note, and the manifest has no launch "
        + "command; "
        + "start notes, the program that created packing")
    #expect(control.lastError?.session == session)
    #expect(stage.end(session)?.reason == .connectionLost)
  }

  @Test(
    "the connection that last held the session is taken, if it answered when it was disconnected")
  func lastHolder() {
    let stage = Stage()
    let (host, scene, control) = (stage.client(hosts: ["*"]), stage.client(), stage.control())
    let session = scene.become("packing", background: true)
    control.move(session, .unattached)
    scene.acknowledgeAll()
    scene.forget()
    control.ask(activate)
    #expect(scene.heard == ["willConnect S1 activation 2"])
    #expect(host.heard == [])
  }

  @Test("a last holder that was cut or is gone is not")
  func cutHolder() {
    let stage = Stage()
    let (host, scene, control) = (stage.client(hosts: ["*"]), stage.client(), stage.control())
    let session = scene.become("packing", background: true)
    control.move(session, .unattached)
    stage.pass(.seconds(5))
    control.ask(activate)
    #expect(host.heard == ["willConnect S1 activation 2"])
  }

  @Test("after a start it is whichever connection of that process can have it")
  func formerHolder() {
    let before = Stage()
    let (scene, lost) = (before.client(hosts: ["*"], pid: 50), before.client(hosts: ["*"], pid: 60))
    let session = scene.become("packing", background: true)
    let other = lost.become("other", background: true)
    before.control().ask(.reclaim(Reclaim(sessions: [session])))
    scene.acknowledgeAll()
    #expect(before.stored(session)?.tenure.formerHolder == scene.process)
    lost.close()
    #expect(before.stored(other)?.tenure.formerHolder == nil)
    let stage = before.crashed()
    let control = stage.control()
    let early = stage.client(hosts: ["*"], pid: 70)
    let again = stage.client(hosts: ["*"], pid: 50)
    control.ask(activate)
    #expect(again.heard == ["willConnect S1 activation 2"])
    #expect(early.heard == [])
    #expect(stage.stored(session)?.tenure.formerHolder == nil)
  }

  @Test("of the hosts of its class the one with the fewest scenes, then the oldest")
  func fewest() {
    let stage = Stage(.hosting("Note"))
    let control = stage.control()
    let hosts = (0..<3).map { _ in stage.client(hosts: ["Other", "Note"]) }
    for number in 0..<5 {
      control.ask(.activate(RequestActivation(name: "\(number)")))
    }
    let counts = hosts.map { $0.heard.count }
    #expect(counts == [2, 2, 1])
  }

  @Test("a host of any class takes one scene at a time, of a class or of none")
  func anyClass() {
    let stage = Stage(.hosting("Note"))
    let (control, host) = (stage.control(), stage.client(hosts: ["*"]))
    control.ask(.activate(RequestActivation(name: "one")))
    #expect(host.heard == ["willConnect S1 new activation 1"])
    #expect(
      control.hears(.activate(RequestActivation(name: "two"))) == ["3 noHost later"])
    let plain = Stage()
    let (other, any) = (plain.control(), plain.client(hosts: ["*"]))
    other.ask(activate)
    #expect(any.heard == ["willConnect S1 new activation 1"])
  }

  @Test("a host of any class is not given its last session back while it has another")
  func anyClassAgain() {
    let stage = Stage()
    let (control, host) = (stage.control(), stage.client(hosts: ["*"]))
    let session = host.become("one")
    host.ask(.disconnect(SceneDisconnect(session: session)))
    host.become("two")
    #expect(
      control.hears(.activate(RequestActivation(session: session))) == ["2 noHost later"])
  }

  @Test("clients without the class, without hosts, and those that are no scenes are not asked")
  func unsuited() {
    let stage = Stage(.hosting("Note"))
    let control = stage.control()
    let others = [
      stage.client(hosts: []), stage.client(hosts: ["Other"]),
      stage.client(as: .control, hosts: ["Note"]), stage.client(as: .observer, hosts: ["Note"]),
    ]
    #expect(control.hears(activate) == ["2 noHost later"])
    #expect(others.allSatisfy { $0.heard == [] })
  }

  @Test("a refusal goes to the next host, and after the last the answer is no")
  func refusals() {
    let stage = Stage()
    let (control, first, second) = (
      stage.control(), stage.client(hosts: ["*"]), stage.client(hosts: ["*"])
    )
    control.ask(activate)
    #expect(first.heard == ["willConnect S1 new activation 1"])
    first.acknowledge(.failed(message: "busy"))
    #expect(second.heard == ["willConnect S1 new activation 2"])
    #expect(control.heard == [])
    second.acknowledge(.failed(message: "busy"))
    #expect(control.heard == ["2 requestDenied"])
    #expect(stage.broker.stored.sessions.isEmpty)
    #expect(first.heard == [])
  }

  @Test("a session that was there before survives every refusal")
  func refusalsOfOld() {
    let stage = Stage()
    let (control, scene) = (stage.control(), stage.client())
    let session = scene.become("packing")
    scene.ask(.saveActivity(SaveActivity(session: session, activity: note(1))))
    scene.close()
    let host = stage.client(hosts: ["*"])
    control.ask(activate)
    #expect(host.heard == [#"willConnect S1 activation 2 was note{"n":1}"#])
    host.acknowledge(.failed(message: "no"))
    #expect(control.heard == ["2 requestDenied"])
    #expect(stage.end(session)?.reason == .refused)
    #expect(stage.stored(session)?.activity == note(1))
  }

  @Test("a host that overruns willConnect is told, and the next is tried")
  func overrun() {
    let stage = Stage()
    let (control, first, second) = (
      stage.control(), stage.client(hosts: ["*"]), stage.client(hosts: ["*"])
    )
    control.ask(activate)
    stage.pass(.seconds(20))
    #expect(first.heard == ["willConnect S1 new activation 1", "didDisconnect S1 watchdog"])
    #expect(second.heard == ["willConnect S1 new activation 2"])
    second.acknowledgeAll()
    #expect(control.heard == ["2 activated S1 new"])
    // What the first says now is too late.
    first.acknowledgeAll()
    #expect(stage.state(SessionIdentifier(high: 0, low: 1)) == .foregroundActive)
  }

  @Test("a host that goes away, or gives the scene up, makes room for the next")
  func gone() {
    let stage = Stage()
    let control = stage.control()
    let hosts = (0..<3).map { _ in stage.client(hosts: ["*"]) }
    control.ask(activate)
    hosts[0].close()
    #expect(hosts[1].heard == ["willConnect S1 new activation 2"])
    let session = SessionIdentifier(high: 0, low: 1)
    #expect(
      hosts[1].hears(.disconnect(SceneDisconnect(session: session))) == ["2 {}"])
    #expect(hosts[2].heard == ["willConnect S1 new activation 3"])
    hosts[2].close()
    #expect(control.heard == ["2 requestDenied"])
    #expect(stage.broker.stored.sessions.isEmpty)
  }

  @Test("a host is not asked for its own activation's sake to wait for itself")
  func ownActivation() {
    let stage = Stage()
    let (first, second) = (stage.client(hosts: ["*"]), stage.client(hosts: ["*"]))
    #expect(
      first.hears(activate) == ["willConnect S1 new activation 1", "2 activated S1 new"])
    first.acknowledge(.failed(message: "no"))
    #expect(second.heard == ["willConnect S1 new activation 2"])
  }

  @Test("the asker is answered when the scene it wanted comes to itself in the end")
  func comesToTheAsker() {
    let stage = Stage()
    let (first, second) = (stage.client(hosts: ["*"]), stage.client(hosts: ["*"]))
    second.ask(activate)
    #expect(second.heard == [])
    first.acknowledge(.failed(message: "no"))
    #expect(second.heard == ["willConnect S1 new activation 2", "2 activated S1 new"])
  }

  @Test("what was wanted of a scene that is being brought follows it to the next host")
  func follows() {
    let stage = Stage()
    let (control, other) = (stage.control(), stage.control())
    let (first, second) = (stage.client(hosts: ["*"]), stage.client(hosts: ["*"]))
    control.ask(activate)
    let session = SessionIdentifier(high: 0, low: 1)
    other.ask(.activate(RequestActivation(session: session, userActivity: note(1))))
    other.move(session, .background)
    // The first had no activity to bring and knows that the scene was sent elsewhere.
    #expect(control.heard == ["2 activated S1 new"])
    first.acknowledge(.failed(message: "no"))
    second.acknowledgeAll()
    #expect(
      second.heard == [
        "willConnect S1 new activation 2", "willContinueUserActivity S1 note",
        #"continueUserActivity S1 note{"n":1}"#,
      ])
    #expect(other.heard == ["2 activated S1", "3 background"])
    #expect(stage.state(session) == .background)
  }

  @Test("a brought scene that is discarded while willConnect is out ends when that is answered")
  func discardedWhileBrought() {
    let stage = Stage()
    let (control, other, host) = (
      stage.control(), stage.control(), stage.client(hosts: ["*"])
    )
    control.ask(activate)
    let session = SessionIdentifier(high: 0, low: 1)
    #expect(other.hears(.destroy(RequestDestruction(sessions: [session]))) == [])
    #expect(host.heard == ["willConnect S1 new activation 1"])
    #expect(control.heard == ["2 sessionNotFound"])
    host.acknowledge()
    #expect(host.heard == ["didDisconnect S1 discarded"])
    host.acknowledge()
    #expect(other.heard == ["2 {}"])
  }

  @Test("a brought scene that is discarded is not offered to the next host")
  func discardedAndRefused() {
    let stage = Stage()
    let (other, first, second) = (
      stage.control(), stage.client(hosts: ["*"]), stage.client(hosts: ["*"])
    )
    other.ask(activate)
    let session = SessionIdentifier(high: 0, low: 1)
    other.ask(.destroy(RequestDestruction(sessions: [session])))
    first.acknowledge(.failed(message: "no"))
    #expect(second.heard == [])
    #expect(other.heard == ["2 sessionNotFound", "3 {}"])
  }

  @Test("a connection that is going is not given back what waits for its end")
  func closingHost() {
    let stage = Stage()
    let (control, host) = (stage.control(), stage.client(hosts: ["*"]))
    let session = host.become("packing", background: true)
    control.move(session, .unattached)
    control.ask(.activate(RequestActivation(session: session)))
    host.close()
    #expect(control.heard == ["2 unattached", "3 noHost later"])
  }

  @Test("a host that is full is passed over")
  func full() {
    var limits = Limits()
    limits.scenesPerConnection = 1
    let stage = Stage(.hosting("Note"), limits: limits)
    let (control, _) = (stage.control(), stage.client(hosts: ["Note"]))
    control.ask(.activate(RequestActivation(name: "one")))
    #expect(control.hears(.activate(RequestActivation(name: "two"))) == ["3 noHost later"])
  }

  @Test("a session that is brought keeps its reason, whatever became of it before")
  func reason() {
    let stage = Stage()
    let (control, scene) = (stage.control(), stage.client())
    scene.become("packing")
    scene.close()
    let host = stage.client(hosts: ["*"])
    control.ask(activate)
    #expect(host.heard == ["willConnect S1 activation 2"])
  }

  @Test("who has not answered is not asked again until it says something")
  func silentHost() {
    let stage = Stage()
    let (scene, control) = (stage.client("notes", hosts: ["*"]), stage.control())
    let session = scene.become("packing", background: true)
    let activation = ClientRequest.activate(RequestActivation(session: session))
    control.ask(activation)
    stage.pass(.seconds(5))
    #expect(stage.end(session)?.reason == .watchdog)
    #expect(control.heard == ["2 sessionNotHeld now"])
    scene.forget()
    #expect(control.hears(activation) == ["3 noHost later"])
    #expect(
      control.lastError?.message
        == "no client that responds can host the scene: notes 101 does not respond; "
        + "continue that process or start another")
    #expect(scene.heard == [])
    // It goes on, and answers what it was asked.
    scene.acknowledge()
    control.ask(activation)
    #expect(scene.heard == ["willConnect S1 activation 2"])
  }

  @Test("a silent host is passed over for another")
  func silentAndOther() {
    let stage = Stage()
    let (silent, control) = (stage.client(hosts: ["*"]), stage.control())
    let session = silent.become("packing", background: true)
    control.move(session, .foregroundActive)
    stage.pass(.seconds(5))
    silent.forget()
    let host = stage.client(hosts: ["*"])
    control.ask(.activate(RequestActivation(session: session)))
    #expect(host.heard == ["willConnect S1 activation 2"])
    #expect(silent.heard == [])
    // Asking for something is saying something.
    silent.ask(.ping(Ping()))
    host.acknowledge(.failed(message: "busy"))
    #expect(silent.heard == ["3 {}", "willConnect S1 activation 3"])
  }

  @Test("how many were asked is said in words that fit", arguments: [1, 2])
  func denialInWords(count: Int) {
    let stage = Stage()
    let control = stage.control()
    let hosts = (0..<count).map { _ in stage.client(hosts: ["*"]) }
    control.ask(activate)
    for host in hosts { host.acknowledge(.failed(message: "busy")) }
    #expect(
      control.lastError?.message
        == (count == 1
          ? "the only possible host refused the scene"
          : "none of 2 hosts took the scene: the last one refused the scene"))
  }

  @Test("a host that said nothing is not said to have said no", arguments: [1, 2])
  func silence(count: Int) {
    let stage = Stage()
    let control = stage.control()
    let hosts = (0..<count).map { _ in stage.client(hosts: ["*"]) }
    control.ask(activate)
    for host in hosts.dropLast() { host.acknowledge(.failed(message: "busy")) }
    stage.pass(.seconds(20))
    #expect(control.heard == ["2 requestDenied"])
    #expect(
      control.lastError?.message
        == (count == 1
          ? "the only possible host did not answer willConnect in time"
          : "none of 2 hosts took the scene: the last one did not answer willConnect in time")
    )
  }

  @Test("a host that went is said to have gone")
  func wentAway() {
    let stage = Stage()
    let (control, host) = (stage.control(), stage.client(hosts: ["*"]))
    control.ask(activate)
    host.close()
    #expect(control.lastError?.message == "the only possible host disconnected")
  }

  @Test("a new session that is taken over on its way to a host stays")
  func takenOver() {
    let stage = Stage()
    let (control, host, other) = (stage.control(), stage.client(hosts: ["*"]), stage.client())
    control.ask(activate)
    other.ask(.connect(SceneConnect(name: "packing", takeOver: true)))
    #expect(host.heard == ["willConnect S1 new activation 1", "didDisconnect S1 replaced"])
    #expect(other.heard == ["2 S1 recover 2", "willConnect S1 recover 2"])
    #expect(stage.broker.stored.sessions.count == 1)
  }
}
