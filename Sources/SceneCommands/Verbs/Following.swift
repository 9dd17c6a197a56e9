import CommandLine
import JSON
import SceneControl
import SceneModel
import ScenePlatform

extension Errand {
  // MARK: - trace

  func trace() throws(ProgramError) -> ExitCode {
    let filter = try traceFilter()
    try observeTrace(after: invocation.integer("after"))
    let kept = try ask { broker throws(ControlError) in try broker.takeNotifications() }
    let hasTold = try tell(kept, filter)
    guard invocation.has("follow") else {
      // A typo must not look like a session to which nothing happened.
      if case .word(let word) = filter, !hasTold { throw noSession(word) }
      return .success
    }
    while true { try tell(try waitForNews(), filter) }
  }

  /// Returns when the broker has told what it keeps; from then on it tells what happens.
  func observeTrace(after number: Int?) throws(ProgramError) {
    try ask { broker throws(ControlError) in
      let observation = broker.post(TraceObserve(after: number.map(Int64.init)))
      // What is kept comes before the answer to what is asked next.
      let end = broker.post(Ping())
      _ = try broker.result(of: observation, until: patience())
      _ = try broker.result(of: end, until: patience())
    }
  }

  /// Writes the printed text, and waits for the next notifications. Throws when standard output has no
  /// reader.
  func waitForNews() throws(ProgramError) -> [ControlNotification] {
    try console.flush()
    let news = try ask { broker throws(ControlError) in
      try broker.nextNotifications(whileRead: .output)
    }
    guard let news else { throw console.lostReader() }
    return news
  }

  /// Prints what passes; says whether anything did.
  @discardableResult
  private func tell(
    _ notifications: [ControlNotification], _ filter: TraceFilter?
  ) throws(ProgramError) -> Bool {
    var hasTold = false
    for notification in notifications {
      let read = try ask { (_) throws(ControlError) in try notification.read() }
      guard case .trace(let entry) = read, filter?.passes(entry) ?? true else { continue }
      if printsJSON { console.print(notification.params) } else { console.print(entry.traceLine) }
      hasTold = true
    }
    return hasTold
  }

  /// A session that is gone is still in the trace, so a word that leads to none is not an error.
  private func traceFilter() throws(ProgramError) -> TraceFilter? {
    guard let word = invocation.argument("SESSION") else { return nil }
    let search = try ask { broker throws(ControlError) in
      try broker.find([word], until: patience())
    }
    if case .found(let session) = search.first { return .session(session.identifier) }
    return .word(word)
  }

  // MARK: - settle

  func settle() throws(ProgramError) -> ExitCode {
    let number = try ask { (broker) throws(ControlError) in broker.post(Settle()) }
    let json = try finish(number, "settle")
    if printsJSON { console.print(json) }
    return .success
  }

  // MARK: - advance

  func advance() throws(ProgramError) -> ExitCode {
    let time = Interval(nanoseconds: invocation.argumentNanoseconds("TIME") ?? 0)
    guard Interval(seconds: time.seconds) != nil else {
      throw usageFailure("TIME: the clock advances by at most 365d in one request")
    }
    let number = try ask { (broker) throws(ControlError) in
      broker.post(AdvanceClock(seconds: time.seconds))
    }
    let json = try finish(number, "advance")
    if printsJSON { console.print(json) }
    return .success
  }

  // MARK: - wait, is

  func wait() throws(ProgramError) -> ExitCode {
    let conditions = try conditions()
    let watch = try firstLook(at: conditions, until: deadlineToLook)
    let (end, isOver) = try ask { broker throws(ControlError) in
      var watch = watch
      let isOver = try watch.wait(until: deadline)
      return (watch, isOver)
    }
    if isOver { return .success }
    let obstacle = obstacle(until: SystemClock.monotonic() + Self.wonder)
    console.complain(
      "scenectl: timed out after \(invocation.value("timeout") ?? "")\n" + end.report
        + (obstacle.map { "\n\($0)" } ?? ""))
    return .timedOut
  }

  func check() throws(ProgramError) -> ExitCode {
    let conditions = try conditions()
    let watch = try firstLook(at: conditions, until: patience())
    if invocation.has("verbose") { console.print(watch.report) }
    return watch.allHold ? .success : .failure
  }

  /// How things are now. What is no session but looks like a state was hardly meant as one, and a
  /// member that nothing can have was mistyped: neither is a no.
  private func firstLook(
    at conditions: [Condition], until deadline: Int64?
  ) throws(ProgramError) -> ConditionWatch {
    let watch = try ask { broker throws(ControlError) in
      try ConditionWatch(conditions, on: broker, until: deadline)
    }
    if let doubt = watch.doubt { throw usageFailure(doubt) }
    for (place, outcome) in watch.outcomes.enumerated() where outcome.isAboutNobody {
      try doubtName(of: conditions[place])
    }
    for (condition, outcome) in zip(conditions, watch.outcomes) {
      for path in outcome.absentPaths {
        guard let complaint = condition.complaint(about: path) else { continue }
        throw usageFailure("condition '\(PlainText.escaped(condition.description))': \(complaint)")
      }
    }
    return watch
  }

  /// What has spaces in it may be the name of a session that is to come, unless its beginning is
  /// that of one that is there.
  private func doubtName(of condition: Condition) throws(ProgramError) {
    guard case .session(let who) = condition.subject, !condition.isNegated,
      let space = who.lastIndex(of: " ")
    else { return }
    let beginning = String(who[..<space])
    let found = try ask { broker throws(ControlError) in
      try broker.find(named: beginning, until: patience())
    }
    guard found != nil else { return }
    let error = ConditionError(.notARequirement(String(who[who.index(after: space)...])))
    throw usageFailure("no session is called \(PlainText.word(who)): \(error)")
  }

  private func conditions() throws(ProgramError) -> [Condition] {
    do throws(ConditionArgumentError) {
      return try ConditionArguments.conditions(invocation.arguments("CONDITION"))
    } catch {
      throw ProgramError(
        .usage, "\(error)\nTry '\(invocation.name) --help'.")
    }
  }
}

/// Which entries of a trace are told.
enum TraceFilter {
  case session(SessionIdentifier)
  /// A session of this name or identifier that is not there now.
  case word(String)

  func passes(_ entry: TraceEntry) -> Bool {
    switch self {
    case .session(let session):
      return entry.session == session
    case .word(let word):
      guard let session = entry.session else { return false }
      return entry.name == word || IdentifierPrefix(word)?.matches(session) == true
    }
  }
}
