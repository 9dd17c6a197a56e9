import SceneModel
import Testing

@testable import SceneBroker

/// A discarded session can return for some time.
final class TrashTests: BrokerSuite {
  private let day = Interval.seconds(86_400)

  /// Makes a session without a scene.
  private func unattached(
    _ name: String, _ activity: Activity? = note(1), on fixture: BrokerFixture? = nil
  ) -> SessionIdentifier {
    let scene = (fixture ?? self.fixture).client()
    let session = scene.become(name)
    if let activity { scene.ask(SaveActivity(session: session, activity: activity)) }
    scene.ask(SceneDisconnect(session: session))
    return session
  }

  private func discard(_ sessions: SessionIdentifier..., now: Bool = false) -> RequestDestruction {
    RequestDestruction(sessions: sessions, now: now)
  }

  @Test("an undone session equals the discarded one, also after a crash at each step")
  func undo() throws {
    let session = unattached("packing")
    for number in 2...5 { control.ask(SaveActivity(session: session, activity: note(number))) }
    let stored = try #require(fixture.stored(session))
    // The client that waited for the session learns of the discard.
    var hold = stored.hold
    hold.previousHolder = nil
    let before = StoredSession(
      attributes: stored.attributes, generations: stored.generations, hold: hold)
    control.ask(discard(session))
    #expect(fixture.stored(session) == nil)
    let next = fixture.crashed()
    let control = next.control()
    #expect(control.hears(SessionUndiscard(session: session)) == ["2 undiscarded S1 packing"])
    #expect(next.stored(session) == before)
    #expect(next.sent.last?.after == next.broker.recordCount)
    #expect(next.crashed().stored(session) == before)
    #expect(next.commands.isEmpty)
  }

