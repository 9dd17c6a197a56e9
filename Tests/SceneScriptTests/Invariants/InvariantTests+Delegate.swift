import SceneModel
import Testing

@testable import SceneScript

/// Planted faults with the application delegate.
extension InvariantTests {
  /// The trace of a delegate, and the calls that it received.
  struct DelegateHistory: Sendable {
    var fixture = TraceFixture()
    var delegateCalls: [DelegateCall] = []
    var participation = DelegateParticipation.required

    static let process: Int64 = 9

    mutating func call(_ callback: String, session: Int? = nil) {
      fixture.tell(.callback, session, Self.process) { $0.callback = callback }
    }

    mutating func answer(
      _ callback: String, _ event: TraceEvent = .acknowledged, session: Int? = nil
    ) {
      fixture.tell(event, session, Self.process) { $0.callback = callback }
    }

    mutating func launch() {
      fixture.join(Self.process)
      for callback in ["willFinishLaunching", "didFinishLaunching"] {
        call(callback)
        answer(callback)
      }
    }

    mutating func make(_ session: Int, by process: Int64 = 1) {
      fixture.tell(.created, session) { $0.by = ClientReference(name: "scene", pid: process) }
    }

    mutating func ask(_ session: Int) {
      call("configurationForConnecting", session: session)
      delegateCalls.append(.question(identifier(session)))
      answer("configurationForConnecting", session: session)
    }

    mutating func report(_ session: Int) {
      call("didDiscardSceneSessions")
      delegateCalls.append(.report("r-\(session)", [identifier(session)]))
      answer("didDiscardSceneSessions")
    }

    /// The violations, with a settle point at the end.
    var sentences: [String] {
      var history = InvariantTests.history(fixture)
      for index in history.runs.indices {
        history.runs[index].declared.applicationDelegate = participation
        history.runs[index].settlePoints = [
          RunHistory.SettlePoint(entryCount: history.runs[index].entries.count)
        ]
      }
      history.contents.delegates = [
        RunHistory.Delegate(process: Self.process, delegateCalls: delegateCalls)
      ]
      return Invariants.violations(in: history).map(\.sentence)
    }
  }

  private static var delegateHistory: DelegateHistory {
    var delegateHistory = DelegateHistory()
    delegateHistory.launch()
    delegateHistory.ask(0)
    delegateHistory.make(0)
    return delegateHistory
  }

  typealias DelegateFault = PlantedFault<DelegateHistory>

  static let delegateFaults: [DelegateFault] = [
    DelegateFault(
      "itinerary: the broker did not ask the application delegate about the new session"
    ) {
      $0.make(1)
    },
    DelegateFault(
      "itinerary: the broker did not ask the application delegate about the new session"
    ) {
      $0.participation = .optional
      $0.make(1)
    },
    DelegateFault(
      "itinerary: the session was created before the required application delegate launched"
    ) {
      $0.fixture.restart(after: 10)
      $0.make(1)
    },
    DelegateFault("packing: the broker did not report the discard to the application delegate") {
      $0.fixture.tell(.discarded, 0)
    },
    DelegateFault("packing: the broker did not report the discard to the application delegate") {
      $0.fixture.leave(DelegateHistory.process)
      $0.fixture.tell(.discarded, 0)
      $0.fixture.restart(after: 10)
      $0.launch()
    },
  ]

  @Test("a planted fault with an application delegate is found", arguments: delegateFaults)
  func caughtWithDelegate(fault: DelegateFault) {
    var delegateHistory = Self.delegateHistory
    #expect(delegateHistory.sentences == [])
    fault.plant(&delegateHistory)
    #expect(delegateHistory.sentences == [fault.sentence])
  }

  @Test("calls that a delegate need not receive are no violation")
  func soundDelegate() {
    var delegateHistory = Self.delegateHistory
    // The delegate creates one session, the broker another, and a third is never complete.
    delegateHistory.make(1, by: DelegateHistory.process)
    delegateHistory.fixture.tell(.created, 2)
    delegateHistory.fixture.tell(.discarded, 2) { $0.reason = "refused" }
    delegateHistory.fixture.tell(.discarded, 0)
    delegateHistory.report(0)
    #expect(delegateHistory.sentences == [])
    // A delegate that does not answer gets no further call.
    delegateHistory.call("configurationForConnecting", session: 3)
    delegateHistory.answer("configurationForConnecting", .overran, session: 3)
    delegateHistory.make(3)
    delegateHistory.make(4)
    delegateHistory.fixture.tell(.discarded, 3)
    #expect(delegateHistory.sentences == [])
    // Nor does a delegate that leaves first.
    delegateHistory = Self.delegateHistory
    delegateHistory.make(1)
    delegateHistory.fixture.leave(DelegateHistory.process)
    #expect(delegateHistory.sentences == [])
    // If the manifest decides, the broker asks no delegate.
    delegateHistory = Self.delegateHistory
    delegateHistory.participation = .builtIn
    delegateHistory.make(1)
    delegateHistory.fixture.tell(.discarded, 1)
    #expect(delegateHistory.sentences == [])
  }

  @Test("sessions that are discarded together can be reported after the last scene disconnects")
  func laterReport() {
    var delegateHistory = Self.delegateHistory
    delegateHistory.fixture.join(1)
    Self.connect(&delegateHistory.fixture, 1, generation: 0)
    delegateHistory.fixture.tell(.discarded, 0)
    #expect(delegateHistory.sentences == [])
    delegateHistory.fixture.disconnect(0, 1, "discarded")
    #expect(
      delegateHistory.sentences
        == ["packing: the broker did not report the discard to the application delegate"])
    delegateHistory.fixture.tell(.storage) { $0.reason = "full" }
    #expect(delegateHistory.sentences == [])
  }
}
