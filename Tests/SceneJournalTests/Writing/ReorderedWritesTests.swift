import SceneJournal
import ScenePlatform
import SceneTestSupport
import Testing

/// Power cuts that leave each prefix of the writes since the last sync, and the reorderings of them
/// that a disk may do.
///
/// A usual run checks a sample. `SCENE_CRASH_STATES=100000` checks so many different states and
/// prints their number. `SCENE_CRASH_SEED=…` repeats a sample.
@Suite("Block writes in any order")
struct ReorderedWritesTests {
  private static let seed =
    Environment["SCENE_CRASH_SEED"].flatMap { UInt64($0) } ?? .random(in: 1 ... .max)

  @Test(
    "after any power cut, the journal has all acknowledged records",
    arguments: CrashTests.Kind.allCases)
  func states(kind: CrashTests.Kind) throws {
    let limit = Environment["SCENE_CRASH_STATES"].flatMap { Int($0) }
    var random = SeededGenerator(seed: Self.seed)
    var states = CrashStates(
      name: "SCENE_CRASH_SEED=\(Self.seed), \(kind)", cutsPerPoint: limit == nil ? 4 : nil,
      random: random)
    try states.check(kind.workload(withBallast(.small())))
    for call in Self.calls(of: kind) where !states.calls.contains(call) {
      Issue.record("no power cut before this call: \(call)")
    }
    guard let limit else { return }
    while states.count < limit / CrashTests.Kind.allCases.count {
      let options = withBallast(.random(using: &random))
      try states.check(kind.workload(options, seed: random.next()))
    }
    try StandardStream.error.write("\(states.summary)\n")
  }

  private func withBallast(_ options: JournalOptions) -> JournalOptions {
    var options = options
    options.ballastByteCount = 6 * 4096
    options.logLimit = 2
    options.makeSalt = SaltSource(seed: 1).next
    return options
  }

  /// Calls of the switch to the next log, of a compaction and of a start that uses the ballast.
  private static func calls(of kind: CrashTests.Kind) -> [String] {
    [
      "create log-.tmp", "write log-.tmp", "sync log-.tmp", "rename log-.tmp", "sync log-",
      "shorten log-", "write base-.tmp", "sync base-.tmp", "rename base-.tmp", "remove log-",
      "create ballast", "sync ballast", "sync the directory .", "end",
    ] + (kind == .cramped ? ["write ballast", "rename ballast"] : ["remove base-"])
  }
}
