import ScenePlatform

/// Runs several scripts concurrently.
package enum ScriptSuite {
  /// Runs the scripts.
  ///
  /// - Parameters:
  ///   - plans: the scripts.
  ///   - settings: the settings of each environment.
  ///   - times: the number of runs of each script; a failure ends the runs of its script.
  ///   - jobs: the number of concurrent runs.
  ///   - watch: receives the progress ten times a second.
  ///   - report: receives the outcomes in the order of the plans. An error ends the suite.
  /// - Throws: The error of `report`, or that no thread can be started.
  package static func run(
    _ plans: [ScriptPlan], _ settings: ScriptEnvironment.Settings, times: Int = 1, jobs: Int,
    watch: ((String) -> Void)? = nil, _ report: (ScriptOutcome) throws -> Void
  ) throws {
    let work = ConditionMutex(Work(plans.count, times: times))
    for _ in 0..<min(max(jobs, 1), plans.count * times) {
      _ = try Thread("script") {
        while let index = work.withLock({ $0.beginNext() }) {
          let outcome = ScriptRun(plan: plans[index], settings: settings).outcome()
          let dropped = work.withLock { $0.take(index, outcome) }
          // Only the directory of the reported outcome is kept.
          if let directory = dropped?.keptDirectory { try? Directory.removeTree(directory) }
          work.withLock { $0.end(index) }
        }
      }
    }
    for index in plans.indices {
      while true {
        let nextUpdate = watch == nil ? nil : SystemClock.monotonic() + 100_000_000
        let outcome = work.wait(until: nextUpdate) { $0.outcome(of: index) }
        watch?(work.withLock { $0.progress })
        guard let outcome else { continue }
        try report(outcome)
        break
      }
    }
  }

  private struct Work: Sendable {
    private var scripts: [Progress]
    private let times: Int

    private struct Progress {
      /// The number of runs that have not begun, and that have not ended.
      var unbegun: Int
      var unended: Int
      /// The first failure, or else the last outcome.
      var outcome: ScriptOutcome?
    }

    init(_ count: Int, times: Int) {
      self.times = times
      scripts = Array(repeating: Progress(unbegun: times, unended: times), count: count)
    }

    /// The index of the next script to run.
    mutating func beginNext() -> Int? {
      guard let index = scripts.firstIndex(where: { $0.unbegun > 0 }) else { return nil }
      scripts[index].unbegun -= 1
      return index
    }

    /// Records an outcome; returns the outcome that does not count.
    mutating func take(_ index: Int, _ outcome: ScriptOutcome) -> ScriptOutcome? {
      let before = scripts[index].outcome
      guard before?.passed != false else { return outcome }
      scripts[index].outcome = outcome
      scripts[index].outcome?.runCount = (before?.runCount ?? 0) + 1
      guard !outcome.passed else { return before }
      scripts[index].unended -= scripts[index].unbegun
      scripts[index].unbegun = 0
      return before
    }

    mutating func end(_ index: Int) { scripts[index].unended -= 1 }

    /// For example "12 of 40 scripts, 1 failed: road-trip.scene".
    var progress: String {
      let count = scripts.count * times
      let failed = scripts.compactMap { $0.outcome?.passed == false ? $0.outcome?.path : nil }
      let names = failed.map(Directory.lastPart)
      return "\(count - scripts.reduce(0) { $0 + $1.unended }) of \(count) "
        + (times > 1 ? "runs" : "scripts")
        + (names.isEmpty ? "" : ", \(names.count) failed: \(names.joined(separator: ", "))")
    }

    func outcome(of index: Int) -> ScriptOutcome? {
      scripts[index].unended == 0 ? scripts[index].outcome : nil
    }
  }
}
