package import ScenePlatform

/// Plays several scripts, some of them at once.
package enum ScriptSuite {
  /// Hands over what came of each, in the order of the plans, as soon as that is known.
  package static func play(
    _ plans: [ScriptPlan], _ settings: Stage.Settings, jobs: Int,
    _ hand: (ScriptOutcome) -> Void
  ) throws(SystemError) {
    let work = Monitor(
      Work(rest: plans.indices, outcomes: Array(repeating: nil, count: plans.count)))
    for _ in 0..<min(max(jobs, 1), plans.count) {
      _ = try Thread("script") {
        while let index = work.withLock({ $0.rest.popFirst() }) {
          let outcome = ScriptRun(plans[index], settings).outcome()
          work.withLock { $0.outcomes[index] = outcome }
        }
      }
    }
    for index in plans.indices {
      if let outcome = work.wait(for: { $0.outcomes[index] }) { hand(outcome) }
    }
  }

  private struct Work: Sendable {
    var rest: Range<Int>
    var outcomes: [ScriptOutcome?]
  }
}
