import SceneModel
import Testing

@testable import SceneBroker

/// The state knows the sessions that a process holds, so that a start need not visit all others.
@Suite("Sessions of processes")
struct SessionsOfProcessesTests {
  private let session = SessionIdentifier(high: 0, low: 1)
  private static let process = ClientProcess(pid: 7, startTime: 1)
  private var state = StoredState()

  init() throws {
    try state.apply(
      .session(SessionAttributes(identifier: session, configuration: SceneConfiguration())))
  }

  private func hold(_ change: (inout Hold) -> Void) -> Record {
    var hold = Hold(session: session)
    hold.number = 1
    change(&hold)
    return .held(hold)
  }

  @Test("a session belongs to its holder, and after a shutdown to its last holder")
  mutating func index() throws {
    #expect(state.sessionsOfProcesses == [])
    let steps: [((inout Hold) -> Void, Bool)] = [
      ({ $0.holder = Self.process }, true),
      ({ $0.end = DisconnectOutcome(reason: .connectionLost) }, false),
      ({ $0.previousHolder = Self.process }, false),
      (
        {
          $0.previousHolder = Self.process
          $0.end = DisconnectOutcome(reason: .clientRequest)
        }, false
      ),
      (
        {
          $0.previousHolder = Self.process
          $0.end = DisconnectOutcome(reason: .shutdown)
        }, true
      ),
    ]
    for (change, isMember) in steps {
      try state.apply(hold(change))
      #expect(state.sessionsOfProcesses == (isMember ? [session] : []))
      #expect(state.flaws(ofAllSessions: true) == [])
    }
    try state.apply(.discard(Discard(session: session)))
    #expect(state.sessionsOfProcesses == [])
  }

  @Test("a start finds a session that is held and has an end")
  mutating func contradiction() throws {
    try state.apply(
      hold {
        $0.holder = Self.process
        $0.end = DisconnectOutcome(reason: .connectionLost)
      })
    let flaws = ["\(session) is held and has an end"]
    #expect(state.flaws(ofAllSessions: false) == flaws)
    #expect(state.flaws(ofAllSessions: true) == flaws)
  }
}
