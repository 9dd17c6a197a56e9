import SceneCommandLine
import SceneControl
import SceneModel
import ScenePlatform
import SceneWire

extension Verb {
  static let upgrade = Verb(
    "upgrade", "Replace the broker's program by the installed one.", run: CommandContext.upgrade,
    details: """
      The program that is now at the path of the broker's program first checks that it can take \
      over. Then it replaces the broker in the same process. Scenes resume without a callback, \
      and programs that the broker launched go on. If the new program fails, the broker goes on. \
      The package of a new version runs this verb for each broker.
      """,
    options: [
      .flag("dry-run", "only check that the new program can take over"), .timeout("20s"),
    ],
    examples: [
      "scenectl upgrade": "Use the new version without an interruption.",
      "scenectl upgrade --dry-run": "Check that the new program can take over.",
    ],
    exits: [.failure: "the new program cannot take over; the broker goes on"])
}

/// The outcome for scripts.
private struct UpgradeReport: JSONStructure {
  var from = ""
  var to = ""
  var milliseconds: Int64 = 0
  /// The scenes that have resumed.
  var scenes = 0

  mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("from", &from)
    try visitor.required("to", &to)
    try visitor.required("milliseconds", &milliseconds)
    try visitor.required("scenes", &scenes)
  }
}

extension CommandContext {
  /// Nanoseconds for the scenes to resume. A client that is stopped resumes later.
  private static let resumeTime: Int64 = 2_000_000_000
  private static let pollInterval: Int64 = 5_000_000

  fileprivate func upgrade() throws -> ExitCode {
    try boundedTimeout()
    let dryRun = invocation.has("dry-run")
    let before = try request(ApplicationStatus())
    let start = SystemClock.monotonic()
    let connection = try broker
    let old: BrokerUpgrade.Reply
    do throws(ControlError) {
      old = try connection.request(BrokerUpgrade(dryRun: dryRun), until: deadline)
    } catch {
      if case .timedOut = error { throw try lateCheck() }
      throw error
    }
    guard !dryRun else {
      if printsJSON {
        console.print(old)
        return .success
      }
      console.print("scened \(old.version): the new program can take over")
      return .success
    }
    guard try broker.waitForEnd(until: deadline) else {
      throw ProgramError(
        .timedOut, "timed out after \(timeoutText ?? ""): the broker has not been replaced")
    }
    closeConnection()
    let end = min(SystemClock.monotonic() + Self.resumeTime, deadline ?? .max)
    var status = try request(ApplicationStatus())
    // A scene can have ended during the check.
    let scenes = status.previous?.scenes.map(Int.init) ?? before.scenes
    var time = SystemClock.monotonic()
    while status.scenes < scenes, time < end {
      try broker.pause(nanoseconds: Self.pollInterval)
      status = try request(ApplicationStatus())
      time = SystemClock.monotonic()
    }
    guard let previous = status.previous, previous.instance == old.instance else {
      throw ProgramError(
        .failure, "the broker ended, and another one was started; its log names the reason")
    }
    if let problem = previous.problem {
      throw ProgramError(
        .failure, "\(PlainText.escaped(problem)); scened \(status.version) goes on")
    }
    report(
      UpgradeReport(
        from: old.version, to: status.version, milliseconds: (time - start) / 1_000_000,
        scenes: status.scenes), of: scenes)
    return .success
  }

  /// The check can take longer than the timeout. Throws if the broker does not answer either.
  private func lateCheck() throws -> ProgramError {
    _ = try broker.request(
      ApplicationStatus(), until: SystemClock.monotonic() + Self.resumeTime)
    let trace = suggestions().line("trace")
    return ProgramError(
      .timedOut,
      "timed out after \(timeoutText ?? ""): the new program still checks the state, and the "
        + "broker serves meanwhile; allow more time with --timeout"
        + (invocation.has("dry-run") ? "" : "; after an upgrade, \(trace) shows it"))
  }

  private func report(_ report: UpgradeReport, of scenes: Int) {
    if printsJSON { return console.print(report) }
    let missing = report.scenes < scenes ? " of \(scenes)" : ""
    console.print(
      "scened \(report.from) to \(report.to) in \(report.milliseconds) ms; "
        + "\(report.scenes)\(missing) \(scenes == 1 ? "scene" : "scenes") resumed")
  }
}