  @Test("a session in the trash is absent for every request, and its name is free")
  func absent() {
    let session = unattached("packing")
    #expect(control.hears(discard(session)) == ["2 until 86400000"])
    let requests: [any RequestMessage] = [
      discard(session), SaveActivity(session: session, activity: note(1)),
      SetUserInfo(session: session, userInfo: .empty), SceneUpdate(session: session),
      SceneConnect(session: session), RequestActivation(session: session),
      SessionShow(session: session), SessionShow(name: "packing"), SessionResolve(word: "packing"),
      SessionHistory(session: session), SceneTransition(session: session, to: .unattached),
      DataDirectory(session: session), RequestRefresh(sessions: [session]),
      SessionRelease(session: session, fence: 1, to: "desktop"),
    ]
    for request in requests {
      #expect(control.hears(request).last?.hasSuffix("sessionNotFound") == true, "\(request)")
      #expect(control.lastError?.message.contains("scenectl undiscard packing") == true)
    }
    #expect(control.hears(SessionList()).last?.hasSuffix("sessions []") == true)
    #expect(control.hears(SessionList(discarded: true)).last?.hasSuffix("sessions [S1]") == true)
    #expect(control.hears(ApplicationRoute()).last?.hasSuffix("route [] new") == true)
    let other = scene.become("packing")
    #expect(other != session)
    #expect(control.hears(SessionUndiscard(session: session)).last?.hasSuffix("nameInUse") == true)
    #expect(control.lastError?.message.contains("--name") == true)
    #expect(
      control.hears(SessionUndiscard(session: session, name: "boxes")).last?.hasSuffix(
        "undiscarded S1 boxes") == true)
    #expect(control.hears(SessionUndiscard(session: session)).last?.hasSuffix("NotFound") == true)
  }

  @Test("after the time, the session and its directory are gone, also if the broker crashed")
  func time() {
    let session = unattached("packing")
    control.ask(discard(session))
    fixture.pass(.seconds(3600))
    let next = fixture.crashed()
    next.pass(.seconds(86_399))
    #expect(next.broker.stored.trash[session] != nil)
    #expect(next.commands.isEmpty)
    next.pass(.seconds(2))
    #expect(next.broker.stored.trash.isEmpty)
    #expect(next.broker.stored.byteCount == 0)
    #expect(next.commands == [.removeDirectory(session, after: next.broker.recordCount)])
    #expect(next.trace.last { $0.event == .discarded }?.name == "packing")
  }

  @Test("an empty session skips the trash, but not one with a data directory")
  func empty() {
    let (empty, full) = (unattached("empty", nil), unattached("full", nil))
    control.ask(DataDirectory(session: full))
    fixture.handle(.dataDirectoryMade(full, .path("data")))
    #expect(control.hears(discard(empty)) == ["3 {}"])
    #expect(control.hears(discard(full)) == ["4 until 86400000"])
    #expect(Array(fixture.broker.stored.trash.keys) == [full])
  }

  @Test("a discard with `now` skips the trash, and ends a session in the trash")
  func now() {
    let (one, two) = (unattached("one"), unattached("two"))
    #expect(control.hears(discard(one, now: true)) == ["2 {}"])
    control.ask(discard(two))
    #expect(control.hears(discard(two, now: true)) == ["4 {}"])
    #expect(fixture.broker.stored.trash.isEmpty)
    #expect(fixture.commands.count { if case .removeDirectory = $0 { true } else { false } } == 2)
  }

  @Test("a session that leaves the trash before its scene ends keeps its directory until then")
  func hanging() {
    let session = scene.become("packing")
    scene.ask(SaveActivity(session: session, activity: note(1)))
    control.ask(discard(session))
    #expect(fixture.commands == [])
    control.ask(discard(session, now: true))
    let mark = BrokerCommand.markDirectory(session, after: fixture.broker.recordCount)
    #expect(fixture.commands == [mark])
    scene.acknowledgeAll()
    let end = fixture.broker.recordCount
    #expect(fixture.commands == [mark, .removeDirectory(session, after: end)])
  }

  @Test("a session with a scene goes to the trash at once, and returns without its scene")
  func connected() throws {
    let session = scene.become("packing")
    scene.ask(SaveActivity(session: session, activity: note(1)))
    control.ask(discard(session))
    #expect(
      control.hears(SessionUndiscard(session: session)) == ["3 sessionInUse later"])
    scene.acknowledgeAll()
    control.ask(SessionUndiscard(session: session))
    let stored = try #require(fixture.stored(session))
    #expect(stored.hold.holder == nil)
    #expect(stored.hold.end?.reason == .discarded)
    #expect(stored.activity == note(1))
    #expect(!fixture.commands.contains { if case .removeDirectory = $0 { true } else { false } })
  }

  @Test("a save that needs space ends the oldest sessions in the trash")
  func space() {
    var limits = Limits()
    limits.storedBytes = 5_600
    let fixture = BrokerFixture(limits: limits)
    let control = fixture.control()
    let sessions = ["a", "b", "c"].map { unattached($0, note(1), on: fixture) }
    control.ask(discard(sessions[0], sessions[1]))
    fixture.pass(.seconds(1))
    control.ask(discard(sessions[2]))
    #expect(fixture.broker.stored.trash.count == 3)
    let scene = fixture.client()
    let session = scene.become("large")
    #expect(
      scene.hears(SaveActivity(session: session, activity: note(byteCount: 5_000))).last?.hasSuffix(
        "generation 1") == true)
    #expect(fixture.broker.stored.trash[sessions[2]] != nil)
    #expect(fixture.broker.stored.trash.count < 3)
    #expect(
      scene.hears(SaveActivity(session: session, activity: note(byteCount: 10_000))).last?.contains(
        "storageFull") == true)
    #expect(fixture.broker.stored.trash[sessions[2]] != nil)
  }

  @Test("the trash has at most a quarter of the space, and at most 1000 sessions")
  func limits() throws {
    var limits = Limits()
    limits.storedBytes = 4 * 1_000
    let fixture = BrokerFixture(limits: limits)
    let control = fixture.control()
    for name in 1...6 {
      control.ask(discard(unattached("\(name)", on: fixture)))
      fixture.pass(.seconds(1))
    }
    #expect((1...5).contains(fixture.broker.stored.trash.count))
    #expect(fixture.broker.stored.trashByteCount <= 1_000)
    let newest = fixture.broker.stored.trash.values.max { $0.until < $1.until }
    #expect(newest?.session.attributes.name == "6")
    var state = StoredState()
    for number in 1...UInt64(Trash.mostSessions) {
      let session = SessionIdentifier(high: 1, low: number)
      let attributes = SessionAttributes(
        identifier: session, configuration: SceneConfiguration(name: "Default Configuration"))
      try state.apply(.session(attributes))
      try state.apply(.discard(Discard(session: session, until: .max)))
    }
    let full = BrokerFixture(recovered: state)
    full.control().ask(discard(unattached("packing", on: full)))
    #expect(full.broker.stored.trash.count == Trash.mostSessions)
  }

  @Test("a full disk empties the trash")
  func fullDisk() {
    control.ask(discard(unattached("packing")))
    fixture.handle(.storage(.full))
    #expect(fixture.broker.stored.trash.isEmpty)
  }

  @Test("a session of the trash that arrives from another host keeps its history")
  func adoption() throws {
    let session = unattached("packing")
    control.ask(SessionShow(session: session))
    let details = try #require(control.lastReply?.content as? SessionDetails)
    control.ask(discard(session))
    var record = details.sceneSession
    record.stateRestorationActivity = note(2)
    control.ask(
      SessionAdopt(sceneSession: record, generation: 2, fence: 1, from: "laptop"))
    #expect(fixture.stored(session)?.generations.map(\.number) == [1, 2])
    #expect(fixture.broker.stored.trash.isEmpty)
  }
}

