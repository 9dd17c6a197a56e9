import SceneCommandLine
import SceneModel
import ScenePlatform
import SceneScript

extension Verb {
  private static func cases(_ demand: ConformCase.Demand) -> String {
    ConformCase.table.filter { $0.demand == demand }
      .map { "\($0.name): \($0.expectation)" }.joined(separator: "\n")
  }

  static let conform = Verb(
    "conform", "Test whether a client in any language follows the protocol.",
    traits: [.handlesInterrupts], run: CommandContext.conform,
    details: """
      For each case the verb starts COMMAND with a broker of its own; $SCENE_SOCKET names the \
      socket. The verb moves the scene, kills the client and the broker, and checks each message \
      between the two.

      The output is in the Test Anything Protocol (TAP). If a required case fails, the output shows \
      the actual message and the last messages before it. An optional case that fails is a TODO \
      and not a failure. A case that does not apply is skipped.

      In every case the client must send complete frames of JSON. It must answer each callback \
      once, with the id of that callback.

      The required cases, in which a client must:

      \(cases(.must))

      The optional cases, in which a client may:

      \(cases(.may))
      """,
    trailing: .required("COMMAND"),
    options: [
      .repeated("case", "NAME", "run only this case", .choice(ConformCase.table.map(\.name))),
      .value(
        "patience", short: "p", "TIME", "the longest time for each step of a case", .duration,
        default: "5s"),
      .value("junit", "FILE", "also write a JUnit XML report to FILE", .file),
    ],
    examples: [
      "scenectl conform -- \"$(scenectl integration)/scene.py\"": "Tests the client in Python.",
      "scenectl conform --case resume --case lost -- ./my-client --quiet":
        "Tests what the client does when the broker dies.",
    ],
    exits: [
      .success: "the client passes all required cases",
      .failure: "the client fails a required case",
      .badCommand: "COMMAND cannot be started", .noCommand: "COMMAND does not exist",
    ],
    inheritsOptions: false)
}

extension CommandContext {
  fileprivate func conform() throws -> ExitCode {
    try checkReport()
    let command = invocation.trailing ?? []
    try requireCommand(command)
    var settings = try scriptSettings()
    settings.lineTimeout = invocation.nanoseconds("patience") ?? settings.lineTimeout
    try beginScripts(settings.cleanup)
    try checkEnvironment(settings)
    let wanted = invocation.values("case")
    let cases = ConformCase.table.filter { wanted.isEmpty || wanted.contains($0.name) }
    try report(TestReport.head(cases.count), settings.cleanup)
    let run = ConformRun(command, settings)
    var tests: [TestReport.Test] = []
    for test in cases {
      let (outcome, startError) = run.outcome(of: test)
      if let startError {
        try report("Bail out! the command cannot be started\n", settings.cleanup)
        throw ProgramError(.badCommand, PlainText.escaped(startError.description))
      }
      tests.append(outcome)
      try report(TestReport.lines(tests.count, outcome), settings.cleanup)
    }
    if let path = invocation.value("junit") {
      try write(TestReport.junit([(run.commandLine, tests)]), to: path)
    }
    return tests.allSatisfy(\.passed) ? .success : .failure
  }
}
