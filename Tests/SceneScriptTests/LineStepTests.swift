import SceneBroker
import SceneModel
import Testing

@testable import SceneScript

@Suite("The line, as the standing rules know it")
struct LineStepTests {
  @Test(
    "it is the broker's, from each state and with each callback",
    arguments: ActivationState.allCases, CallbackKind.allCases)
  func agrees(state: ActivationState, callback: CallbackKind) {
    let targets = ActivationState.allCases.filter {
      Line.next(from: state, toward: $0) == callback
    }
    let step = LineStep(callback)
    guard let step, step.start == state else { return #expect(targets == []) }
    let isUp = step.arrival > state
    #expect(targets == ActivationState.allCases.filter { isUp ? $0 > state : $0 < state })
    #expect(abs(rank(step.arrival) - rank(state)) == 1)
    #expect(callback.arrival == step.arrival)
  }

  private func rank(_ state: ActivationState) -> Int {
    ActivationState.allCases.filter { $0 < state }.count
  }

  @Test("only steps take a scene along it", arguments: CallbackKind.allCases)
  func steps(callback: CallbackKind) {
    if LineStep(callback) == nil { #expect(callback.arrival == nil) }
  }

  @Test("a crash loop is what the broker takes for one")
  func crashLoop() {
    #expect(Int64(WithholdingRule.endsOfACrashLoop) == StoredSession.earlyEndsOfACrashLoop)
  }
}
