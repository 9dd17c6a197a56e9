import SceneModel
import Testing

@testable import SceneBroker

struct HoldRecordsTests {
  private static let process = ClientProcess(pid: 7, startTime: 1)

  private let held = Hold(session: SessionIdentifier(high: 0, low: 1)).begun(by: process)

  /// A scene that got generation 3.
  private func scene(isAtTarget: Bool) -> SceneStateMachine {
    let one = ConnectionIdentifier(1)
    guard !isAtTarget else {
      return SceneStateMachine(
        held.session, holder: one, hold: 1, resumedIn: .background, target: .background)
    }
    return SceneStateMachine(
      held.session, holder: one, hold: 1, target: .background, restoredGeneration: 3)
  }

  private func earlyEnds(
    _ reason: DisconnectReason, isAtTarget: Bool, newest: Int64 = 3, before: Int64 = 2
  ) -> Int64? {
    var hold = held
    hold.earlyEnds = before
    return hold.ended(
      DisconnectOutcome(reason: reason), of: scene(isAtTarget: isAtTarget), newest: newest,
      answered: false)?.earlyEnds
  }

  @Test("a hold has a holder and no end, an ended one has an end and no holder")
  func ends() throws {
    #expect(held.holder == Self.process && held.end == nil)
    let end = DisconnectOutcome(reason: .clientRequest)
    let ended = try #require(held.ended(end, of: nil, newest: nil, answered: true))
    #expect(ended.holder == nil && ended.end == end && ended.previousHolder == Self.process)
    #expect(ended.ended(end, of: nil, newest: nil, answered: true) == nil)
    let again = ended.begun(by: Self.process)
    #expect(again.end == nil && again.previousHolder == nil)
    #expect(held.ended(end, of: nil, newest: nil, answered: false)?.previousHolder == nil)
  }

  @Test("a lost connection before the target counts against the activity that the client got")
  func crash() {
    #expect(earlyEnds(.connectionLost, isAtTarget: false) == 3)
    #expect(earlyEnds(.connectionLost, isAtTarget: false, newest: 4) == 2)
    #expect(earlyEnds(.watchdog, isAtTarget: false) == 2)
  }

  @Test("a scene that reached its target, or whose client ended it, clears the count")
  func success() {
    #expect(earlyEnds(.connectionLost, isAtTarget: true) == 0)
    #expect(earlyEnds(.clientRequest, isAtTarget: false) == 0)
  }
}
