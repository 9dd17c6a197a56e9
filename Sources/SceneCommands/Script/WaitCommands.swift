import SceneCommandLine
import SceneControl
import SceneModel
import ScenePlatform
import SceneScript

extension Verb {
  private static var conditions: String {
    """
    A condition is SUBJECT [STATE] [PATH=VALUE]…

    SUBJECT is a session, `application`, or topic:NAME for the newest event of a topic. STATE of a \
    session is unattached, background, foregroundInactive, foregroundActive, or foreground for \
    either of the last two. STATE of the application is background, inactive or active. Without \
    STATE and PATH=VALUE the condition holds if the session or the event exists.

    PATH is a member of the output of `scenectl --json show`, or for the application of \
    `scenectl --json`. Dots separate names and array indices: title, client.pid, \
    disconnect.reason, userInfo.color. `activity` is short for \
    sceneSession.stateRestorationActivity. An event has kind, payload and position. VALUE is \
    compared as JSON and as text; a missing member equals null. PATH!=VALUE negates the comparison.

    `!` before a condition negates it.

    Each argument is a condition. An argument that is a STATE or PATH=VALUE continues the \
    condition before it, so that quotes are rarely needed.
    """
  }

  static let wait = Verb(
    "wait", "Wait until conditions hold at the same time.", script: .waits,
    traits: [.waitsForBroker], run: CommandContext.wait,
    details: conditions + """


      The verb also waits for a session that does not exist yet, and for a broker: `scened & \
      scenectl wait application` returns when the broker answers. For a topic, the verb tests the \
      newest event and each later event. After a timeout the verb prints which conditions held. The \
      timeout includes the time to reach the broker. The verb checks the conditions at least \
      once, which can take one second.
      """,
    arguments: [.repeated("CONDITION", "the conditions", .condition)],
    options: [.timeout("10s")],
    examples: [
      "scenectl wait packing foregroundActive": "Returns when packing is active.",
      "scenectl wait 'packing foregroundActive activity.userInfo.line=42' 'application active'":
        "Returns when both conditions hold.",
      "scenectl wait packing unattached disconnect.reason=reclaimed --timeout 1m":
        "Waits for up to a minute.",
      "scenectl wait '! packing'": "Returns when there is no session packing.",
    ],
    exits: [.success: "all conditions hold", .timedOut: "the timeout elapsed first"])

  static let `is` = Verb(
    "is", "Test whether conditions hold at the same time.", script: .reads,
    run: CommandContext.check,
    details: "The verb prints nothing; the exit status is the answer.\n\n" + conditions,
    arguments: [.repeated("CONDITION", "the conditions", .condition)],
    options: [.flag("verbose", short: "v", "print which conditions hold, and the actual values")],
    examples: [
      "scenectl is packing foregroundActive && echo yes": "Prints yes if packing is active.",
      "scenectl is -v application sessions=3": "Prints the number of sessions if it differs.",
    ],
    exits: [.success: "all conditions hold", .failure: "a condition does not hold"])

  static let settle = Verb(
    "settle", "Wait until no scene moves and no request is queued.", script: .waits,
    run: CommandContext.settle,
    options: [.timeout()],
    examples: ["scenectl settle": "Returns when every callback is answered."])
}

extension CommandContext {
  fileprivate func wait() throws -> ExitCode {
    let conditions = try conditions()
    var watch = try currentOutcomes(at: conditions, until: queryDeadline)
    if try watch.wait(until: deadline) { return .success }
    let diagnosis = waitDiagnosis(until: SystemClock.monotonic() + Self.diagnosisDelay)
    console.printError(
      "scenectl: timed out after \(timeoutText ?? "")\n" + watch.report
        + (diagnosis.map { "\n\($0)" } ?? ""))
    return .timedOut
  }

  fileprivate func check() throws -> ExitCode {
    let conditions = try conditions()
    let watch = try currentOutcomes(at: conditions, until: replyDeadline())
    if invocation.has("verbose") { console.print(watch.report) }
    for (condition, outcome) in zip(conditions, watch.outcomes) {
      guard case .session(let word) = condition.subject, let reply = outcome.ambiguity else {
        continue
      }
      throw ambiguousPrefix(word, reply)
    }
    return watch.allHold ? .success : .failure
  }

  /// The present outcome of each condition. A likely typo in a state or a path is a usage error,
  /// and not a false condition.
  private func currentOutcomes(
    at conditions: [Condition], until deadline: Int64?
  ) throws -> ConditionWatch {
    let watch = try ConditionWatch(conditions, on: broker, until: deadline)
    if let typo = watch.likelyTypo { throw invocation.usageError(typo) }
    for (place, outcome) in watch.outcomes.enumerated() where outcome.subjectMissing {
      try checkForTypo(of: conditions[place])
    }
    for (condition, outcome) in zip(conditions, watch.outcomes) {
      for path in outcome.absentPaths {
        guard let problem = condition.problem(with: path) else { continue }
        throw invocation.usageError(
          "condition '\(PlainText.escaped(condition.description))': \(problem)")
      }
    }
    return watch
  }

  /// Throws if the text before the last space of an unknown session name is the name of a session.
  private func checkForTypo(of condition: Condition) throws {
    guard case .session(let who) = condition.subject, !condition.isNegated,
      let space = who.lastIndex(of: " ")
    else { return }
    let beginning = String(who[..<space])
    let found = try broker.find(named: beginning, until: replyDeadline())
    guard found != nil else { return }
    let error = ConditionError.notARequirement(String(who[who.index(after: space)...]))
    throw invocation.usageError("no session is called \(PlainText.word(who)): \(error)")
  }

  private func conditions() throws -> [Condition] {
    try ConditionArguments.conditions(invocation.arguments("CONDITION"))
  }

  fileprivate func settle() throws -> ExitCode { try send(Settle(), as: "settle") }
}
