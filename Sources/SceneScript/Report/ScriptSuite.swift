package import ScenePlatform

/// Plays several scripts, some of them at once.
package enum ScriptSuite {
  /// Hands over what came of each, in the order of the plans, as soon as that is known. One that is
  /// to be played several times is played until it fails.
  package static func play(
    _ plans: [ScriptPlan], _ settings: Stage.Settings, times: Int = 1, jobs: Int,
    _ hand: (ScriptOutcome) -> Void
  ) throws(SystemError) {
    let work = Monitor(Work(plans.count, times: times))
    for _ in 0..<min(max(jobs, 1), plans.count * times) {
      _ = try Thread("script") {
        while let index = work.withLock({ $0.begin() }) {
          let outcome = ScriptRun(plans[index], settings).outcome()
          let dropped = work.withLock { $0.take(index, outcome) }
          // It was kept for what might have come of it.
          if let directory = dropped?.keptDirectory { try? Directory.removeTree(directory) }
          work.withLock { $0.end(index) }
        }
      }
    }
    for index in plans.indices {
      if let outcome = work.wait(for: { $0.outcome(of: index) }) { hand(outcome) }
    }
  }

  private struct Work: Sendable {
    private var scripts: [Progress]

    private struct Progress {
      /// How often it is to be begun, and to be ended.
      var unbegun: Int
      var unended: Int
      /// The first that failed, else the last.
      var outcome: ScriptOutcome?
    }

    init(_ count: Int, times: Int) {
      scripts = Array(repeating: Progress(unbegun: times, unended: times), count: count)
    }

    /// The script to be played next.
    mutating func begin() -> Int? {
      guard let index = scripts.firstIndex(where: { $0.unbegun > 0 }) else { return nil }
      scripts[index].unbegun -= 1
      return index
    }

    /// What came of another play; the outcome that does not count any more.
    mutating func take(_ index: Int, _ outcome: ScriptOutcome) -> ScriptOutcome? {
      let before = scripts[index].outcome
      guard before?.passed != false else { return outcome }
      scripts[index].outcome = outcome
      scripts[index].outcome?.plays = (before?.plays ?? 0) + 1
      guard !outcome.passed else { return before }
      scripts[index].unended -= scripts[index].unbegun
      scripts[index].unbegun = 0
      return before
    }

    mutating func end(_ index: Int) { scripts[index].unended -= 1 }

    func outcome(of index: Int) -> ScriptOutcome? {
      scripts[index].unended == 0 ? scripts[index].outcome : nil
    }
  }
}
