import CommandLine
import JSON
import SceneControl
import ScenePlatform
package import SceneScript

extension Errand {
  func test() throws(ProgramError) -> ExitCode {
    try checkReport()
    let plans = try plans(invocation.arguments("FILE"))
    var settings = try stageSettings()
    settings.keepsDirectory = invocation.has("keep")
    settings.acceptsTraces = invocation.has("accept")
    let progress = console.beginProgress()
    try beginPlaying(settings.cleanup)
    try checkStage(settings)
    try report(TestReport.head(plans.reduce(0) { $0 + $1.sections.count }), settings.cleanup)
    var outcomes: [ScriptOutcome] = []
    var number = 1
    var failure: ProgramError?
    do throws(SystemError) {
      let jobs = invocation.integer("jobs") ?? Host.processorCount
      let times = invocation.integer("repeat") ?? 1
      let watch = progress.map { line in { (progress: SuiteProgress) in line.show("\(progress)") } }
      defer { progress?.end() }
      try ScriptSuite.run(
        plans, settings, times: times, jobs: jobs, watch: plans.count * times > 1 ? watch : nil
      ) { outcome in
        do throws(ProgramError) {
          try report(TestReport.lines(of: outcome, from: number), settings.cleanup)
        } catch {
          failure = error
          return false
        }
        number += outcome.sections.count
        outcomes.append(outcome)
        return true
      }
    } catch {
      throw ProgramError(error)
    }
    if let failure { throw failure }
    if invocation.has("accept") { try rewrite(outcomes, of: plans) }
    if let path = invocation.value("junit") {
      try write(TestReport.junit(outcomes), to: path)
    }
    return outcomes.allSatisfy(\.passed) ? .success : .failure
  }

  // MARK: - What is played

  /// All that is wrong with all scripts is told at once.
  private func plans(_ words: [String]) throws(ProgramError) -> [ScriptPlan] {
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

  /// How many errors in scripts are printed; a file with more is rarely a script.
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

  /// `FILE:LINE`, unless a file is called so.
  private func place(_ word: String) throws(ProgramError) -> (path: String, line: Int?) {
    guard !File.exists(word), let colon = word.lastIndex(of: ":") else { return (word, nil) }
    let (path, place) = (String(word[..<colon]), String(word[word.index(after: colon)...]))
    if let line = Int(place), line > 0 { return (path, line) }
    guard File.exists(path) else { return (word, nil) }
    throw usageFailure(
      "\(PlainText.word(place)) is not a line number of \(PlainText.word(path)); FILE:LINE runs "
        + "the script up to LINE, and the first line is 1")
  }

  private static let longestScript = 16 << 20

  private func scriptText(_ path: String) throws(ProgramError) -> String {
    do {
      let bytes = try File.read(path, limit: Self.longestScript)
      return try String(wellFormed: bytes)
    } catch let error as IllFormedText {
      throw ProgramError(.badData, "\(PlainText.escaped(path)): \(error)")
    } catch let error as SystemError {
      throw ProgramError(error)
    } catch {
      preconditionFailure("nothing else is thrown here")
    }
  }

  func stageSettings() throws(ProgramError) -> ScriptEnvironment.Settings {
    do throws(SystemError) {
      let own = try Executable.current()
      return ScriptEnvironment.Settings(
        programs: Directory.parent(of: own) ?? ".", environment: environment,
        controlVerbs: .scenectl)
    } catch {
      throw ProgramError(error)
    }
  }

  // MARK: - What is written

  private func rewrite(
    _ outcomes: [ScriptOutcome], of plans: [ScriptPlan]
  ) throws(ProgramError) {
    var rewritten: Set<FileIdentity> = []
    for (outcome, plan) in zip(outcomes, plans) where !outcome.rewrites.isEmpty {
      // One that was played twice is where it was the first time, whatever it was called then.
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
      console.complain("scenectl: rewrote \(path)")
    }
  }
}

extension ControlVerbs {
  /// The verbs of `scenectl`, without a process for each.
  package static let scenectl = scenectl(readsInput: true)

  /// The verbs of `scenectl`. Without `readsInput`, standard input is empty.
  package static func scenectl(readsInput: Bool) -> ControlVerbs {
    ControlVerbs(verbs: scenectlVerbs, usageProblem: usageProblem(in:)) { words, environment in
      let deadline = environment.deadline
      let printed = Printed()
      let console = Console(readsInput: readsInput) { (stream, bytes) throws(SystemError) in
        printed.add(bytes, to: stream)
      }
      let code = Scenectl.run(words, environment: environment.variables, console: console) {
        (path, client, patience) throws(ControlError) in
        let connection = try Scenectl.openSocket(path, client, until: min(patience, deadline))
        connection.horizon = deadline
        if environment.supportsNoWait(words) {
          connection.isFutile = { environment.waitCannotFinish() }
        }
        return connection
      }
      return ControlVerbs.Outcome(
        code: code.rawValue, output: printed.output, errors: printed.errors,
        reason: code == .success ? nil : console.lastFailure?.reason ?? code.reason)
    }
  }

  @Sendable
  private static func usageProblem(in words: [String]) -> UsageProblem? {
    do throws(UsageError) {
      _ = try Scenectl.parse(words)
      return nil
    } catch {
      return UsageProblem(error.message, at: error.index(in: words))
    }
  }
}

/// Those that a script may use.
private let scenectlVerbs: [ControlVerbs.Verb] = Verb.allCases.compactMap { verb in
  verb.roleInScripts.map { ControlVerbs.Verb(verb.rawValue, $0) }
}

extension Verb {
  /// What it does to a script; nil for verbs that need no broker or never end.
  fileprivate var roleInScripts: ScriptVerb.Role? {
    switch self {
    case .status, .sessions, .show, .switcher, .history, .why, .route, .topics, .is: .reads
    case .new, .activate, .background, .interrupt, .resume, .reclaim, .close, .discard, .open,
      .continue, .notify, .shortcut, .refresh, .post, .save, .restore, .rename, .title, .data,
      .memoryWarning, .timeChange, .shutdown, .advance, .fault, .call:
      .acts
    case .wait, .settle: .waits
    // `trace` and `kill` mean something else there, and `observe` and `delegate` never end.
    case .kill, .trace, .observe, .delegate, .timeline, .record, .test, .conform, .manifest,
      .journal, .completion, .manual:
      nil
    }
  }
}

/// What a verb printed in this process.
private final class Printed {
  private(set) var output = ""
  private(set) var errors = ""

  func add(_ bytes: ContiguousArray<UInt8>, to stream: StandardStream) {
    let text = String(decoding: bytes, as: UTF8.self)
    if stream == .output { output += text } else { errors += text }
  }
}
