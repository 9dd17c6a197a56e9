import JSON
import SceneModel
import Testing

@testable import SceneScript

/// Tales of a client and its session, and the faults that are planted in them.
extension StandingRuleTests {
  /// One client, connected and active, then away and asked.
  static func sound() -> Tale {
    var tale = Tale()
    tale.join(1)
    tale.tell(.created, 0)
    connect(&tale, 1, generation: 0)
    walk(&tale, 1, ["willConnect", "willEnterForeground", "didBecomeActive"])
    save(&tale, 1, 1)
    walk(&tale, 1, ["willResignActive", "didEnterBackground", "stateRestorationActivity"])
    save(&tale, 1, 2)
    return tale
  }

  static func connect(
    _ tale: inout Tale, _ pid: Int64, generation: Int64, reason: String = "launch",
    toward state: ActivationState = .foregroundActive
  ) {
    tale.tell(.connected, 0, pid) { entry in
      (entry.reason, entry.state, entry.generation) = (reason, state, generation)
    }
  }

  static func walk(_ tale: inout Tale, _ pid: Int64, _ callbacks: [String]) {
    for callback in callbacks {
      tale.call(0, pid, callback)
      tale.answer(0, pid, callback)
    }
  }

  static func save(_ tale: inout Tale, _ pid: Int64, _ generation: Int64) {
    tale.tell(.saved, 0, pid) { $0.generation = generation }
  }

  /// What is left at the end: the session as it is listed, unless it is gone.
  static func listed(
    generation: Int64 = 2, by client: ClientReference? = nil
  ) -> [SessionSummary] {
    var summary = SessionSummary()
    (summary.session, summary.generation, summary.client) = (identifier(0), generation, client)
    return [summary]
  }

  static func breaches(
    _ tale: Tale, _ sessions: [SessionSummary]? = nil, acknowledged: Int64? = nil
  ) -> [RuleBreach] {
    var story = story(tale)
    story.sessions = sessions
    if let acknowledged { story.acknowledged = [identifier(0): acknowledged] }
    return StandingRules.breaches(in: story)
  }

  static func story(_ tale: Tale) -> StagedStory {
    StagedStory(TraceStory(tale.entries).lives.map { StagedStory.Life($0) })
  }

  static func json(_ text: String) -> RawJSON { RawJSON(unchecked: .init(text.utf8)) }

  /// Clients that are given the activity one after the other, and end before they have arrived.
  static func crash(_ tale: inout Tale, _ pids: ClosedRange<Int64>) {
    for pid in pids {
      connect(&tale, pid, generation: 2, reason: "recover")
      tale.call(0, pid, "willConnect")
      tale.disconnect(0, pid, "connectionLost")
    }
  }

  static func withhold(_ tale: inout Tale, _ pid: Int64) {
    tale.tell(.connected, 0, pid) { entry in
      (entry.reason, entry.state, entry.generation) = ("recover", .foregroundActive, 2)
      entry.withheld = .crashLoop
    }
  }

  /// A fault that is planted in what happened, and the sentence that explains it.
  struct Planted<Story>: Sendable, CustomTestStringConvertible {
    var sentence: String
    var plant: @Sendable (inout Story) -> Void

    init(_ sentence: String, _ plant: @escaping @Sendable (inout Story) -> Void) {
      self.sentence = sentence
      self.plant = plant
    }

    var testDescription: String { sentence }
  }

  typealias Fault = Planted<Tale>

