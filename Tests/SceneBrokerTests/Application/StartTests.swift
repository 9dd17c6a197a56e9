import SceneModel
import Testing

@testable import SceneBroker

/// The start of a broker with the state of the previous one.
struct StartTests {
  /// Two sessions, each held by a process of its own when the broker crashed.
  private func crashed(living: [Int64]) -> (BrokerFixture, SessionIdentifier, SessionIdentifier) {
    let before = BrokerFixture()
    let (one, two) = (before.client(pid: 51), before.client(pid: 52))
    before.pass(.seconds(5))
    let sessions = (one.become("one"), two.become("two"))
    #expect(before.broker.previousHolders.map(\.pid) == [51, 52])
    let processes = living.map { ClientProcess(pid: $0, startTime: 7) }
    return (before.crashed(living: processes), sessions.0, sessions.1)
  }

  @Test("sessions of holders that still run are reserved; others end now, and are free at once")
  func kept() {
    let (fixture, one, two) = crashed(living: [51])
    #expect(fixture.end(one) == nil)
    #expect(fixture.end(two)?.reason == .connectionLost)
    // The next broker of a test starts at the same time as the first.
    let start = BrokerFixture.start.wall
    #expect(fixture.stored(one)?.hold.used == start + 5000)
    #expect(fixture.stored(two)?.hold.used == start)
    let other = fixture.client(pid: 99)
    #expect(other.hears(SceneConnect(session: one)) == ["2 sessionInUse later"])
    #expect(other.hears(SceneConnect(session: two)).first == "3 S2 recover 2")
  }

  @Test(
    "the end of a hold that is older than the start of the machine has the cause machineStopped",
    arguments: [(0, nil), (1, .machineStopped)] as [(Int64, DisconnectCause?)])
  func reboot(after use: Int64, cause: DisconnectCause?) throws {
    let before = BrokerFixture()
    let session = before.client(pid: 51).become("one")
    let used = try #require(before.stored(session)?.hold.used)
    let fixture = before.crashed(booted: used + use)
    #expect(fixture.end(session)?.reason == .connectionLost)
    #expect(fixture.end(session)?.cause == cause)
  }

  @Test("after an orderly end, a session is reserved for its process, which waits, for some time")
  func orderly() {
    let before = BrokerFixture()
    let scene = before.client(pid: 51)
    let session = scene.become("one")
    before.control().ask(Terminate())
    scene.acknowledgeAll()
    #expect(before.end(session)?.reason == .shutdown)
    let fixture = before.crashed(living: before.broker.previousHolders)
    let other = fixture.client(pid: 99)
    #expect(other.hears(SceneConnect(session: session)) == ["2 sessionInUse later"])
    fixture.pass(.reservation)
    #expect(fixture.end(session)?.reason == .shutdown)
    #expect(other.hears(SceneConnect(session: session)).first == "3 S1 restore 2")
  }

  @Test("a process with the identifier of the holder and another start time is another process")
  func sameNumber() {
    let before = BrokerFixture()
    let session = before.client(pid: 51).become("one")
    let fixture = before.crashed(living: [ClientProcess(pid: 51, startTime: 8)])
    #expect(fixture.end(session)?.reason == .connectionLost)
  }

