import SceneJSON
import SceneModel
import Testing

@testable import SceneScript

/// Traces of a client and its session, and the faults that are planted in them.
extension InvariantTests {
  /// A client that connects, becomes active, enters the background and saves.
  static func sound() -> TraceFixture {
    var fixture = TraceFixture()
    fixture.join(1)
    fixture.tell(.created, 0)
    connect(&fixture, 1, generation: 0)
    runCallbacks(&fixture, 1, ["willConnect", "willEnterForeground", "didBecomeActive"])
    save(&fixture, 1, 1)
    runCallbacks(
      &fixture, 1, ["willResignActive", "didEnterBackground", "stateRestorationActivity"])
    save(&fixture, 1, 2)
    return fixture
  }

  static func connect(
    _ fixture: inout TraceFixture, _ pid: Int64, generation: Int64, reason: String = "launch",
    toward state: ActivationState = .foregroundActive
  ) {
    fixture.tell(.connected, 0, pid) { entry in
      (entry.reason, entry.state, entry.generation) = (reason, state, generation)
    }
  }

  static func runCallbacks(_ fixture: inout TraceFixture, _ pid: Int64, _ callbacks: [String]) {
    for callback in callbacks {
      fixture.call(0, pid, callback)
      fixture.answer(0, pid, callback)
    }
  }

  static func save(_ fixture: inout TraceFixture, _ pid: Int64, _ generation: Int64) {
    fixture.tell(.saved, 0, pid) { $0.generation = generation }
  }

  /// The final list of sessions.
  static func listed(
    generation: Int64 = 2, by client: ClientReference? = nil
  ) -> [SessionSummary] {
    var summary = SessionSummary()
    (summary.session, summary.generation, summary.client) = (identifier(0), generation, client)
    return [summary]
  }

  static func violations(
    _ fixture: TraceFixture, _ sessions: [SessionSummary]? = nil, acknowledged: Int64? = nil
  ) -> [InvariantViolation] {
    var history = history(fixture)
    history.sessions = sessions
    if let acknowledged { history.acknowledged = [identifier(0): acknowledged] }
    return Invariants.violations(in: history)
  }

  static func history(_ fixture: TraceFixture) -> RunHistory {
    RunHistory(runs: TraceLog(fixture.entries).runs.map { RunHistory.BrokerRun(entries: $0) })
  }

  static func json(_ text: String) -> RawJSON { RawJSON(unchecked: .init(text.utf8)) }

  /// Clients that receive the activity and end before their scene reaches its target.
  static func crash(_ fixture: inout TraceFixture, _ pids: ClosedRange<Int64>) {
    for pid in pids {
      connect(&fixture, pid, generation: 2, reason: "recover")
      fixture.call(0, pid, "willConnect")
      fixture.disconnect(0, pid, "connectionLost")
    }
  }

  static func withhold(_ fixture: inout TraceFixture, _ pid: Int64) {
    fixture.tell(.connected, 0, pid) { entry in
      (entry.reason, entry.state, entry.generation) = ("recover", .foregroundActive, 2)
      entry.withheld = .crashLoop
    }
  }

  /// A planted fault, and the sentence that reports it.
  struct PlantedFault<History>: Sendable, CustomTestStringConvertible {
    var sentence: String
    var plant: @Sendable (inout History) -> Void

    init(_ sentence: String, _ plant: @escaping @Sendable (inout History) -> Void) {
      self.sentence = sentence
      self.plant = plant
    }

    var testDescription: String { sentence }
  }

  typealias Fault = PlantedFault<TraceFixture>

