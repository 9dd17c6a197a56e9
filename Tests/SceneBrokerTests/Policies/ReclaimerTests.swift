import SceneModel
import Testing

@testable import SceneBroker

struct ReclaimerTests {
  private func candidate(
    _ number: UInt64, order: UInt64, since: Int64 = 0, hasAssertion: Bool = false
  ) -> SceneStateMachine {
    let scene = SceneStateMachine(
      SessionIdentifier(high: 0, low: number), holder: ConnectionIdentifier(1), hold: 1,
      resumedIn: .background, target: .background)
    (scene.backgroundOrder, scene.backgroundSince) = (order, since)
    if hasAssertion { scene.assertions = [Assertion(identifier: 1, name: "export")] }
    return scene
  }

  @Test("beyond the count, the scenes leave that entered the background first")
  func count() {
    let scenes = [candidate(1, order: 3), candidate(2, order: 1), candidate(3, order: 2)]
    func due(_ count: Int) -> [UInt64] {
      Reclaimer(policy: ReclaimPolicy(count: count)).due(of: scenes, at: 0).map(\.low)
    }
    #expect(due(3).isEmpty && due(2) == [2] && due(0) == [2, 3, 1])
  }

  @Test("a scene with an assertion counts and stays")
  func assertion() {
    let scenes = [candidate(1, order: 1, hasAssertion: true), candidate(2, order: 2)]
    let reclaimer = Reclaimer(policy: ReclaimPolicy(count: 1))
    #expect(reclaimer.due(of: scenes, at: 0).map(\.low) == [2])
    #expect(reclaimer.due(of: [scenes[0], scenes[0]], at: 0).isEmpty)
  }

  @Test("a scene leaves at its age, and the next check is when the next one reaches it")
  func age() {
    let reclaimer = Reclaimer(policy: ReclaimPolicy(age: .seconds(1)))
    let second: Int64 = 1_000_000_000
    let scenes = [
      candidate(1, order: 1, since: 5), candidate(2, order: 2, since: 3),
      candidate(3, order: 3, since: 0, hasAssertion: true),
    ]
    #expect(reclaimer.due(of: scenes, at: second + 2).isEmpty)
    #expect(reclaimer.due(of: scenes, at: second + 3).map(\.low) == [2])
    #expect(reclaimer.nextCheck(of: scenes, at: second)?.nanoseconds == 3)
    #expect(reclaimer.nextCheck(of: scenes, at: 2 * second)?.nanoseconds == 0)
    #expect(reclaimer.nextCheck(of: [scenes[2]], at: second) == nil)
    #expect(Reclaimer(policy: ReclaimPolicy(count: 1)).nextCheck(of: scenes, at: 0) == nil)
  }
}
