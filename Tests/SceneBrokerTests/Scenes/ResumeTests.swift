import SceneModel
import Testing

@testable import SceneBroker

/// A client that lost the broker, but not its own state, resumes its scene.
final class ResumeTests: BrokerSuite {
  /// A broker whose predecessor crashed while this process held a session.
  private func crashed(
    pid: Int64 = 50
  ) -> (fixture: BrokerFixture, process: ClientProcess, session: SessionIdentifier) {
    let before = BrokerFixture()
    let scene = before.client(pid: pid)
    let session = scene.become("packing")
    scene.ask(SaveActivity(session: session, activity: note(1)))
    return (before.crashed(living: [scene.process]), scene.process, session)
  }

  private func resume(
    _ session: SessionIdentifier, _ state: ActivationState, hold: Int64 = 1,
    activity: Activity? = nil
  ) -> any RequestMessage {
    SceneConnect(
      session: session, resume: Resume(state: state, hold: hold), activity: activity)
  }

  @Test(
    "R22: after a crash of the broker, clients resume their scenes without a callback",
    arguments: [
      (ActivationState.background, []), (.foregroundInactive, ["didBecomeActive S1"]),
      (.foregroundActive, []),
    ])
  func goesOn(state: ActivationState, callbacks: [String]) {
    let (fixture, process, session) = crashed()
    let client = fixture.client(pid: process.pid)
    #expect(client.hears(resume(session, state)) == ["2 S1 resume 1"] + callbacks)
    client.acknowledgeAll()
    #expect(fixture.state(session) == (state == .background ? .background : .foregroundActive))
    #expect(fixture.stored(session)?.hold.holder == process)
  }

  @Test("a resume first saves its activity")
  func activity() {
    let (fixture, process, session) = crashed()
    let client = fixture.client(pid: process.pid)
    client.ask(resume(session, .foregroundActive, activity: note(2)))
    #expect(fixture.stored(session)?.activity == note(2))
    #expect(fixture.stored(session)?.generations.map(\.number) == [1, 2])
  }

