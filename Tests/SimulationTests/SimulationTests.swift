import ScenePlatform
import Testing

/// A whole world from each seed: see `World`. To see one again, give its seed.
@Suite("A simulated world")
struct SimulationTests {
  private static let steps = 2_000

  /// Seeds that once found something, and some that did not.
  private static let fixedSeeds: [UInt64] = Array(1...12)

  private static var seeds: [UInt64] {
    if let given = Environment["SCENE_SIMULATION_SEED"].flatMap({ UInt64($0) }) { return [given] }
    let runs = Environment["SCENE_SIMULATION_RUNS"].flatMap { Int($0) } ?? 4
    return fixedSeeds + (0..<runs).map { _ in UInt64.random(in: 1...UInt64.max) }
  }

  @Test("comes to rest with everything kept that was promised", arguments: seeds)
  func world(seed: UInt64) {
    let world = World(seed: seed)
    world.run(steps: Self.steps)
    world.comeToRest()
    guard let complaint = world.oracle.complaint else { return }
    Issue.record("\(complaint)\n\(Self.story(of: seed))")
  }

  @Test("comes across everything that can happen")
  func sights() {
    var sights: [String: Int] = [:]
    for seed in Self.fixedSeeds {
      let world = World(seed: seed)
      world.run(steps: Self.steps)
      world.comeToRest()
      sights.merge(world.oracle.sights) { $0 + $1 }
    }
    for (sight, count) in sights.sorted(by: { $0.key < $1.key }) { print("SIGHT", count, sight) }
  }

  private static func story(of seed: UInt64) -> String {
    let again = World(seed: seed, isTranscribed: true)
    again.run(steps: steps)
    again.comeToRest()
    return """
      \(again.transcript.tail(60))
      SCENE_SIMULATION_SEED=\(seed) swift test --filter SimulationTests
      """
  }
}
