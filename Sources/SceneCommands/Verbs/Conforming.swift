import CommandLine
import ScenePlatform
import SceneScript

extension Errand {
  func conform() throws(ProgramError) -> ExitCode {
    try checkReport()
    let command = invocation.trailing ?? []
    try requireCommand(command)
    var settings = try stageSettings()
    settings.lineTimeout = invocation.nanoseconds("patience") ?? settings.lineTimeout
    try beginPlaying(settings.cleanup)
    try checkStage(settings)
    let wanted = invocation.values("case")
    let cases = ConformCase.table.filter { wanted.isEmpty || wanted.contains($0.name) }
    try report(TestReport.head(cases.count), settings.cleanup)
    let run = ConformRun(command, settings)
    let written = command.map(\.shellWord).joined(separator: " ")
    var outcomes: [ConformOutcome] = []
    for test in cases {
      let outcome = run.outcome(of: test)
      if let error = outcome.startError {
        // What the system cannot start, it cannot start in any other case either.
        try report("Bail out! the command cannot be started\n", settings.cleanup)
        throw ProgramError(.badCommand, PlainText.escaped(error.description))
      }
      outcomes.append(outcome)
      try report(
        ConformReport.lines(of: outcome, number: outcomes.count, command: written),
        settings.cleanup)
    }
    if let path = invocation.value("junit") {
      try write(ConformReport.junit(outcomes, command: written), to: path)
    }
    return outcomes.allSatisfy(\.passed) ? .success : .failure
  }

  /// Nothing is tried with a command that cannot be found, or may not be run.
  func requireCommand(_ command: [String]) throws(ProgramError) {
    do throws(SystemError) {
      let path = try Executable.find(command.first ?? "", path: environment["PATH"])
      try Executable.check(path)
    } catch {
      throw ProgramError(
        error.isNotFound ? .noCommand : .badCommand, "\(PlainText.escaped(error.description))")
    }
  }
}