  @Test("any connection of the holder's process can connect to the reserved session")
  func sameProcess() {
    let (fixture, one, _) = crashed(living: [51])
    let again = fixture.client(pid: 51)
    #expect(
      again.hears(SceneConnect(session: one))
        == ["2 S1 recover 2", "willConnect S1 recover 2"])
  }

  @Test("a holder that returns and leaves without a resume is not the holder any more")
  func left() {
    let (fixture, one, _) = crashed(living: [51])
    let (first, second) = (fixture.client(pid: 51), fixture.client(pid: 51))
    first.close()
    #expect(fixture.end(one) == nil)
    second.close()
    #expect(fixture.end(one)?.reason == .connectionLost)
  }

  @Test("a connect without a name gets the session reserved for its process, else a new one")
  func byDefault() {
    let (fixture, one, two) = crashed(living: [51, 52])
    let other = fixture.client(pid: 99)
    #expect(other.hears(SceneConnect()).first == "2 S3 new launch 1")
    let first = fixture.client(pid: 51)
    let resume = Resume(state: .foregroundActive, hold: 1)
    #expect(
      first.hears(SceneConnect(session: one, resume: resume)).first == "2 S1 resume 1")
    let again = fixture.client(pid: 52)
    #expect(again.hears(SceneConnect()).first == "2 S2 recover 2")
    #expect(fixture.state(two) == .unattached)
  }

  @Test("when the grace period ends, every session is free before the first request is retried")
  func retries() {
    let (fixture, one, _) = crashed(living: [51, 52])
    _ = fixture.client(hosts: ["*"])
    let control = fixture.control()
    control.ask(RequestActivation(session: one))
    fixture.pass(.seconds(10))
    let events = fixture.trace.filter { [.connected, .disconnected].contains($0.event) }
    #expect(
      events.map { "\($0.event) \($0.session.map(text) ?? "")" }
        == ["disconnected S1", "disconnected S2", "connected S1"])
  }

  @Test("after the grace period the broker does not wait for a previous holder")
  func grace() {
    let (fixture, one, _) = crashed(living: [51])
    let other = fixture.client()
    fixture.pass(.seconds(9))
    #expect(other.hears(SceneConnect(session: one)) == ["2 sessionInUse later"])
    fixture.pass(.seconds(1))
    #expect(fixture.end(one)?.reason == .connectionLost)
    #expect(other.hears(SceneConnect(session: one)).first == "3 S1 recover 2")
  }

  @Test("an activation waits for a reserved session, and assigns it when it is free")
  func activationWaits() {
    let (fixture, one, _) = crashed(living: [51])
    let (control, host) = (fixture.control(), fixture.client(hosts: ["*"]))
    #expect(control.hears(RequestActivation(session: one)) == [])
    fixture.pass(.seconds(10))
    #expect(host.heard == ["willConnect S1 activation 2"])
    host.acknowledgeAll()
    #expect(control.heard == ["2 activated S1"])
  }

  @Test("an activation that waits finds the holder that came back")
  func activationFindsHolder() {
    let (fixture, one, _) = crashed(living: [51])
    let control = fixture.control()
    control.ask(RequestActivation(session: one, userActivity: note(1)))
    let again = fixture.client(pid: 51)
    again.ask(
      SceneConnect(session: one, resume: Resume(state: .foregroundActive, hold: 1)))
    again.acknowledgeAll()
    #expect(again.heard.last == #"continueUserActivity S1 note{"n":1}"#)
    #expect(control.heard == ["2 activated S1"])
  }

  @Test("a waiting activation finds the client that took the session over")
  func activationFindsTaker() {
    let (fixture, one, _) = crashed(living: [51])
    let (control, other) = (fixture.control(), fixture.client())
    control.ask(RequestActivation(session: one))
    other.ask(SceneConnect(session: one, takeOver: true))
    #expect(other.heard == ["2 S1 recover 2", "willConnect S1 recover 2"])
    other.acknowledgeAll()
    #expect(control.heard == ["2 activated S1"])
    fixture.pass(.seconds(10))
    #expect(fixture.state(one) == .foregroundActive)
  }

  @Test("a reserved session can be discarded, and requests that wait for it get an error")
  func discarded() {
    let (fixture, one, _) = crashed(living: [51])
    let (control, other) = (fixture.control(), fixture.control())
    other.ask(RequestActivation(session: one))
    #expect(control.hears(RequestDestruction(sessions: [one])) == ["2 {}"])
    #expect(other.heard == ["2 sessionNotFound"])
    #expect(
      fixture.client(pid: 51).hears(SceneConnect(session: one)) == ["2 sessionNotFound"])
  }

  @Test("a reserved session whose holder is about to end is free at once")
  func dyingHolder() {
    let (fixture, one, two) = crashed(living: [51, 52])
    fixture.dying = [ClientProcess(pid: 51, startTime: 7)]
    let other = fixture.client()
    #expect(other.hears(SceneConnect(session: one)).first == "2 S1 recover 2")
    #expect(other.hears(SceneConnect(session: two)) == ["3 sessionInUse later"])
    // A connect without a name queries these holders too.
    fixture.dying = [ClientProcess(pid: 52, startTime: 7)]
    #expect(fixture.client().hears(SceneConnect()).first == "2 S2 recover 2")
  }

  @Test("a reserved session is shown as unattached, and does not count for the phase")
  func looks() {
    let (fixture, one, _) = crashed(living: [51])
    let control = fixture.control()
    #expect(control.hears(SessionShow(session: one)) == ["2 shown S1 unattached"])
    #expect(fixture.broker.phase == .background)
    #expect(control.hears(Settle()) == ["3 {}"])
  }

  @Test("a start records only the ends of holders that have ended")
  func records() {
    let (fixture, _, two) = crashed(living: [51])
    #expect(fixture.records.count == 1)
    #expect(fixture.records.first?.subject == .session(two))
    #expect(fixture.broker.previousHolders.map(\.pid) == [51])
  }

  @Test("a restarted broker continues its numbers")
  func continues() {
    let before = BrokerFixture()
    let scene = before.client()
    let session = scene.become("packing")
    scene.ask(SaveActivity(session: session, activity: note(1)))
    let fixture = before.crashed()
    let next = fixture.client()
    next.become("packing")
    #expect(
      next.hears(SaveActivity(session: session, activity: note(2)))
        == ["3 generation 2"])
    #expect(fixture.stored(session)?.hold.number == 2)
  }
}
