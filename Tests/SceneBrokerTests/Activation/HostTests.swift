import SceneModel
import Testing

@testable import SceneBroker

/// The host of a scene that its client did not request.
final class HostTests: BrokerSuite {
  private let activate = RequestActivation(name: "packing")

  @Test("without a host an activation creates no session, and can be repeated later")
  func noHost() {
    let fixture = BrokerFixture(.hosting("Note"))
    let (control, _) = (fixture.control(), fixture.client(hosts: ["Tool"]))
    #expect(control.hears(activate) == ["2 noHost later"])
    #expect(fixture.broker.stored.sessions.isEmpty)
    #expect(fixture.records.isEmpty)
    #expect(control.lastError?.session == nil)
    #expect(control.lastError?.message.hasSuffix("; start a client and try again") == true)
  }

  @Test("an unattached session without a host stays as it is")
  func noHostForOld() {
    let fixture = BrokerFixture(.hosting("Note"))
    let (control, scene) = (fixture.control(), fixture.client())
    let session = scene.become("packing")
    scene.close()
    #expect(control.hears(activate) == ["2 noHost later"])
    #expect(
      control.lastError?.message
        == "no connected client can host scenes of class Note, and the manifest has no launch "
        + "command; "
        + "start notes, the program that created packing")
    #expect(control.lastError?.session == session)
    #expect(fixture.end(session)?.reason == .connectionLost)
  }

  @Test(
    "the host is the connection that last held the session, if it answered its disconnection")
  func lastHolder() {
    let (host, scene, control) = (fixture.client(hosts: ["*"]), fixture.client(), fixture.control())
    let session = scene.become("packing", background: true)
    control.move(session, .unattached)
    scene.acknowledgeAll()
    scene.forget()
    control.ask(activate)
    #expect(scene.heard == ["willConnect S1 activation 2"])
    #expect(host.heard == [])
    scene.acknowledge(.failed(message: "no"))
    #expect(host.heard == ["willConnect S1 activation 3"])
  }

  @Test("a last holder that was disconnected without an answer, or has closed, is no host")
  func cutHolder() {
    let (host, scene, control) = (fixture.client(hosts: ["*"]), fixture.client(), fixture.control())
    let session = scene.become("packing", background: true)
    control.move(session, .unattached)
    fixture.pass(.seconds(5))
    control.ask(activate)
    #expect(host.heard == ["willConnect S1 activation 2"])
  }

  @Test("after a restart, any connection of the last holder's process can be the host")
  func previousHolder() {
    let before = BrokerFixture()
    let (scene, lost) = (before.client(hosts: ["*"], pid: 50), before.client(hosts: ["*"], pid: 60))
    let session = scene.become("packing", background: true)
    let other = lost.become("other", background: true)
    before.control().ask(Reclaim(sessions: [session]))
    scene.acknowledgeAll()
    #expect(before.stored(session)?.hold.previousHolder == scene.process)
    lost.close()
    #expect(before.stored(other)?.hold.previousHolder == nil)
    let fixture = before.crashed()
    let control = fixture.control()
    let early = fixture.client(hosts: ["*"], pid: 70)
    let again = fixture.client(hosts: ["*"], pid: 50)
    control.ask(activate)
    #expect(again.heard == ["willConnect S1 activation 2"])
    #expect(early.heard == [])
    #expect(fixture.stored(session)?.hold.previousHolder == nil)
  }

  @Test("the host with the fewest scenes is selected, then the oldest connection")
  func fewest() {
    let fixture = BrokerFixture(.hosting("Note"))
    let control = fixture.control()
    let hosts = (0..<3).map { _ in fixture.client(hosts: ["Other", "Note"]) }
    for number in 0..<5 {
      control.ask(RequestActivation(name: "\(number)"))
    }
    let counts = hosts.map { $0.heard.count }
    #expect(counts == [2, 2, 1])
  }

  @Test("a host of any class takes one scene at a time, of a class or of none")
  func anyClass() {
    let fixture = BrokerFixture(.hosting("Note"))
    let (control, host) = (fixture.control(), fixture.client(hosts: ["*"]))
    control.ask(RequestActivation(name: "one"))
    #expect(host.heard == ["willConnect S1 new activation 1"])
    #expect(
      control.hears(RequestActivation(name: "two")) == ["3 noHost later"])
    let plain = BrokerFixture()
    let (other, any) = (plain.control(), plain.client(hosts: ["*"]))
    other.ask(activate)
    #expect(any.heard == ["willConnect S1 new activation 1"])
  }

  @Test("a host of any class does not get its last session back while it holds another")
  func anyClassAgain() {
    let (control, host) = (fixture.control(), fixture.client(hosts: ["*"]))
    let session = host.become("one")
    host.ask(SceneDisconnect(session: session))
    host.become("two")
    #expect(
      control.hears(RequestActivation(session: session)) == ["2 noHost later"])
  }

  @Test("only clients of the kind scene with a matching class are hosts")
  func unsuited() {
    let fixture = BrokerFixture(.hosting("Note"))
    let control = fixture.control()
    let others = [
      fixture.client(hosts: []), fixture.client(hosts: ["Other"]),
      fixture.client(as: .control, hosts: ["Note"]), fixture.client(as: .observer, hosts: ["Note"]),
    ]
    #expect(control.hears(activate) == ["2 noHost later"])
    #expect(others.allSatisfy { $0.heard == [] })
  }

  @Test("after a refusal the next host gets the scene; after the last one the activation fails")
  func refusals() {
    let (control, first, second) = (
      fixture.control(), fixture.client(hosts: ["*"]), fixture.client(hosts: ["*"])
    )
    control.ask(activate)
    #expect(first.heard == ["willConnect S1 new activation 1"])
    first.acknowledge(.failed(message: "busy"))
    #expect(second.heard == ["willConnect S1 new activation 2"])
    #expect(control.heard == [])
    second.acknowledge(.failed(message: "busy"))
    #expect(control.heard == ["2 requestDenied"])
    #expect(fixture.broker.stored.sessions.isEmpty)
    #expect(first.heard == [])
  }

  @Test("an existing session stays after the last refusal")
  func refusalsOfOld() {
    let session = scene.become("packing")
    scene.ask(SaveActivity(session: session, activity: note(1)))
    scene.close()
    let host = fixture.client(hosts: ["*"])
    control.ask(activate)
    #expect(host.heard == [#"willConnect S1 activation 2 was note{"n":1}"#])
    host.acknowledge(.failed(message: "no"))
    #expect(control.heard == ["2 requestDenied"])
    #expect(fixture.end(session)?.reason == .refused)
    #expect(fixture.stored(session)?.activity == note(1))
  }

  @Test("a host that exceeds willConnect gets didDisconnect, and the next host gets the scene")
  func overrun() {
    let (control, first, second) = (
      fixture.control(), fixture.client(hosts: ["*"]), fixture.client(hosts: ["*"])
    )
    control.ask(activate)
    fixture.pass(.seconds(20))
    #expect(first.heard == ["willConnect S1 new activation 1", "didDisconnect S1 watchdog"])
    #expect(second.heard == ["willConnect S1 new activation 2"])
    second.acknowledgeAll()
    #expect(control.heard == ["2 activated S1 new"])
    // The reply of the first host is too late.
    first.acknowledgeAll()
    #expect(fixture.state(SessionIdentifier(high: 0, low: 1)) == .foregroundActive)
  }

  @Test("after a host has closed or disconnected, the next host gets the scene")
  func gone() {
    let hosts = (0..<3).map { _ in fixture.client(hosts: ["*"]) }
    control.ask(activate)
    hosts[0].close()
    #expect(hosts[1].heard == ["willConnect S1 new activation 2"])
    let session = SessionIdentifier(high: 0, low: 1)
    #expect(
      hosts[1].hears(SceneDisconnect(session: session)) == ["2 {}"])
    #expect(hosts[2].heard == ["willConnect S1 new activation 3"])
    hosts[2].close()
    #expect(control.heard == ["2 requestDenied"])
    #expect(fixture.broker.stored.sessions.isEmpty)
  }

  @Test("an activation by the host itself gets its reply at once")
  func ownActivation() {
    let (first, second) = (fixture.client(hosts: ["*"]), fixture.client(hosts: ["*"]))
    #expect(
      first.hears(activate) == ["willConnect S1 new activation 1", "2 activated S1 new"])
    first.acknowledge(.failed(message: "no"))
    #expect(second.heard == ["willConnect S1 new activation 2"])
  }

  @Test("a requester that becomes the host itself gets its reply at once")
  func comesToTheAsker() {
    let (first, second) = (fixture.client(hosts: ["*"]), fixture.client(hosts: ["*"]))
    second.ask(activate)
    #expect(second.heard == [])
    first.acknowledge(.failed(message: "no"))
    #expect(second.heard == ["willConnect S1 new activation 2", "2 activated S1 new"])
  }

  @Test("pending activations continue at the next host")
  func follows() {
    let (control, other) = (fixture.control(), fixture.control())
    let (first, second) = (fixture.client(hosts: ["*"]), fixture.client(hosts: ["*"]))
    control.ask(activate)
    let session = SessionIdentifier(high: 0, low: 1)
    other.ask(RequestActivation(session: session, userActivity: note(1)))
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
    #expect(fixture.state(session) == .background)
  }

  @Test("an assigned scene whose session is discarded ends after the reply to willConnect")
  func discardedWhileBrought() {
    let (control, other, host) = (
      fixture.control(), fixture.control(), fixture.client(hosts: ["*"])
    )
    control.ask(activate)
    let session = SessionIdentifier(high: 0, low: 1)
    #expect(other.hears(RequestDestruction(sessions: [session])) == [])
    #expect(host.heard == ["willConnect S1 new activation 1"])
    #expect(control.heard == ["2 sessionNotFound"])
    host.acknowledge()
    #expect(host.heard == ["didDisconnect S1 discarded"])
    host.acknowledge()
    #expect(other.heard == ["2 {}"])
  }

  @Test("the next host does not get an assigned scene whose session is discarded")
  func discardedAndRefused() {
    let (other, first, second) = (
      fixture.control(), fixture.client(hosts: ["*"]), fixture.client(hosts: ["*"])
    )
    other.ask(activate)
    let session = SessionIdentifier(high: 0, low: 1)
    other.ask(RequestDestruction(sessions: [session]))
    first.acknowledge(.failed(message: "no"))
    #expect(second.heard == [])
    #expect(other.heard == ["2 sessionNotFound", "3 {}"])
  }

  @Test("a closing connection is no host for the session that waits for its end")
  func closingHost() {
    let (control, host) = (fixture.control(), fixture.client(hosts: ["*"]))
    let session = host.become("packing", background: true)
    control.move(session, .unattached)
    control.ask(RequestActivation(session: session))
    host.close()
    #expect(control.heard == ["2 unattached", "3 noHost later"])
  }

  @Test("a connection that the broker closes is no host")
  func violation() {
    let host = fixture.client(hosts: ["*"])
    fixture.closesAtOnce = false
    fixture.handle(.answered(host.connection, callback: 99, .done))
    #expect(control.hears(activate) == ["2 noHost later"])
  }

  @Test("a host without room for a scene is not selected")
  func full() {
    let fixture = BrokerFixture(.hosting("Note"), limits: .with(\.scenesPerConnection, 1))
    let (control, _) = (fixture.control(), fixture.client(hosts: ["Note"]))
    control.ask(RequestActivation(name: "one"))
    #expect(control.hears(RequestActivation(name: "two")) == ["3 noHost later"])
  }

  @Test("a client that exceeded a callback is no host until it sends something")
  func silentHost() {
    let (scene, control) = (fixture.client("notes", hosts: ["*"]), fixture.control())
    let session = scene.become("packing", background: true)
    let activation = RequestActivation(session: session)
    control.ask(activation)
    fixture.pass(.seconds(5))
    #expect(fixture.end(session)?.reason == .watchdog)
    #expect(control.heard == ["2 sessionNotHeld now"])
    scene.forget()
    #expect(control.hears(activation) == ["3 noHost later"])
    #expect(
      control.lastError?.message
        == "no client that responds can host the scene: notes 101 does not respond; "
        + "continue that process or start another")
    #expect(scene.heard == [])
    // The host continues, and replies to the callback.
    scene.acknowledge()
    control.ask(activation)
    #expect(scene.heard == ["willConnect S1 activation 2"])
  }

  @Test("a host that does not respond is not selected")
  func silentAndOther() {
    let (silent, control) = (fixture.client(hosts: ["*"]), fixture.control())
    let session = silent.become("packing", background: true)
    control.move(session, .foregroundActive)
    fixture.pass(.seconds(5))
    silent.forget()
    let host = fixture.client(hosts: ["*"])
    control.ask(RequestActivation(session: session))
    #expect(host.heard == ["willConnect S1 activation 2"])
    #expect(silent.heard == [])
    // Asking for something is saying something.
    silent.ask(Ping())
    host.acknowledge(.failed(message: "busy"))
    #expect(silent.heard == ["3 {}", "willConnect S1 activation 3"])
  }

  @Test("the error after the last host states the number of hosts", arguments: [1, 2])
  func denialInWords(count: Int) {
    let hosts = (0..<count).map { _ in fixture.client(hosts: ["*"]) }
    control.ask(activate)
    for host in hosts { host.acknowledge(.failed(message: "busy")) }
    #expect(
      control.lastError?.message
        == (count == 1
          ? "the only possible host refused the scene"
          : "none of 2 hosts took the scene: the last one refused the scene"))
  }

  @Test("the error names an overrun, not a refusal, of the last host", arguments: [1, 2])
  func silence(count: Int) {
    let hosts = (0..<count).map { _ in fixture.client(hosts: ["*"]) }
    control.ask(activate)
    for host in hosts.dropLast() { host.acknowledge(.failed(message: "busy")) }
    fixture.pass(.seconds(20))
    #expect(control.heard == ["2 requestDenied"])
    #expect(
      control.lastError?.message
        == (count == 1
          ? "the only possible host did not answer willConnect in time"
          : "none of 2 hosts took the scene: the last one did not answer willConnect in time")
    )
  }

  @Test("the error says that the last host disconnected")
  func wentAway() {
    let (control, host) = (fixture.control(), fixture.client(hosts: ["*"]))
    control.ask(activate)
    host.close()
    #expect(control.lastError?.message == "the only possible host disconnected")
  }

  @Test("a new session that another client takes over stays")
  func takenOver() {
    let (control, host, other) = (fixture.control(), fixture.client(hosts: ["*"]), fixture.client())
    control.ask(activate)
    other.ask(SceneConnect(name: "packing", takeOver: true))
    #expect(host.heard == ["willConnect S1 new activation 1", "didDisconnect S1 replaced"])
    #expect(other.heard == ["2 S1 recover 2", "willConnect S1 recover 2"])
    #expect(fixture.broker.stored.sessions.count == 1)
  }
}
