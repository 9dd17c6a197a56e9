import SceneModel
import Testing

@testable import SceneBroker

/// Random events keep the invariants.
struct RandomWalkTests {
  @Test(
    "invariants hold at every step, and every request is answered exactly once",
    arguments: UInt64(1)...40)
  func walks(seed: UInt64) throws {
    let log = EffectLog(seed: seed)
    let walk = RandomWalk(seed: seed, log: log)
    for _ in 0..<500 where !walk.fixture.isBroken { walk.step() }
    #expect(walk.comeToRest() == [], "seed \(seed)")
    try log.write()
  }

  @Test("the same events give the same effects", arguments: [UInt64(7), 8])
  func deterministic(seed: UInt64) {
    let (one, other) = (RandomWalk(seed: seed), RandomWalk(seed: seed))
    for _ in 0..<500 {
      one.step()
      other.step()
    }
    #expect(one.fixture.sent == other.fixture.sent)
    #expect(one.fixture.records == other.fixture.records)
  }
}