/// The trash of an application with a delegate.
final class TrashReportTests: BrokerSuite {
  private func discarded(_ fixture: BrokerFixture) -> SessionIdentifier {
    let scene = fixture.client()
    scene.ask(SceneConnect(name: "packing"))
    for delegate in fixture.openClients where !delegate.questions.isEmpty { delegate.answer() }
    scene.acknowledgeAll()
    let session = fixture.broker.store.listed(named: "packing") ?? .none
    scene.ask(SaveActivity(session: session, activity: note(1)))
    scene.ask(SceneDisconnect(session: session))
    fixture.control().ask(RequestDestruction(sessions: [session]))
    return session
  }

  private func manifest(_ trash: Interval?) -> Manifest {
    var manifest = DelegateTests.manifest(.optional)
    manifest.policies.trash = trash
    return manifest
  }

  @Test("with a delegate there is no trash by default")
  func standard() {
    let fixture = BrokerFixture(manifest(nil))
    let delegate = fixture.delegate()
    delegate.forget()
    _ = discarded(fixture)
    #expect(fixture.broker.stored.trash.isEmpty)
    #expect(delegate.heard.contains { $0.hasPrefix("didDiscardSceneSessions") })
  }

  @Test("with a time, the delegate is told at the end of that time, and not of an undone discard")
  func end() {
    let fixture = BrokerFixture(manifest(.seconds(60)))
    let delegate = fixture.delegate()
    let session = discarded(fixture)
    fixture.control().ask(SessionUndiscard(session: session))
    fixture.pass(.seconds(120))
    #expect(fixture.stored(session) != nil)
    fixture.control().ask(RequestDestruction(sessions: [session]))
    fixture.pass(.seconds(59))
    #expect(!delegate.heard.contains { $0.hasPrefix("didDiscardSceneSessions") })
    fixture.pass(.seconds(2))
    #expect(delegate.heard.contains { $0.hasPrefix("didDiscardSceneSessions") })
  }

  @Test("the first delegate is not told of sessions that were discarded before it")
  func earlier() {
    let fixture = BrokerFixture(manifest(.seconds(60)))
    _ = discarded(fixture)
    let delegate = fixture.delegate()
    fixture.pass(.seconds(120))
    #expect(fixture.broker.stored.trash.isEmpty)
    #expect(!delegate.heard.contains { $0.hasPrefix("didDiscardSceneSessions") })
  }
}
