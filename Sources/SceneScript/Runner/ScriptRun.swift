import SceneCommandLine
import ScenePlatform

/// Runs a script in a new environment.
struct ScriptRun {
  let plan: ScriptPlan
  let settings: ScriptEnvironment.Settings

  private static let shownViolations = 5

  /// Runs the script up to its end or to the first failed line, then ends all its processes.
  func outcome() -> ScriptOutcome {
    var outcome = ScriptOutcome(path: plan.script.path)
    let environment: ScriptEnvironment
    do throws(StepFailure) {
      environment = try ScriptEnvironment(settings, files: plan.script.files)
    } catch {
      outcome.sections = plan.sections.map {
        TestReport.Test(title: $0.title, result: $0.resultWithoutRun)
      }
      if let index = plan.sections.firstIndex(where: { !$0.steps.isEmpty }) {
        let line = plan.sections[index].steps[0].line
        outcome.fail(
          section: index,
          ScriptFailure(
            location: line.location, line: line.text, message: error.message, timeline: []))
      }
      return outcome
    }
    defer { environment.tearDown() }
    for section in plan.sections {
      var test = TestReport.Test(title: section.title, result: section.resultWithoutRun)
      var failure: ScriptFailure?
      if outcome.passed, !section.steps.isEmpty {
        let start = SystemClock.monotonic()
        test.result = .passed
        failure = self.failure(of: section, on: environment)
        test.nanoseconds = SystemClock.monotonic() - start
      }
      outcome.sections.append(test)
      if let failure { outcome.fail(section: outcome.sections.count - 1, failure) }
    }
    addViolations(of: environment, &outcome)
    outcome.rewrites = environment.rewrites
    if settings.keepsDirectory {
      outcome.keptDirectory = environment.directory
      outcome.keptPage = environment.history.write(
        to: environment.directory, title: plan.script.path,
        remarks: outcome.failure.map(\.explanation) ?? [])
    }
    return outcome
  }

  /// Adds the violated invariants to the first failure, or else to the last line.
  private func addViolations(of environment: ScriptEnvironment, _ outcome: inout ScriptOutcome) {
    let hasPassed = outcome.passed
    var violations = environment.close()
    if let index = violations.firstIndex(where: { $0.line != nil }) {
      let violation = violations.remove(at: index)
      // After a failure, the lines behind the failed line did not run, so a missed fault is no
      // news.
      if hasPassed { fail(for: violation, on: environment, &outcome) }
    }
    guard !violations.isEmpty else { return }
    let message =
      (outcome.passed ? "every line passed, but " : "also, ")
      + "invariants were violated:\n"
      + violations.prefix(Self.shownViolations).flatMap(\.lines).joined(separator: "\n")
    if var failure = outcome.failure, let index = outcome.sections.firstIndex(where: { !$0.passed })
    {
      failure.message += "\n" + message
      return outcome.fail(section: index, failure)
    }
    guard let index = plan.sections.lastIndex(where: { !$0.steps.isEmpty }),
      let line = plan.sections[index].steps.last?.line
    else { return }
    outcome.fail(section: index, failure(.unrunnable(message), at: line, on: environment))
  }

  /// Fails the line that injected a fault which did not occur.
  private func fail(
    for violation: InvariantViolation, on environment: ScriptEnvironment,
    _ outcome: inout ScriptOutcome
  ) {
    guard let line = violation.line,
      let section = plan.sections.firstIndex(where: { $0.steps.contains { $0.line == line } })
    else { return }
    outcome.fail(
      section: section, failure(.unrunnable(violation.sentence), at: line, on: environment))
  }

  /// Runs the lines of a section; returns the first failure.
  private func failure(
    of section: ScriptPlan.Section, on environment: ScriptEnvironment
  ) -> ScriptFailure? {
    for (index, step) in section.steps.enumerated() {
      environment.scriptLine = step.line
      environment.showStep("\(step.line.location): \(step.line.text)")
      var problem: StepFailure?
      do throws(StepFailure) {
        try environment.line(step.role, mustFail: step.line.mustFail) { () throws(StepFailure) in
          try perform(step, on: environment, statedError: section.errorStated(behind: index))
        }
      } catch {
        problem = error
      }
      if let violation = environment.missedFault, let line = violation.line {
        return failure(.unrunnable(violation.sentence), at: line, on: environment)
      }
      if let problem { return failure(problem, at: step.line, on: environment) }
    }
    return nil
  }

  /// Runs a line. With `!` the line must fail with a mismatch. A usage error counts only if a later
  /// `error` line names it.
  private func perform(
    _ step: ScriptPlan.Step, on environment: ScriptEnvironment, statedError: String?
  ) throws(StepFailure) {
    do throws(StepFailure) {
      try step.action(environment)
    } catch {
      guard step.line.mustFail, case .mismatch(let reason) = error.kind else { throw error }
      guard !error.isUsageError || reason == statedError else {
        throw .unrunnable(
          "expected a refusal, but the line is invalid: \(error.message)\n"
            + "To expect this error, add the line: error \(reason)")
      }
      environment.reason = reason
      return
    }
    if step.line.mustFail {
      let finding = environment.finding.map { ":\n" + $0 } ?? ""
      throw .unrunnable("expected a failure, but it succeeded" + finding)
    }
  }

  // MARK: - Failures

  private func failure(
    _ error: StepFailure, at line: Script.Line, on environment: ScriptEnvironment
  ) -> ScriptFailure {
    var message = error.message
    if SystemClock.monotonic() >= environment.deadline {
      let seconds = TimeFormat.seconds(settings.lineTimeout / 1000)
      message +=
        "\nThe timeout of a line is \(seconds.hasSuffix(".000") ? "\(seconds.dropLast(4))" : seconds) s."
    }
    return ScriptFailure(
      location: line.location, line: line.text, message: message, timeline: environment.lastRows())
  }
}

extension ScriptPlan.Section {
  fileprivate var resultWithoutRun: TestReport.Test.Result {
    // The failed section is `not ok`; TAP counts every skipped test as `ok`.
    .skipped(steps.isEmpty ? "conditions exclude every line" : "an earlier section failed")
  }

  /// The reason of the first `error` line before another line acts.
  fileprivate func errorStated(behind index: Int) -> String? {
    steps[(index + 1)...].prefix { $0.role == .reads }.lazy.compactMap(\.statedError).first
  }
}
