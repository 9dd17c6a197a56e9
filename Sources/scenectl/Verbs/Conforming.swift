import CommandLine
import ScenePlatform
import SceneScript

extension Errand {
  func conform() throws(Failure) -> ExitCode {
    // A client that has ended before it was spoken to is for the case to tell.
    Signal.ignoreBrokenPipes()
    let command = invocation.trailing ?? []
    try requireCommand(command)
    var settings = try stageSettings()
    settings.ceiling = invocation.nanoseconds("patience") ?? settings.ceiling
    try watchSignals(settings.remains)
    let wanted = invocation.values("case")
    let cases = ConformCase.table.filter { wanted.isEmpty || wanted.contains($0.name) }
    console.print(TestReport.head(cases.count), terminator: "")
    let run = ConformRun(command, settings)
    let written = command.map(\.shellWord).joined(separator: " ")
    var outcomes: [ConformOutcome] = []
    for test in cases {
      let outcome = run.outcome(of: test)
      outcomes.append(outcome)
      console.print(
        ConformReport.lines(of: outcome, number: outcomes.count, command: written),
        terminator: "")
      // Whoever follows wants to see it; what cannot be printed is told of at the end.
      try? console.flush()
    }
    if let path = invocation.value("junit") {
      try write(ConformReport.junit(outcomes, command: written), toFile: path)
    }
    return outcomes.allSatisfy(\.passed) ? .yes : .no
  }

  /// Nothing is tried with a command that cannot be found.
  func requireCommand(_ command: [String]) throws(Failure) {
    do throws(SystemError) {
      let path = try Executable.find(command.first ?? "", path: environment["PATH"])
      _ = try FileStatus(of: path)
    } catch {
      throw Failure(
        error.isNotFound ? .noCommand : .badCommand, "\(PlainText.escaped(error.description))")
    }
  }
}