  static let faults: [Fault] = [
    Fault("packing: didBecomeActive came in background, where the line does not have it") {
      $0.call(0, 1, "didBecomeActive")
    },
    Fault("packing: willConnect came in background, where the line does not have it") {
      $0.call(0, 1, "willConnect")
    },
    Fault(
      "packing: stateRestorationActivity came in background, where the line does not have it"
    ) { $0.call(0, 1, "stateRestorationActivity") },
    Fault("packing: didBecomeActive came while willEnterForeground was not answered") {
      $0.call(0, 1, "willEnterForeground")
      $0.call(0, 1, "didBecomeActive")
    },
    Fault("packing: willEnterForeground was answered, which was not asked") {
      $0.answer(0, 1, "willEnterForeground")
    },
    Fault("packing: didDisconnect came twice") {
      $0.call(0, 1, "didDisconnect")
      $0.call(0, 1, "didDisconnect")
    },
    Fault("packing: didDisconnect came in foregroundInactive, where the line does not have it") {
      walk(&$0, 1, ["willEnterForeground"])
      $0.call(0, 1, "didDisconnect", "reclaimed")
    },
    Fault("packing: didDisconnect came in foregroundInactive, where the line does not have it") {
      walk(&$0, 1, ["willEnterForeground"])
      $0.call(0, 1, "didDisconnect", "shutdown")
    },
    Fault("packing: didDisconnect came while willEnterForeground was not answered") {
      $0.call(0, 1, "willEnterForeground")
      $0.call(0, 1, "didDisconnect", "discarded")
    },
    Fault("packing: didDisconnect came while willEnterForeground was not answered") {
      $0.call(0, 1, "willEnterForeground")
      $0.call(0, 1, "didDisconnect", "clientRequest")
      $0.disconnect(0, 1, "clientRequest")
    },
    Fault("packing: generation 2 is withheld, and of its scenes only 0 in a row ended early") {
      $0.disconnect(0, 1, "connectionLost")
      withhold(&$0, 2)
    },
    Fault("packing: generation 2 is withheld, and of its scenes only 2 in a row ended early") {
      $0.disconnect(0, 1, "connectionLost")
      crash(&$0, 2...3)
      withhold(&$0, 4)
    },
    Fault("packing: generation 2 was withheld, and is given again without a save") {
      $0.disconnect(0, 1, "connectionLost")
      crash(&$0, 2...4)
      withhold(&$0, 5)
      $0.disconnect(0, 5, "connectionLost")
      connect(&$0, 6, generation: 2, reason: "recover")
    },
    Fault("packing: willEnterForeground without a scene") {
      $0.disconnect(0, 1, "clientRequest")
      $0.call(0, 1, "willEnterForeground")
    },
    Fault("packing: willEnterForeground came in foregroundInactive or foregroundActive, where") {
      $0.restart(after: 10)
      $0.join(1)
      connect(&$0, 1, generation: 2, reason: "resume")
      $0.call(0, 1, "willEnterForeground")
    },
    Fault("packing: scene 2 was given it while scene 1 had it") {
      connect(&$0, 2, generation: 2)
    },
    Fault("packing: scene 2 was called for it while scene 1 had it") {
      $0.call(0, 2, "willEnterForeground")
    },
    Fault("scene 1: it has gone, and still has a scene") { $0.leave(1) },
    Fault("packing: generation 2 was saved after generation 2") { save(&$0, 1, 2) },
    Fault("packing: it came back with generation 1; saved last was 2") {
      $0.disconnect(0, 1, "connectionLost")
      connect(&$0, 2, generation: 1)
    },
    Fault("packing: it came back with generation 1; generation 2 was acknowledged") {
      $0.restart(after: 10)
      $0.join(1)
      connect(&$0, 1, generation: 1, reason: "resume")
    },
    Fault("packing: it was reported as discarded twice") {
      $0.disconnect(0, 1, "discarded")
      $0.tell(.discarded, 0)
      $0.tell(.discarded, 0)
    },
    Fault("packing: it was discarded, and is there again") {
      $0.disconnect(0, 1, "discarded")
      $0.tell(.discarded, 0)
      connect(&$0, 1, generation: 2)
    },
    Fault("packing: a process was started for it while scene 2 was under way") {
      $0.disconnect(0, 1, "connectionLost")
      $0.tell(.launched, 0, 2)
      $0.tell(.launched, 0, 3)
    },
    Fault("packing: 6 processes in a row were started for it in vain") {
      $0.disconnect(0, 1, "connectionLost")
      for pid: Int64 in 2..<8 {
        if pid > 2 { $0.tell(.exited, 0, pid - 1) }
        $0.tell(.launched, 0, pid)
      }
    },
    Fault("the broker: a discard without an identifier") { $0.tell(.discarded) },
  ]
}
