import SceneBroker
import SceneModel
import Testing

@testable import SceneScript

@Suite("The table of state transitions")
struct StateTransitionTests {
  @Test(
    "the table agrees with the broker's for each state and callback",
    arguments: ActivationState.allCases, CallbackKind.allCases)
  func agrees(state: ActivationState, callback: CallbackKind) {
    let targets = ActivationState.allCases.filter {
      LifecycleTransitions.next(from: state, toward: $0) == callback
    }
    let step = StateTransition(callback)
    guard let step, step.start == state else { return #expect(targets == []) }
    let isUp = step.arrival > state
    #expect(targets == ActivationState.allCases.filter { isUp ? $0 > state : $0 < state })
    #expect(abs(rank(step.arrival) - rank(state)) == 1)
    #expect(callback.arrival == step.arrival)
  }

  private func rank(_ state: ActivationState) -> Int {
    ActivationState.allCases.filter { $0 < state }.count
  }

  @Test("exactly the life cycle callbacks change the state", arguments: CallbackKind.allCases)
  func steps(callback: CallbackKind) {
    if StateTransition(callback) == nil { #expect(callback.arrival == nil) }
  }

  @Test("the length of a crash loop agrees with the broker's")
  func crashLoop() {
    #expect(Int64(CrashLoopInvariant.endsOfACrashLoop) == StoredSession.earlyEndsOfACrashLoop)
  }
}
