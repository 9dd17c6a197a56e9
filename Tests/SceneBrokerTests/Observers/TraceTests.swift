import SceneModel
import Testing

@testable import SceneBroker

/// The trace for its observers, and the chain of a session for its history.
final class TraceTests: BrokerSuite {
  @Test("the trace has every step in order, with reasons")
  func everything() {
    control.ask(TraceObserve(after: 1))
    control.forget()
    let session = scene.become("packing")
    scene.ask(SaveActivity(session: session, activity: note(1)))
    control.ask(
      SceneTransition(session: session, to: .unattached, reason: .reclaimed))
    scene.acknowledgeAll()
    scene.close()
    #expect(
      control.heard == [
        "trace joined", "trace created S1 by notes 102",
        "trace connected S1 launch to foregroundActive 0", "trace callback S1 willConnect launch",
        "trace acknowledged S1 willConnect", "trace callback S1 willEnterForeground",
        "trace acknowledged S1 willEnterForeground", "trace callback S1 didBecomeActive",
        "trace acknowledged S1 didBecomeActive", "trace saved S1 1",
        "trace aimed S1 reclaimed to unattached by scenectl 101",
        "trace callback S1 willResignActive", "trace acknowledged S1 willResignActive",
        "trace callback S1 didEnterBackground", "trace acknowledged S1 didEnterBackground",
        "trace callback S1 stateRestorationActivity",
        "trace acknowledged S1 stateRestorationActivity",
        "trace callback S1 didDisconnect reclaimed", "trace acknowledged S1 didDisconnect",
        "trace disconnected S1 reclaimed", "3 unattached", "trace left",
      ])
  }

  @Test("observers get the frequent events that the log does not need")
  func frequentEvents() {
    fixture.logOnlyExplanations()
    control.ask(TraceObserve(after: 0))
    let session = scene.become("packing")
    scene.ask(SaveActivity(session: session, activity: note(1)))
    #expect(control.heard.contains("trace saved S1 1"))
    #expect(fixture.trace.contains { $0.event == .connected })
    #expect(fixture.trace.allSatisfy { $0.event.explains || $0.detail != nil })
  }

  @Test("the trace of an end names the client that took the session over or disconnected it")
  func takenOver() {
    let control = fixture.control()
    let session = fixture.client().become("packing")
    control.ask(TraceObserve(after: Int64(fixture.trace.count)))
    control.forget()
    other.ask(SceneConnect(name: "packing", takeOver: true))
    #expect(control.heard.contains("trace disconnected S1 replaced by notes 103"))
    other.acknowledgeAll()
    control.forget()
    control.ask(SceneDisconnect(session: session))
    #expect(control.heard.contains("trace disconnected S1 clientRequest by scenectl 101"))
  }

  @Test("entries are numbered without gaps and carry both clocks")
  func numbers() {
    fixture.pass(.milliseconds(1500))
    fixture.client().become("packing")
    #expect(fixture.trace.map(\.number) == Array(1...Int64(fixture.trace.count)))
    #expect(fixture.trace.allSatisfy { $0.elapsed == 1_500_000 })
    #expect(fixture.trace.allSatisfy { $0.time == BrokerFixture.start.wall + 1500 })
    #expect(fixture.trace.last?.name == "packing")
    #expect(fixture.trace.last?.client?.name == "notes")
  }

  @Test("an observer that names a number gets the stored entries after it, then new ones")
  func after() {
    let control = fixture.control()
    fixture.client().become("packing")
    let count = Int64(fixture.trace.count)
    control.ask(TraceObserve(after: count - 2))
    #expect(
      control.heard == [
        "2 {}", "trace callback S1 didBecomeActive", "trace acknowledged S1 didBecomeActive",
      ])
    let other = fixture.control()
    #expect(control.heard == ["trace joined"])
    #expect(other.hears(TraceObserve(after: count + 1)) == ["2 {}"])
    #expect(other.hears(TraceObserve(after: -1)) == ["3 invalidParams"])
  }

  @Test("the trace keeps a limited number of entries")
  func ring() {
    let fixture = BrokerFixture(limits: .with(\.traceEntries, 5))
    fixture.client().become("packing")
    let control = fixture.control()
    control.ask(TraceObserve())
    #expect(control.heard.count == 6)
    #expect(fixture.trace.count > 5)
  }

  @Test("an observer that observes again gets no entry twice")
  func twice() {
    control.ask(TraceObserve())
    #expect(control.hears(TraceObserve()) == ["3 {}"])
    _ = fixture.client()
    #expect(control.heard == ["trace joined"])
  }

  @Test("the stored entries take at most half of the outbox")
  func roomForOne() {
    let fixture = BrokerFixture(limits: .with(\.outboxBytes, 12_000))
    for _ in 0..<10 { fixture.client().become(SceneConnect(new: true)) }
    let control = fixture.control()
    control.ask(TraceObserve())
    let heard = control.heard.dropFirst()
    #expect((10..<fixture.trace.count).contains(heard.count))
    #expect(heard.last == "trace joined")
  }

  @Test("the chain names content, and content that was lost with its client")
  func content() throws {
    let session = scene.become("packing")
    control.ask(ApplicationOpen(.urls([url("note:a")])))
    control.ask(ApplicationOpen(.urls([url("note:b")])))
    control.ask(ApplicationOpen(.activity(note(1))))
    scene.close()
    control.ask(SessionHistory(session: session))
    let history = try #require(control.lastReply?.content as? SessionHistory.Reply)
    let content = try #require(history.reasons.first { $0.event == .callback })
    #expect(content.options.first == TracedOption(.url, "note:a"))
    let end = try #require(history.reasons.last { $0.event == .disconnected })
    #expect(end.detail == "the content of openURLContexts, continueUserActivity is lost")
    #expect(end.options == [TracedOption(.url, "note:b"), TracedOption(.userActivity, "note")])
  }

  @Test("the chain of a session has the events that explain its state, not every callback")
  func chain() throws {
    let session = scene.become("packing")
    control.move(session, .background)
    fixture.pass(.seconds(5))
    control.ask(SessionHistory(session: session))
    let history = try #require(control.lastReply?.content as? SessionHistory.Reply)
    #expect(
      history.reasons.map(text) == [
        "created S1 by notes 101", "connected S1 launch to foregroundActive 0",
        "aimed S1 to background by scenectl 102", "overran S1 willResignActive",
        "disconnected S1 willResignActive watchdog",
      ])
    // The requester knows the name.
    #expect(history.reasons.allSatisfy { $0.name == nil })
  }

  @Test("the trace names an unknown configuration, its requester and the known ones")
  func missingConfiguration() {
    let fixture = BrokerFixture(DelegateTests.manifest(.optional))
    fixture.client().become(SceneConnect(new: true, configuration: "Bad"))
    let made = fixture.trace.last { $0.event == .created }
    #expect(
      made?.wholeDetail
        == "there is no configuration Bad; the broker uses Note; the configurations are Note, Tool "
        + "(by notes 101)")
    let delegate = fixture.delegate()
    let other = fixture.client()
    other.ask(SceneConnect(new: true))
    delegate.choose("Worse")
    #expect(
      fixture.trace.last { $0.event == .created }?.detail
        == "the application delegate chose Worse; there is no configuration Worse; the broker uses "
        + "Note; the configurations are Note, Tool")
    other.ask(SceneConnect(new: true))
    delegate.choose("Tool")
    #expect(fixture.trace.last { $0.event == .created }?.detail == nil)
  }

  @Test("F54: a scene that is connected shows its connection options, without any userInfo")
  func options() throws {
    var connect = SceneConnect(name: "packing")
    connect.options = ConnectionOptions(userActivities: [note(42)])
    connect.options?.sourceApplication = String(repeating: "x", count: 300)
    fixture.client().ask(connect)
    let entry = try #require(fixture.trace.first { $0.event == .connected })
    #expect(entry.options.map(\.kind) == [.userActivity, .sourceApplication])
    #expect(entry.options.first?.value == note(42).type)
    #expect(entry.options.last?.value?.utf8.count ?? 0 < 210)
  }

  @Test("a start traces the ends of holders that have ended")
  func start() {
    let before = BrokerFixture()
    before.client().become("packing")
    let fixture = before.crashed()
    #expect(fixture.trace.map(text) == ["disconnected S1 connectionLost"])
  }

  @Test("the trace has each change of the room on the disk")
  func storage() {
    control.ask(TraceObserve(after: 1000))
    control.forget()
    for _ in 0..<2 { fixture.handle(.storage(.full, problem: "no room on /")) }
    fixture.handle(.storage(.ok))
    let told = fixture.trace.filter { $0.event.rawValue == "storage" }
    #expect(told.map(\.reason) == ["full", "ok"])
    #expect(told.map(\.detail) == ["no room on /", nil])
    #expect(control.heard.count == 2)
  }
}
