import SceneCommandLine
import SceneModel
import ScenePlatform
import SceneScript

extension Verb {
  private static var exampleScript: String {
    """
    A script in ten lines:

      # A reclaimed scene comes back where it was.
      broker start
      client packing
      packing: activity com.example.note {"line": 42}
      background packing
      reclaim packing
      activate packing
      trace packing {
          willConnect isNew=false reason=activation activity.userInfo.line=42
          ...
      }
    """
  }

  static let test = Verb(
    "test", "Run scripts that test life cycles with real processes.", traits: [.handlesInterrupts],
    run: CommandContext.test,
    details: """
      Each FILE is a script together with the files that it uses. Each script gets a broker and \
      a directory of its own. The verb removes both at the end. FILE:LINE runs the script up to that \
      line.

      The output is in the Test Anything Protocol (TAP), with a test for each section. A failure \
      shows the line, the actual values, the last events, and the command that runs only this \
      section. The sections after it are skipped.

      A line ends when all its effects have ended, such as the callbacks of a move. The timeout \
      of each line is 30 s.

      \(exampleScript)
      """,
    arguments: [.repeated("FILE", "a script, such as road-trip.scene", .file)],
    options: [
      .flag("accept", "replace the trace blocks of the scripts with the actual traces"),
      .value(
        "jobs", short: "j", "N", "run N scripts at once; default: one for each usable processor",
        .integer(1...1000)),
      .value(
        "repeat", "N", "run each script up to N times, until it fails (default: 1)",
        .integer(1...1_000_000)),
      .flag(
        "keep",
        "keep the directory of each script and print its path; with --repeat, the directory of "
          + "the last or the failed run"),
      .value("junit", "FILE", "also write a JUnit XML report to FILE", .file),
    ],
    exclusive: [["repeat", "accept"]],
    examples: [
      "scenectl test Tests/Scripts/*.scene": "Runs the scripts, several at once.",
      "scenectl test road-trip.scene:12 --keep":
        "Runs the script up to line 12 and keeps its directory.",
      "scenectl test --repeat 1000 --jobs 4 road-trip.scene":
        "Runs the script a thousand times, four at once, until it fails.",
      "scenectl test --accept road-trip.scene": "Rewrites the expected traces; review the diff.",
    ],
    exits: [
      .success: "all tests pass", .failure: "a test fails",
      .badData: "a script has errors; none was run",
    ],
    inheritsOptions: false)
}

extension CommandContext {
  fileprivate func test() throws -> ExitCode {
    try checkReport()
    let plans = try plans(invocation.arguments("FILE"))
    var settings = try scriptSettings()
    settings.keepsDirectory = invocation.has("keep")
    settings.acceptsTraces = invocation.has("accept")
    let progress = console.beginProgress()
    try beginScripts(settings.cleanup)
    try checkEnvironment(settings)
    try report(TestReport.head(plans.reduce(0) { $0 + $1.sections.count }), settings.cleanup)
    var outcomes: [ScriptOutcome] = []
    var number = 1
    do {
      let jobs = invocation.integer("jobs") ?? Host.processorCount
      let times = invocation.integer("repeat") ?? 1
      let watch = progress.map { line in { (text: String) in line.show(text) } }
      defer { progress?.end() }
      try ScriptSuite.run(
        plans, settings, times: times, jobs: jobs, watch: plans.count * times > 1 ? watch : nil
      ) { outcome in
        try report(TestReport.lines(of: outcome, from: number), settings.cleanup)
        number += outcome.sections.count
        outcomes.append(outcome)
      }
    }
    if invocation.has("accept") { try rewrite(outcomes, of: plans) }
    if let path = invocation.value("junit") {
      try write(TestReport.junit(outcomes), to: path)
    }
    return outcomes.allSatisfy(\.passed) ? .success : .failure
  }

  /// The scripts to run. Throws one error for all mistakes in all scripts.
  private func plans(_ words: [String]) throws -> [ScriptPlan] {
    let verbs = ScriptVerb.table(.scenectl)
    var plans: [ScriptPlan] = []
    var errors: [ScriptError] = []
    for word in words {
      let (path, end) = try place(word)
      let text = try scriptText(path)
      do throws(ScriptErrors) {
        plans.append(
          try ScriptPlan(
            reading: text, path: path, verbs: verbs, environment: environment, upTo: end))
      } catch {
        errors += error.errors
      }
    }
    guard errors.isEmpty else {
      throw ProgramError(.badData, Self.listed(errors).joined(separator: "\nscenectl: "))
    }
    return plans
  }

  /// The maximum number of printed mistakes. A file with more is rarely a script.
  private static let printedFlaws = 10

  private static func listed(_ errors: [ScriptError]) -> [String] {
    var lines = errors.prefix(printedFlaws).map { PlainText.escaped($0.description) }
    let rest = errors.count - lines.count
    if rest > 0 {
      lines.append(
        "\(counted(rest, "more error", "more errors")); a file with so many errors is not a script; "
          + "see: scenectl test --help")
    }
    return lines
  }

  /// The parts of `FILE:LINE`, unless a file has this name.
  private func place(_ word: String) throws -> (path: String, line: Int?) {
    guard !File.exists(word), let colon = word.lastIndex(of: ":") else { return (word, nil) }
    let (path, place) = (String(word[..<colon]), String(word[word.index(after: colon)...]))
    if let line = Int(place), line > 0 { return (path, line) }
    guard File.exists(path) else { return (word, nil) }
    throw invocation.usageError(
      "\(PlainText.word(place)) is not a line number of \(PlainText.word(path)); FILE:LINE runs "
        + "the script up to LINE, and the first line is 1")
  }

  private static let longestScript = 16 << 20

  private func scriptText(_ path: String) throws -> String {
    let bytes = try File.read(path, limit: Self.longestScript)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ProgramError(.badData, "\(PlainText.escaped(path)): \(IllFormedText(in: bytes))")
    }
    return text
  }

  private func rewrite(
    _ outcomes: [ScriptOutcome], of plans: [ScriptPlan]
  ) throws {
    var rewritten: Set<FileIdentity> = []
    for (outcome, plan) in zip(outcomes, plans) where !outcome.rewrites.isEmpty {
      // A script that ran twice is rewritten once, even if the two paths differ.
      guard let identity = try? FileStatus(of: outcome.path).identity,
        rewritten.insert(identity).inserted
      else { continue }
      let path = PlainText.escaped(outcome.path)
      guard try scriptText(outcome.path) == plan.text else {
        throw ProgramError(.badData, "cannot rewrite \(path): the file changed during the test")
      }
      let text = BlockRewrite.apply(outcome.rewrites, to: plan.text)
      do throws(ScriptErrors) {
        _ = try ScriptPlan(
          reading: text, path: outcome.path, verbs: ScriptVerb.table(.scenectl),
          environment: environment)
      } catch {
        throw ProgramError(
          .badData,
          "cannot rewrite \(path): a script cannot express the actual trace "
            + "(\(PlainText.escaped("\(error.errors[0])")))")
      }
      try write(text, to: outcome.path)
      console.printError("scenectl: rewrote \(path)")
    }
  }
}