  static let faults: [Fault] = [
    Fault("packing: didBecomeActive was sent in the state background, which does not allow it") {
      $0.call(0, 1, "didBecomeActive")
    },
    Fault("packing: willConnect was sent in the state background, which does not allow it") {
      $0.call(0, 1, "willConnect")
    },
    Fault(
      "packing: stateRestorationActivity was sent in the state background, which does not allow it"
    ) { $0.call(0, 1, "stateRestorationActivity") },
    Fault("packing: didBecomeActive was sent before willEnterForeground was answered") {
      $0.call(0, 1, "willEnterForeground")
      $0.call(0, 1, "didBecomeActive")
    },
    Fault("packing: willEnterForeground was answered but was not sent") {
      $0.answer(0, 1, "willEnterForeground")
    },
    Fault("packing: didDisconnect was sent twice") {
      $0.call(0, 1, "didDisconnect")
      $0.call(0, 1, "didDisconnect")
    },
    Fault(
      "packing: didDisconnect was sent in the state foregroundInactive, which does not allow it"
    ) {
      runCallbacks(&$0, 1, ["willEnterForeground"])
      $0.call(0, 1, "didDisconnect", "reclaimed")
    },
    Fault(
      "packing: didDisconnect was sent in the state foregroundInactive, which does not allow it"
    ) {
      runCallbacks(&$0, 1, ["willEnterForeground"])
      $0.call(0, 1, "didDisconnect", "shutdown")
    },
    Fault("packing: didDisconnect was sent before willEnterForeground was answered") {
      $0.call(0, 1, "willEnterForeground")
      $0.call(0, 1, "didDisconnect", "discarded")
    },
    Fault("packing: didDisconnect was sent before willEnterForeground was answered") {
      $0.call(0, 1, "willEnterForeground")
      $0.call(0, 1, "didDisconnect", "clientRequest")
      $0.disconnect(0, 1, "clientRequest")
    },
    Fault("packing: generation 2 is withheld after only 0 early ends in a row") {
      $0.disconnect(0, 1, "connectionLost")
      withhold(&$0, 2)
    },
    Fault("packing: generation 2 is withheld after only 2 early ends in a row") {
      $0.disconnect(0, 1, "connectionLost")
      crash(&$0, 2...3)
      withhold(&$0, 4)
    },
    Fault("packing: generation 2 was withheld and is restored without a new save") {
      $0.disconnect(0, 1, "connectionLost")
      crash(&$0, 2...4)
      withhold(&$0, 5)
      $0.disconnect(0, 5, "connectionLost")
      connect(&$0, 6, generation: 2, reason: "recover")
    },
    Fault("packing: willEnterForeground was sent without a scene") {
      $0.disconnect(0, 1, "clientRequest")
      $0.call(0, 1, "willEnterForeground")
    },
    Fault(
      "packing: willEnterForeground was sent in the state foregroundInactive or foregroundActive, "
    ) {
      $0.restart(after: 10)
      $0.join(1)
      connect(&$0, 1, generation: 2, reason: "resume")
      $0.call(0, 1, "willEnterForeground")
    },
    Fault("packing: scene 2 received the scene while scene 1 held it") {
      connect(&$0, 2, generation: 2)
    },
    Fault("packing: scene 2 received a callback while scene 1 held the scene") {
      $0.call(0, 2, "willEnterForeground")
    },
    Fault("scene 1: the process left but still holds a scene") { $0.leave(1) },
    Fault("packing: generation 2 was saved after generation 2") { save(&$0, 1, 2) },
    Fault("packing: the session was restored with generation 1, but the last save was generation 2")
    {
      $0.disconnect(0, 1, "connectionLost")
      connect(&$0, 2, generation: 1)
    },
    Fault("packing: the session was restored with generation 1, but generation 2 was acknowledged")
    {
      $0.restart(after: 10)
      $0.join(1)
      connect(&$0, 1, generation: 1, reason: "resume")
    },
    Fault("packing: the session was discarded twice") {
      $0.disconnect(0, 1, "discarded")
      $0.tell(.discarded, 0)
      $0.tell(.discarded, 0)
    },
    Fault("packing: the session exists again after its discard") {
      $0.disconnect(0, 1, "discarded")
      $0.tell(.discarded, 0)
      connect(&$0, 1, generation: 2)
    },
    Fault("packing: the broker launched a process while scene 2 was still starting") {
      $0.disconnect(0, 1, "connectionLost")
      $0.tell(.launched, 0, 2)
      $0.tell(.launched, 0, 3)
    },
    Fault("packing: the broker launched 6 processes in a row without success") {
      $0.disconnect(0, 1, "connectionLost")
      for pid: Int64 in 2..<8 {
        if pid > 2 { $0.tell(.exited, 0, pid - 1) }
        $0.tell(.launched, 0, pid)
      }
    },
    Fault("the broker: a discard has no session identifier") { $0.tell(.discarded) },
  ]
}
