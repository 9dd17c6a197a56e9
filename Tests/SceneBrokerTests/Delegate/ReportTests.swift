import SceneJSON
import SceneModel
import Testing

@testable import SceneBroker

/// The application delegate gets each report of discards until it confirms one.
final class ReportTests: BrokerSuite {
  init() { super.init(DelegateTests.manifest(.optional)) }

  /// Unattached sessions.
  private func make(_ names: String..., on fixture: BrokerFixture) -> [SessionIdentifier] {
    let scene = fixture.client("maker")
    return names.map { name in
      scene.ask(SceneConnect(name: name))
      for delegate in fixture.openClients where !delegate.questions.isEmpty { delegate.answer() }
      scene.acknowledgeAll()
      let session = fixture.broker.store.listed(named: name) ?? .none
      scene.ask(SaveActivity(session: session, activity: note(7)))
      scene.ask(SceneDisconnect(session: session))
      return session
    }
  }

  private func discard(_ sessions: [SessionIdentifier], on fixture: BrokerFixture) {
    fixture.control().ask(RequestDestruction(sessions: sessions))
  }

  private func reports(_ client: Client) -> [String] {
    client.heard.filter { $0.hasPrefix("didDiscard") }
  }

  @Test("a report has all sessions of a request with their last activities, until it is answered")
  func told() throws {
    let delegate = fixture.delegate()
    let sessions = make("a", "b", on: fixture)
    discard(sessions, on: fixture)
    #expect(reports(delegate) == ["didDiscardSceneSessions 3.1 S1 S2"])
    let message = try #require(
      delegate.questions.last?.callback.message as? DidDiscardSceneSessions)
    #expect(message.sceneSessions.map(\.name) == ["a", "b"])
    #expect(message.sceneSessions.map(\.stateRestorationActivity) == [note(7), note(7)])
    #expect(fixture.broker.stored.discarded.count == 2)
    delegate.answer()
    #expect(fixture.broker.stored.discarded.isEmpty)
  }

  @Test("a report waits for the end of the last scene of its request")
  func afterTheLine() {
    let delegate = fixture.delegate()
    let packing = make("packing", on: fixture)
    scene.become(SceneConnect(session: packing[0]))
    discard(packing, on: fixture)
    #expect(reports(delegate).isEmpty)
    scene.acknowledgeAll()
    #expect(
      delegate.heard == [
        "disconnected S1 discarded", "didDiscardSceneSessions \(fixture.lastReport).1 S1",
      ])
  }

  @Test("a hung scene does not delay the report of another request")
  func stuck() {
    let delegate = fixture.delegate()
    let sessions = make("a", "b", on: fixture)
    fixture.client().become(SceneConnect(session: sessions[0]))
    discard([sessions[0]], on: fixture)
    discard([sessions[1]], on: fixture)
    #expect(reports(delegate).map { $0.suffix(2) } == ["S2"])
    delegate.answer()
    fixture.pass(.seconds(5))
    #expect(reports(delegate).map { $0.suffix(2) } == ["S1"])
  }

  @Test("each delegate that launches gets the report, with the same identifier, until one answers")
  func again() {
    fixture.delegate().close()
    let sessions = make("a", on: fixture)
    discard(sessions, on: fixture)
    let first = fixture.delegate()
    let report = first.questions.map { "\($0.callback)" }
    #expect(report.count == 1)
    first.close()
    let next = fixture.crashed()
    let second = next.delegate()
    #expect(second.questions.map { "\($0.callback)" } == report)
    second.answer()
    second.close()
    #expect(next.crashed().delegate().questions.isEmpty)
  }

  @Test(
    "an error or an overrun does not repeat a report for the same delegate; a late reply counts")
  func notRepeated() {
    let delegate = fixture.delegate()
    let sessions = make("a", "b", on: fixture)
    discard([sessions[0]], on: fixture)
    delegate.answer(.failed(message: "no"))
    #expect(delegate.questions.isEmpty)
    discard([sessions[1]], on: fixture)
    fixture.pass(.seconds(5))
    #expect(fixture.broker.stored.discarded.count == 2)
    delegate.answer()
    #expect(fixture.broker.stored.discarded.map(\.session.attributes.identifier) == [sessions[0]])
    #expect(delegate.questions.isEmpty)
    delegate.close()
    #expect(fixture.delegate().questions.count == 1)
  }

  @Test("a delegate that exceeded a report gets no other until it sends something")
  func silent() {
    let delegate = fixture.delegate()
    let sessions = make("a", "b", on: fixture)
    discard([sessions[0]], on: fixture)
    fixture.pass(.seconds(5))
    delegate.forget()
    discard([sessions[1]], on: fixture)
    #expect(delegate.heard.isEmpty)
    delegate.answer()
    #expect(reports(delegate).map { $0.suffix(2) } == ["S2"])
  }

  @Test("reports are stored never, from the first delegate on, or always, as the manifest states")
  func kept() {
    for (participation, before, after) in [
      (DelegateParticipation.builtIn, 0, 0), (.optional, 0, 1),
    ] {
      let fixture = BrokerFixture(DelegateTests.manifest(participation))
      discard(make("a", on: fixture), on: fixture)
      #expect(fixture.broker.stored.discarded.count == before)
      fixture.delegate().close()
      let next = fixture.crashed()
      discard(make("b", on: next), on: next)
      #expect(next.broker.stored.discarded.count == after)
    }
    let fixture = BrokerFixture(DelegateTests.manifest(.builtIn))
    let sessions = make("a", on: fixture)
    let next = fixture.crashed(manifest: DelegateTests.manifest(.required))
    discard(sessions, on: next)
    #expect(next.broker.stored.discarded.count == 1)
  }

  @Test("stored reports stay while the manifest has no delegate")
  func keptOn() {
    fixture.delegate().close()
    discard(make("a", on: fixture), on: fixture)
    let next = fixture.crashed(manifest: DelegateTests.manifest(.builtIn))
    #expect(next.delegate().questions.isEmpty)
    next.handle(.manifestRead(.manifest(DelegateTests.manifest(.optional))))
    #expect(next.openClients.contains { $0.questions.count == 1 })
  }

  @Test("a new session that every host refused is not reported")
  func abandoned() {
    let (delegate, scene) = (fixture.delegate(), fixture.client())
    scene.ask(SceneConnect(name: "a"))
    delegate.answer()
    scene.acknowledge(.failed(message: "no"))
    #expect(fixture.broker.stored.sessions.isEmpty)
    #expect(delegate.questions.isEmpty)
  }

  @Test("a report that exceeds a frame comes in parts, one after the other")
  func parts() {
    let fixture = BrokerFixture(
      DelegateTests.manifest(.optional), limits: .with(\.activityBytes, 256 << 10))
    let delegate = fixture.delegate()
    let sessions = make("a", "b", "c", "d", "e", on: fixture)
    for session in sessions {
      fixture.control().ask(
        SaveActivity(session: session, activity: note(byteCount: 256 << 10)))
    }
    discard(sessions, on: fixture)
    #expect(
      reports(delegate).map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") }
        == ["S1 S2 S3 more"])
    delegate.answer()
    #expect(
      reports(delegate).map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") }
        == ["S4 S5"])
    delegate.answer()
    #expect(fixture.broker.stored.discarded.isEmpty)
  }

  @Test("F21: without a delegate the oldest reports beyond the limit are dropped")
  func bounded() {
    var limits = Limits()
    limits.discardBytes = 1000
    let fixture = BrokerFixture(DelegateTests.manifest(.optional), limits: limits)
    let delegate = fixture.delegate()
    let sessions = make("a", "b", "c", "d", "e", "f", "g", "h", "i", on: fixture)
    let waiting = { fixture.broker.stored.discarded.map(\.session.attributes.identifier) }
    // Reports are not dropped while a delegate is connected.
    for session in sessions[..<5] { discard([session], on: fixture) }
    #expect(waiting() == Array(sessions[..<5]))
    #expect(fixture.broker.stored.discardedByteCount > limits.discardBytes)
    delegate.close()
    for session in sessions[5..<7] { discard([session], on: fixture) }
    #expect(waiting() == Array(sessions[3..<7]))
    #expect(fixture.broker.stored.discardedByteCount <= limits.discardBytes)
    #expect(fixture.crashed().broker.stored == fixture.broker.stored)
    limits.discardBytes = 0
    let next = fixture.crashed(limits: limits)
    discard(Array(sessions[7...]), on: next)
    #expect(
      next.broker.stored.discarded.map(\.session.attributes.identifier) == Array(sessions[7...]))
  }

  @Test("a stored report counts against the limit of stored bytes, and its names are free")
  func counts() {
    fixture.delegate().close()
    let sessions = make("a", on: fixture)
    let before = fixture.broker.stored.byteCount
    discard(sessions, on: fixture)
    #expect(fixture.broker.stored.byteCount == before)
    #expect(make("a", on: fixture) != sessions)
  }

  @Test("an exhausted disk cannot record a confirmed report, so the next delegate gets it again")
  func exhausted() {
    let delegate = fixture.delegate()
    let sessions = make("a", "b", on: fixture)
    discard([sessions[0]], on: fixture)
    fixture.handle(.storage(.exhausted))
    delegate.answer()
    #expect(fixture.broker.stored.discarded.count == 1)
    fixture.handle(.storage(.ok))
    #expect(delegate.questions.isEmpty)
    delegate.close()
    #expect(fixture.delegate().questions.count == 1)
  }
}

extension BrokerFixture {
  /// The number of the request that discarded last.
  fileprivate var lastReport: UInt64 {
    broker.stored.discarded.last?.report.request.low ?? 0
  }
}
