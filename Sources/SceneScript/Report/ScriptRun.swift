import CommandLine
import ScenePlatform

/// Plays a script on a stage of its own.
package struct ScriptRun {
  private let plan: ScriptPlan
  private let settings: Stage.Settings

  private static let shownBreaches = 5

  package init(_ plan: ScriptPlan, _ settings: Stage.Settings) {
    self.plan = plan
    self.settings = settings
  }

  /// Plays it to its end, or to the first line that fails. Nothing that it started is left then.
  package func outcome() -> ScriptOutcome {
    var outcome = ScriptOutcome(path: plan.script.path)
    let stage: Stage
    do throws(StepFailure) {
      stage = try Stage(settings, files: plan.script.files)
    } catch {
      outcome.sections = plan.sections.map {
        SectionOutcome(title: $0.title, result: $0.resultWithoutRun)
      }
      if let index = plan.sections.firstIndex(where: { !$0.steps.isEmpty }) {
        let line = plan.sections[index].steps[0].line
        outcome.sections[index].result = .failed(
          ScriptFailure(place: line.place, line: line.text, message: error.message, timeline: []))
      }
      return outcome
    }
    defer { stage.strike() }
    for section in plan.sections {
      var told = SectionOutcome(title: section.title, result: section.resultWithoutRun)
      if outcome.passed {
        let start = SystemClock.monotonic()
        told.result = result(of: section, on: stage)
        told.nanoseconds = SystemClock.monotonic() - start
      }
      outcome.sections.append(told)
    }
    look(at: stage, &outcome)
    outcome.rewrites = stage.rewrites
    if settings.keeps {
      outcome.keptDirectory = stage.directory
      outcome.keptPage = stage.keepStory(
        title: plan.script.path, remarks: outcome.failure.map(\.explanation) ?? [])
    }
    return outcome
  }

  /// What must be so after every script is told with what failed, else with the last line.
  private func look(at stage: Stage, _ outcome: inout ScriptOutcome) {
    let hasPassed = outcome.passed
    var breaches = stage.close()
    if let index = breaches.firstIndex(where: { $0.line != nil }) {
      let breach = breaches.remove(at: index)
      // Where a line failed, those behind it did not run into the point either.
      if hasPassed { fail(for: breach, on: stage, &outcome) }
    }
    guard !breaches.isEmpty else { return }
    let message =
      (outcome.passed ? "everything passed, but" : "besides,")
      + " this must always be so, and is not:\n"
      + breaches.prefix(Self.shownBreaches).flatMap(\.lines).joined(separator: "\n")
    for index in outcome.sections.indices {
      guard case .failed(var failure) = outcome.sections[index].result else { continue }
      failure.message += "\n" + message
      outcome.sections[index].result = .failed(failure)
      return
    }
    guard let index = plan.sections.lastIndex(where: { !$0.steps.isEmpty }),
      let line = plan.sections[index].steps.last?.line
    else { return }
    outcome.sections[index].result = .failed(failure(.broken(message), at: line, on: stage))
  }

  /// What a line wanted has not come about up to the end.
  private func fail(for breach: RuleBreach, on stage: Stage, _ outcome: inout ScriptOutcome) {
    guard let line = breach.line,
      let section = plan.sections.firstIndex(where: { $0.steps.contains { $0.line == line } })
    else { return }
    outcome.sections[section].result = .failed(
      failure(.broken(breach.sentence), at: line, on: stage))
  }

  private func result(of section: ScriptPlan.Section, on stage: Stage) -> SectionOutcome.Result {
    if section.steps.isEmpty { return section.resultWithoutRun }
    for (index, step) in section.steps.enumerated() {
      stage.scriptLine = step.line
      stage.note("\(step.line.place): \(step.line.text)")
      var problem: StepFailure?
      do throws(StepFailure) {
        try stage.line(step.role, mustFail: step.line.mustFail) { () throws(StepFailure) in
          try perform(step, on: stage, statedError: section.errorStated(behind: index))
        }
      } catch {
        problem = error
      }
      if let breach = stage.missedDoom, let line = breach.line {
        return .failed(failure(.broken(breach.sentence), at: line, on: stage))
      }
      if let problem { return .failed(failure(problem, at: step.line, on: stage)) }
    }
    return .passed
  }

  /// Does what the line says. With `!` it must be refused, and nothing worse; that it is not even
  /// understood does for that only where the script says so.
  private func perform(
    _ step: ScriptPlan.Step, on stage: Stage, statedError: String?
  ) throws(StepFailure) {
    do throws(StepFailure) {
      try step.action(stage)
    } catch {
      guard step.line.mustFail, case .no(let reason) = error.kind else { throw error }
      guard !error.isMisuse || reason == statedError else {
        throw .broken(
          "it was to be refused, but is not even understood: \(error.message)\n"
            + "If that is what is meant, say so behind it: error \(reason)")
      }
      stage.reason = reason
      return
    }
    if step.line.mustFail {
      guard step.role == .looks else { throw .broken("it was done, but was to fail") }
      let finding = stage.finding.map { ":\n" + $0 } ?? ""
      throw .broken("it is so, but was not to be" + finding)
    }
  }

  // MARK: - What went wrong

  private func failure(
    _ error: StepFailure, at line: Script.Line, on stage: Stage
  ) -> ScriptFailure {
    var message = error.message
    if SystemClock.monotonic() >= stage.deadline {
      let seconds = WrittenTime.seconds(settings.ceiling / 1000)
      message +=
        "\nA line may take \(seconds.hasSuffix(".000") ? "\(seconds.dropLast(4))" : seconds) s."
    }
    return ScriptFailure(
      place: line.place, line: line.text, message: message, timeline: stage.lastRows())
  }
}

extension ScriptPlan.Section {
  fileprivate var resultWithoutRun: SectionOutcome.Result {
    steps.isEmpty ? .leftOut : .notReached
  }

  /// With what a line is to have failed, as `error` says behind it before another line does something.
  fileprivate func errorStated(behind index: Int) -> String? {
    steps[(index + 1)...].prefix { $0.role == .looks }.lazy.compactMap(\.statedError).first
  }
}
