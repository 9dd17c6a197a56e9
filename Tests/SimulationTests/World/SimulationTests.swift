import SceneModel
import ScenePlatform
import Synchronization
import Testing

/// Runs a simulation for each seed, with a `World`. A complaint contains the command that repeats
/// it.
///
/// `SCENE_SIMULATION_RUNS=1000` runs 1000 simulations with random seeds, and prints the fingerprint
/// of each and the seeds per second. `SCENE_SIMULATION_SEED=…` runs one seed.
/// `SCENE_SIMULATION_STEPS=10000` sets the number of steps. `SCENE_SIMULATION_LINES=1000` sets how
/// many lines before a complaint are printed.
@Suite("Simulation")
struct SimulationTests {
  private static let steps =
    Environment["SCENE_SIMULATION_STEPS"].flatMap { Int($0) } ?? 2_000

  private static var randomSeeds: [UInt64] {
    if let seed = Environment["SCENE_SIMULATION_SEED"].flatMap({ UInt64($0) }) { return [seed] }
    let runs = Environment["SCENE_SIMULATION_RUNS"].flatMap { Int($0) } ?? 8
    return (0..<runs).map { _ in .random(in: 1 ... .max) }
  }

  private static let seeds = randomSeeds
  private static let start = ContinuousClock.now
  private static let finished = Atomic(0)

  @Test("a simulation settles and loses no promised record", arguments: seeds)
  func world(seed: UInt64) {
    let start = Self.start
    _ = Self.live(seed)
    let count = Self.finished.add(1, ordering: .relaxed).newValue
    guard count == Self.seeds.count || count.isMultiple(of: 100), isAtNight else { return }
    let rate = 10 * Double(count) / ((ContinuousClock.now - start) / .seconds(1))
    printLine("\(count) of \(Self.seeds.count) seeds, \(rate.rounded() / 10) per second")
  }

  @Test("the simulations cover every important event")
  func sights() {
    var sights: [String: Int] = [:]
    for seed in UInt64(1)...100 { sights.merge(Self.live(seed).model.sights) { $0 + $1 } }
    for sight in Self.expected where sights[sight] == nil {
      Issue.record("no simulation covers this event: \(sight)")
    }
  }

  @Test("two simulations with the same seed send the same messages")
  func repeats() {
    #expect(Self.live(5).transcript.fingerprint == Self.live(5).transcript.fingerprint)
  }

  @Test("a simulation in another process sends the same messages")
  func otherProcess() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      print("the fingerprints \(Self.fingerprints)")
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(output.contains("the fingerprints \(Self.fingerprints)"))
  }

  private static var fingerprints: [UInt64] { (1...5).map { live($0).transcript.fingerprint } }

  /// The events that the simulations must cover.
  private static let expected =
    CallbackKind.allCases.map { "callback: \($0)" }
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
      "event behind a gap", "withheld", "start: no room", "released", "arriving", "adopted",
      "adopted before", "refused: sessionAway", "refused: staleFence",
      "upgraded", "left to the next program", "in doubt after an upgrade", "launched a program",
      "exit after an upgrade", "undiscarded", "adopted from the trash", "out of the trash",
      "memory pressure: reclaimed", "memory pressure: an assertion",
      "memory pressure: none reclaimed",
      "unresponsive", "responded", "refused: unresponsive",
      "an early end", "an end without an activity", "a save between early ends", "signalled",
      "removed a directory",
    ]

  private static func live(_ seed: UInt64) -> World {
    // If the broker traps, the process ends, and only this line names the seed.
    if isAtNight { printLine("SCENE_SIMULATION_SEED=\(seed)") }
    let world = World.play(
      seed, steps: steps,
      command: "SCENE_SIMULATION_SEED=\(seed) swift test --filter SimulationTests")
    if isAtNight { printLine("seed \(seed): wire \(world.transcript.fingerprint)") }
    return world
  }
}

extension World {
  /// Plays a simulation. Records a complaint with its last lines and with the command that repeats
  /// it.
  static func play(
    _ seed: UInt64, bytes: [UInt8] = [], steps: Int, command: String
  ) -> World {
    let world = World(seed: seed, bytes: bytes)
    world.live(steps: steps)
    guard let complaint = world.model.complaint else { return world }
    let again = World(seed: seed, bytes: bytes, isTranscribed: true)
    again.live(steps: steps)
    let lines = Environment["SCENE_SIMULATION_LINES"].flatMap { Int($0) } ?? 60
    Issue.record("\(complaint)\n\(again.transcript.tail(lines))\n\(command)")
    return world
  }
}

private let isAtNight = Environment["SCENE_SIMULATION_RUNS"] != nil

private func printLine(_ line: String) { try? StandardStream.error.write(line + "\n") }
