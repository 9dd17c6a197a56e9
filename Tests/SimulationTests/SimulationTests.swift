import SceneModel
import ScenePlatform
import Testing

/// A whole world from each seed: see `World`. A complaint says how to see it again.
///
/// `SCENE_SIMULATION_RUNS=1000` lives through so many random worlds, `SCENE_SIMULATION_SEED=…`
/// through that one, `SCENE_SIMULATION_STEPS=10000` makes them longer,
/// `SCENE_SIMULATION_LINES=1000` shows so much of what happened before a complaint.
/// With `SCENE_SIMULATION_RUNS` each world also prints the fingerprint of its messages.
@Suite("A simulated world")
struct SimulationTests {
  private static let steps =
    Environment["SCENE_SIMULATION_STEPS"].flatMap { Int($0) } ?? 2_000

  private static var randomSeeds: [UInt64] {
    if let seed = Environment["SCENE_SIMULATION_SEED"].flatMap({ UInt64($0) }) { return [seed] }
    let runs = Environment["SCENE_SIMULATION_RUNS"].flatMap { Int($0) } ?? 8
    return (0..<runs).map { _ in .random(in: 1 ... .max) }
  }

  @Test("comes to rest with everything kept that was promised", arguments: randomSeeds)
  func world(seed: UInt64) { _ = Self.live(seed) }

  @Test("comes across everything that can happen")
  func sights() {
    var sights: [String: Int] = [:]
    for seed in UInt64(1)...100 { sights.merge(Self.live(seed).model.sights) { $0 + $1 } }
    for sight in Self.expected where sights[sight] == nil {
      Issue.record("never came across this: \(sight)")
    }
  }

  @Test("is the same world again from the same seed")
  func repeats() {
    #expect(Self.live(5).transcript.fingerprint == Self.live(5).transcript.fingerprint)
  }

  /// Not all that is seen, but what would be missed if it were not.
  private static let expected =
    CallbackKind.allCases.map { "callback: \($0)" }
    + DelegateCallbackKind.allCases.map { "callback: \($0)" }
    + ["launch", "recover", "restore"].map { "connected: \($0)" }
    + [
      "clientRequest", "connectionLost", "discarded", "reclaimed", "refused", "replaced",
      "shutdown", "slowReader", "violation", "watchdog",
    ].map { "disconnected (\($0))" }
    + [
      "brought", "resumed", "power cut", "daemon killed", "ended in order",
      "ended by an error of the disk", "recovered everything",
      "recovered what was promised", "refused: storageFull", "refused: sessionInUse",
      "refused: tooMany", "refused: delegateInUse", "refused: wrongRole",
      "resume refused: sessionNotHeld", "storage: full", "storage: exhausted", "a log was full",
      "compacted", "storage: behind", "event", "event for a scene",
      "event behind a gap", "withheld", "start: no room",
    ]

  private static func live(_ seed: UInt64) -> World {
    // A fault of the broker stops the process, and then this is all there is to read.
    if Environment["SCENE_SIMULATION_RUNS"] != nil {
      try? StandardStream.error.write("SCENE_SIMULATION_SEED=\(seed)\n")
    }
    let world = World(seed: seed)
    world.live(steps: steps)
    if Environment["SCENE_SIMULATION_RUNS"] != nil {
      try? StandardStream.error.write("seed \(seed): wire \(world.transcript.fingerprint)\n")
    }
    if let complaint = world.model.complaint {
      let again = World(seed: seed, isTranscribed: true)
      again.live(steps: steps)
      let lines = Environment["SCENE_SIMULATION_LINES"].flatMap { Int($0) } ?? 60
      Issue.record(
        """
        \(complaint)
        \(again.transcript.tail(lines))
        SCENE_SIMULATION_SEED=\(seed) swift test --filter SimulationTests
        """)
    }
    return world
  }
}