  @Test("a disk that is behind refuses a resume with the retry now")
  func putOff() {
    let (fixture, process, session) = crashed()
    let client = fixture.client(pid: process.pid)
    fixture.handle(.storage(.behind))
    let records = fixture.records.count
    #expect(
      client.hears(resume(session, .foregroundActive, activity: note(2))) == ["2 tooMany now"])
    #expect(client.hears(resume(session, .foregroundActive)) == ["3 tooMany now"])
    #expect(fixture.records.count == records)
    fixture.handle(.storage(.ok))
    #expect(
      client.hears(resume(session, .foregroundActive, activity: note(2))) == ["4 S1 resume 1"])
  }

  @Test("a resume whose activity cannot be saved is refused, and succeeds without it")
  func activityRefused() {
    let (fixture, process, session) = crashed()
    let client = fixture.client(pid: process.pid)
    fixture.handle(.storage(.full))
    let (before, records) = (fixture.stored(session)?.hold, fixture.records.count)
    #expect(
      client.hears(resume(session, .foregroundActive, activity: note(2)))
        == ["2 storageFull later"])
    #expect(client.lastError?.message.hasPrefix("activity: ") == true)
    #expect(
      client.lastError?.message.hasSuffix("; resume without the activity and save it later")
        == true)
    #expect(fixture.stored(session)?.hold == before)
    #expect(fixture.records.count == records)
    #expect(fixture.client(pid: 51).hears(resume(session, .background)) == ["2 sessionInUse later"])
    #expect(client.hears(resume(session, .foregroundActive)) == ["3 S1 resume 1"])
    #expect(fixture.stored(session)?.activity == note(1))
  }

  @Test("a full disk refuses a resume with a new activity, and takes one with the saved activity")
  func activityRefusedWhileHeld() {
    let (first, second) = (fixture.client(pid: 50), fixture.client(pid: 50))
    let session = first.become("packing")
    first.ask(SaveActivity(session: session, activity: note(1)))
    first.forget()
    fixture.handle(.storage(.full))
    second.ask(resume(session, .foregroundActive, activity: note(2)))
    #expect(first.heard == [])
    #expect(fixture.state(session) == .foregroundActive)
    #expect(
      second.hears(resume(session, .foregroundActive, activity: note(1))) == ["3 S1 resume 1"])
  }

  @Test("a resume keeps the hold, so that a client can repeat it after a lost reply")
  func sameHold() {
    let (fixture, process, session) = crashed()
    let first = fixture.client(pid: process.pid)
    first.ask(resume(session, .foregroundActive))
    first.close()
    let second = fixture.client(pid: process.pid)
    #expect(second.hears(resume(session, .foregroundActive)) == ["2 S1 resume 1"])
  }

  @Test("a resume replaces the old connection of its process")
  func oldConnection() {
    let (fixture, process, session) = crashed()
    let (first, second) = (fixture.client(pid: process.pid), fixture.client(pid: process.pid))
    first.ask(resume(session, .foregroundActive))
    first.forget()
    #expect(second.hears(resume(session, .foregroundActive)) == ["2 S1 resume 1"])
    #expect(first.heard == ["didDisconnect S1 replaced"])
  }

  @Test("a repeated resume on the same connection only saves its activity")
  func repeated() {
    let (fixture, process, session) = crashed()
    let client = fixture.client(pid: process.pid)
    client.ask(resume(session, .foregroundActive))
    client.forget()
    #expect(client.hears(resume(session, .background, activity: note(2))) == ["3 S1 resume 1"])
    #expect(fixture.state(session) == .foregroundActive)
    #expect(fixture.stored(session)?.activity == note(2))
  }

  @Test("a scene with a pending didDisconnect cannot be resumed on its own connection")
  func leaving() {
    let scene = fixture.client(pid: 50)
    let session = scene.become("packing", background: true)
    fixture.control().move(session, .unattached)
    #expect(scene.hears(resume(session, .background)) == ["3 sessionNotHeld now"])
    scene.acknowledge()
    #expect(fixture.end(session)?.reason == .clientRequest)
  }

  @Test(
    "a scene that did not end with its connection cannot be resumed",
    arguments: [DisconnectReason.clientRequest, .reclaimed, .watchdog, .shutdown])
  func over(reason: DisconnectReason) {
    let before = BrokerFixture()
    let scene = before.client(pid: 50)
    let session = scene.become("packing", background: true)
    switch reason {
    case .watchdog:
      scene.move(session, .foregroundActive)
      before.pass(.seconds(5))
    case .shutdown: before.terminate()
    default:
      before.control().ask(
        SceneTransition(session: session, to: .unattached, reason: reason))
    }
    scene.acknowledgeAll()
    #expect(before.end(session)?.reason == reason)
    let fixture = before.crashed(living: [scene.process])
    for pid in [Int64(50), 51] {
      let client = fixture.client(pid: pid)
      #expect(client.hears(resume(session, .background)) == ["2 sessionNotHeld now"])
    }
    #expect(fixture.stored(session)?.hold.number == 1)
  }

  @Test("a session that another client has held since cannot be resumed")
  func heldSince() {
    let (fixture, process, session) = crashed()
    let other = fixture.client()
    other.become(SceneConnect(session: session, takeOver: true))
    let client = fixture.client(pid: process.pid)
    #expect(client.hears(resume(session, .foregroundActive)) == ["2 sessionNotHeld now"])
    other.close()
    #expect(client.hears(resume(session, .foregroundActive)) == ["3 sessionNotHeld now"])
    #expect(client.hears(SceneConnect(session: session)).first == "4 S1 recover 3")
  }

  @Test("a session that is reserved for one process cannot be resumed by another")
  func otherProcess() {
    let (fixture, _, session) = crashed()
    let other = fixture.client(pid: 51)
    #expect(other.hears(resume(session, .foregroundActive)) == ["2 sessionInUse later"])
  }

  @Test("after the grace period a session can be resumed until another client has held it")
  func afterGrace() {
    let (fixture, process, session) = crashed()
    fixture.pass(.reservation)
    #expect(fixture.end(session)?.reason == .connectionLost)
    let client = fixture.client(pid: process.pid)
    #expect(client.hears(resume(session, .background)) == ["2 S1 resume 1"])
  }

  @Test("a client that was disconnected as a slow reader can resume")
  func slowReader() {
    let client = fixture.client(pid: 50)
    let session = client.become("packing")
    client.close(.slowReader)
    #expect(
      fixture.client(pid: 50).hears(resume(session, .foregroundActive)) == ["2 S1 resume 1"])
  }

  @Test("a resume in the state unattached is refused")
  func unattached() {
    let (fixture, process, session) = crashed()
    #expect(
      fixture.client(pid: process.pid).hears(resume(session, .unattached)) == ["2 invalidParams"])
  }

  @Test("a discarded session cannot be resumed")
  func gone() {
    let (fixture, process, session) = crashed()
    fixture.control().ask(RequestDestruction(sessions: [session]))
    #expect(
      fixture.client(pid: process.pid).hears(resume(session, .background))
        == ["2 sessionNotFound"])
  }

  @Test("willConnect has the hold, so that an assigned scene can resume")
  func brought() {
    let before = BrokerFixture(.hosting("Note"))
    let host = before.client(hosts: ["Note"], pid: 50)
    before.control().ask(RequestActivation(name: "packing"))
    #expect(host.heard == ["willConnect S1 new activation 1"])
    host.acknowledgeAll()
    let fixture = before.crashed(living: [host.process])
    #expect(
      fixture.client(pid: 50).hears(resume(SessionIdentifier(high: 0, low: 1), .foregroundActive))
        == ["2 S1 resume 1"])
  }

  @Test("an external display resumes at most in its highest state")
  func ceiling() {
    let before = BrokerFixture(Manifest(supportsMultipleScenes: true, roles: [.screen]))
    let scene = before.client(pid: 50)
    let session = scene.become(SceneConnect(new: true, role: .windowExternalDisplay))
    let fixture = before.crashed(living: [scene.process])
    fixture.client(pid: 50).ask(resume(session, .foregroundActive))
    #expect(fixture.state(session) == .foregroundInactive)
  }

  @Test("a resume beyond the limit of scenes keeps the old connection's scene")
  func noRoom() {
    let fixture = BrokerFixture(limits: .with(\.scenesPerConnection, 1))
    let first = fixture.client(pid: 50)
    let session = first.become("packing")
    let second = fixture.client(pid: 50)
    second.become("other")
    #expect(second.hears(resume(session, .foregroundActive)) == ["3 tooMany later"])
    #expect(fixture.state(session) == .foregroundActive)
    // The one that is replaced does not count.
    #expect(first.hears(resume(session, .foregroundActive)).last == "3 S1 resume 1")
  }
}
