import SceneJSON
import SceneModel
import Testing

@testable import SceneScript

/// Faults planted in a trace.
@Suite("Invariants")
struct InvariantTests {
  @Test("a planted fault is found and reported with the events before it", arguments: faults)
  func caught(fault: Fault) throws {
    var fixture = Self.sound()
    #expect(Self.violations(fixture) == [])
    fault.plant(&fixture)
    let violations = Self.violations(fixture)
    #expect(violations.count == 1, "\(violations.flatMap(\.lines))")
    let violation = try #require(violations.first)
    #expect(violation.sentence.hasPrefix(fault.sentence), "\(violation.sentence)")
    #expect(violation.rows.last?.entry == fixture.entries.last)
    #expect(violation.lines.last?.hasPrefix("  0.0") == true)
  }

  @Test("a legal history has no violation")
  func sound() {
    var fixture = Self.sound()
    // A question that times out, a scene that the watchdog disconnects, and a scene that resumes
    // with an unacknowledged generation.
    Self.runCallbacks(&fixture, 1, ["willEnterForeground", "didEnterBackground"])
    fixture.call(0, 1, "stateRestorationActivity")
    fixture.answer(0, 1, "stateRestorationActivity", .overran)
    fixture.call(0, 1, "willEnterForeground")
    fixture.call(0, 1, "didDisconnect", "watchdog")
    fixture.disconnect(0, 1, "watchdog")
    // A scene that another client disconnects, and a scene that does not answer during a shutdown.
    let control = ClientReference(name: "scenectl", pid: 7)
    let cuts: [(String, ClientReference?)] = [("clientRequest", control), ("shutdown", nil)]
    for (reason, asker) in cuts {
      Self.connect(&fixture, 1, generation: 2)
      fixture.call(0, 1, "willConnect")
      fixture.call(0, 1, "didDisconnect", reason)
      fixture.tell(.disconnected, 0, 1) { ($0.reason, $0.by) = (reason, asker) }
    }
    // The broker withholds an activity after three crashes, until the next save.
    Self.crash(&fixture, 2...4)
    Self.withhold(&fixture, 5)
    fixture.disconnect(0, 5, "clientRequest")
    Self.withhold(&fixture, 5)
    Self.save(&fixture, 5, 3)
    fixture.disconnect(0, 5, "clientRequest")
    Self.connect(&fixture, 1, generation: 3)
    fixture.restart(after: 10)
    fixture.join(1)
    Self.connect(&fixture, 1, generation: 4, reason: "resume", toward: .background)
    Self.runCallbacks(&fixture, 1, ["willEnterForeground"])
    fixture.leave(2)
    #expect(Self.violations(fixture, Self.listed(generation: 4)) == [])
    var other = fixture
    // Launches without success, a refusal, and a successful launch.
    other.disconnect(0, 1, "connectionLost")
    for pid: Int64 in 2..<7 {
      other.tell(.launched, 0, pid)
      other.tell(.exited, 0, pid)
    }
    other.tell(.launchFailed, 0)
    other.tell(.launched, 0, 7)
    Self.connect(&other, 7, generation: 4)
    other.call(0, 7, "willConnect")
    other.answer(0, 7, "willConnect", .failed)
    other.disconnect(0, 7, "refused")
    other.tell(.launched, 0, 8)
    Self.connect(&other, 8, generation: 4)
    Self.runCallbacks(&other, 8, ["willConnect"])
    other.disconnect(0, 8, "connectionLost")
    other.tell(.exited, 0, 8)
    other.tell(.launched, 0, 9)
    #expect(Self.violations(other, Self.listed(generation: 4)) == [])
    fixture.tell(.discarded, 0)
    fixture.call(0, 1, "didBecomeActive")
    #expect(Self.violations(fixture, []) == [])
  }

  @Test("the final sessions are checked")
  func ends() {
    var fixture = Self.sound()
    func sentence(_ sessions: [SessionSummary], _ acknowledged: Int64? = nil) -> [String] {
      Self.violations(fixture, sessions, acknowledged: acknowledged).map(\.sentence)
    }
    #expect(sentence(Self.listed()) == [])
    #expect(sentence(Self.listed(), 2) == [])
    #expect(
      sentence(Self.listed(generation: 1))
        == ["packing: the session finally has generation 1, but the last save was generation 2"])
    #expect(
      sentence(Self.listed(), 3)
        == ["packing: the session finally has generation 2, but generation 3 was acknowledged"])
    #expect(
      sentence(Self.listed(by: ClientReference(name: "scene", pid: 1)))
        == ["packing: scene 1 left but still holds the scene"])
    #expect(
      sentence([]) == ["packing: the session is gone, but no discard was reported"])
    #expect(
      sentence([], 2) == [
        "packing: the session is gone, but no discard was reported; "
          + "generation 2 was acknowledged"
      ])
    fixture.disconnect(0, 1, "discarded")
    fixture.tell(.discarded, 0)
    #expect(sentence([]) == [])
    #expect(sentence(Self.listed()) == ["packing: the session still exists after its discard"])
  }

  @Test("restored activities are compared with the activities that clients saved")
  func contents() {
    var fixture = Self.sound()
    fixture.disconnect(0, 1, "connectionLost")
    Self.connect(&fixture, 2, generation: 2, reason: "recover")
    // The killed broker did not send this callback.
    fixture.call(0, 2, "willConnect", hold: 2)
    fixture.restart(after: 10)
    Self.connect(&fixture, 2, generation: 2, reason: "recover")
    fixture.call(0, 2, "willConnect", hold: 3)
    func sentences(_ saved: String, _ returned: String, kept: String? = nil) -> [String] {
      var history = Self.history(fixture)
      history.sessions = Self.listed(by: nil)
      history.contents.saved = [identifier(0): [2: Self.json(saved)]]
      history.contents.restored = [
        RunHistory.SessionHold(session: identifier(0), hold: 1): RunHistory.RestoredState(
          activity: .null),
        RunHistory.SessionHold(session: identifier(0), hold: 3): RunHistory.RestoredState(
          activity:
            Self.json(returned)),
      ]
      history.contents.kept = kept.map { [identifier(0): Self.json($0)] } ?? [:]
      return Invariants.violations(in: history).map(\.sentence)
    }
    #expect(sentences(#"{"a": 1, "b": 2}"#, #"{"b":2,"a":1}"#, kept: #"{"b":2,"a":1}"#) == [])
    #expect(
      sentences(#"{"a": 1}"#, #"{"a": 2}"#)
        == [
          #"packing: the session was restored with the activity {"a": 2}; expected generation 2, {"a": 1}"#
        ])
    #expect(
      sentences(#"{"a": 1}"#, #"{"a": 1}"#, kept: "null")
        == [#"packing: the session finally has the activity null; expected generation 2, {"a": 1}"#]
    )
  }

  @Test(
    "an application delegate is asked once for each session, and gets one report of its discard")
  func delegates() {
    var fixture = Self.sound()
    fixture.disconnect(0, 1, "discarded")
    fixture.tell(.discarded, 0)
    func sentences(_ delegateCalls: [DelegateCall]..., later: [DelegateCall] = []) -> [String] {
      var history = RunHistory(runs: [RunHistory.BrokerRun(entries: fixture.entries)])
      history.sessions = []
      history.contents.delegates = [
        // The later process can have the smaller number.
        RunHistory.Delegate(process: 8, delegateCalls: delegateCalls.flatMap(\.self)),
        RunHistory.Delegate(process: 7, delegateCalls: later),
      ]
      return Invariants.violations(in: history).map(\.sentence)
    }
    let (asked, told) = (
      DelegateCall.question(identifier(0)), DelegateCall.report("r", [identifier(0)])
    )
    #expect(sentences([asked, told], later: [told]) == [])
    #expect(
      sentences([asked], later: [asked])
        == ["packing: the application delegate was asked twice for its configuration"])
    #expect(
      sentences([told], later: [.report("s", [identifier(0)])])
        == ["packing: the discard was reported as r and as s"])
    let other = identifier(1)
    #expect(
      sentences([.report("t", [other])])
        == ["\(other.short): a discard was reported, but the session was not discarded"])
    #expect(
      sentences([.report("t", [])], later: [.report("t", [identifier(0)])])
        == ["packing: report t was sent before with other sessions"])
  }

  @Test("a new session has no activity")
  func nothing() {
    var fixture = TraceFixture()
    Self.connect(&fixture, 1, generation: 0)
    fixture.call(0, 1, "willConnect", hold: 1)
    #expect(
      Self.sentences(fixture, restored: RunHistory.RestoredState(activity: .emptyObject))
        == ["packing: the session was restored with the activity {}; expected no activity"])
  }

  /// The violations if the client received this state under hold 1.
  private static func sentences(_ fixture: TraceFixture, restored: RunHistory.RestoredState)
    -> [String]
  {
    var history = history(fixture)
    history.contents.saved = [identifier(0): [2: json(#"{"a": 1}"#)]]
    history.contents.restored = [RunHistory.SessionHold(session: identifier(0), hold: 1): restored]
    return Invariants.violations(in: history).map(\.sentence)
  }

  @Test("a session of the settings kind is never restored")
  func afresh() {
    var fixture = TraceFixture()
    Self.connect(&fixture, 1, generation: 2)
    fixture.call(0, 1, "willConnect", hold: 1)
    var restored = RunHistory.RestoredState(activity: .null)
    restored.startsEmpty = true
    #expect(Self.sentences(fixture, restored: restored) == [])
    restored.activity = Self.json(#"{"a": 1}"#)
    #expect(
      Self.sentences(fixture, restored: restored)
        == [#"packing: the session was restored with the activity {"a": 1}; expected no activity"#])
  }

  @Test("a client is told which generation is withheld")
  func withheld() {
    var fixture = TraceFixture()
    Self.crash(&fixture, 2...4)
    Self.withhold(&fixture, 5)
    fixture.call(0, 5, "willConnect", hold: 1)
    var restored = RunHistory.RestoredState(activity: .null)
    #expect(
      Self.sentences(fixture, restored: restored)
        == ["packing: the client was told that nothing is withheld, but generation 2 is withheld"])
    restored.withheld = 2
    #expect(Self.sentences(fixture, restored: restored) == [])
    restored.activity = Self.json(#"{"a": 1}"#)
    #expect(
      Self.sentences(fixture, restored: restored)
        == [#"packing: the session was restored with the activity {"a": 1}; expected no activity"#])
  }

  @Test("an early end that a killed broker may have recorded counts for the next broker")
  func doubtfulEnd() {
    var fixture = TraceFixture()
    Self.crash(&fixture, 2...3)
    Self.connect(&fixture, 4, generation: 2)
    fixture.restart(after: 10)
    Self.withhold(&fixture, 5)
    #expect(Self.violations(fixture) == [])
  }

  @Test("a lost session is found with the next broker, unless it was not durable")
  func lostWithABroker() {
    var fixture = Self.sound()
    fixture.restart(after: 10)
    fixture.tell(.storage)
    var history = Self.history(fixture)
    history.sessions = []
    func sentences() -> [String] { Invariants.violations(in: history).map(\.sentence) }
    #expect(sentences() == ["packing: the session is gone, but no discard was reported"])
    // A broker without entries is no excuse.
    history.runs[0].entries = []
    #expect(sentences() == [])
    history.acknowledged = [identifier(0): 2]
    history.runs[1].acknowledged = history.acknowledged
    let short = identifier(0).short
    #expect(
      sentences() == [
        "\(short): the session is gone, but no discard was reported; "
          + "generation 2 was acknowledged"
      ])
    history.unconfirmedDiscards = [identifier(0)]
    #expect(sentences() == [])
    history.unconfirmedDiscards = []
    history.runs[1].state = "elsewhere"
    #expect(sentences() == [])
    for index in history.runs.indices { history.runs[index].state = nil }
    #expect(sentences() == [])
  }

  @Test("the times of the reported events continue across brokers")
  func times() throws {
    var fixture = Self.sound()
    fixture.restart(after: 5000)
    fixture.join(1)
    fixture.call(0, 1, "didBecomeActive")
    let violation = try #require(Self.violations(fixture).first)
    let timeline = Timeline(TraceLog(fixture.entries)).rows.filter { $0.entry != nil }
    #expect(
      violation.rows.map(\.time) == timeline.filter { $0.session != nil }.suffix(8).map(\.time))
    #expect((violation.rows.last?.time ?? 0) > 5_000_000)
  }

  @Test("acknowledged generations of an earlier broker count")
  func acknowledged() {
    var fixture = TraceFixture()
    fixture.join(1)
    Self.connect(&fixture, 1, generation: 3, reason: "resume")
    let run = RunHistory.BrokerRun(entries: fixture.entries, acknowledged: [identifier(0): 4])
    #expect(
      Invariants.violations(in: RunHistory(runs: [run])).map(\.sentence)
        == [
          "packing: the session was restored with generation 3, but generation 4 was acknowledged"
        ])
  }
}
