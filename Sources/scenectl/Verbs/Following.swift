import CommandLine
import JSON
import SceneControl
import SceneModel

extension Errand {
  // MARK: - trace

  func trace() throws(Failure) -> ExitCode {
    let filter = try traceFilter()
    try observeTrace(after: invocation.integer("after"))
    try tell(filter) { broker throws(ControlError) in try broker.takeNotifications() }
    while invocation.has("follow") {
      try console.flush()
      try tell(filter) { broker throws(ControlError) in
        let first = try broker.nextNotification()
        return (first.map { [$0] } ?? []) + (try broker.takeNotifications())
      }
    }
    return .yes
  }

  /// Returns when the broker has told what it keeps; from then on it tells what happens.
  func observeTrace(after number: Int?) throws(Failure) {
    try ask { broker throws(ControlError) in
      let observation = broker.post(TraceObserve(after: number.map(Int64.init)))
      // What is kept comes before the answer to what is asked next.
      let end = broker.post(Ping())
      _ = try broker.result(of: observation, until: patience())
      _ = try broker.result(of: end, until: patience())
    }
  }

  private func tell(
    _ filter: TraceFilter?,
    _ next: (ControlConnection) throws(ControlError) -> [ControlNotification]
  ) throws(Failure) {
    for notification in try ask(next) {
      let read = try ask { (_) throws(ControlError) in try notification.read() }
      guard case .trace(let entry) = read, filter?.passes(entry) ?? true else { continue }
      if printsJSON { console.print(notification.params) } else { console.print(entry.traceLine) }
    }
  }

  /// A session that is gone is still in the trace, so a word that leads to none is not an error.
  private func traceFilter() throws(Failure) -> TraceFilter? {
    guard let word = invocation.argument("SESSION") else { return nil }
    let search = try ask { broker throws(ControlError) in
      try broker.find([word], until: patience())
    }
    if case .found(let session) = search.first { return .session(session.identifier) }
    return .word(word)
  }

  // MARK: - settle

  func settle() throws(Failure) -> ExitCode {
    let json = try ask { broker throws(ControlError) in
      try broker.result(of: broker.post(Settle()))
    }
    if printsJSON { console.print(json) }
    return .yes
  }

  // MARK: - advance

  func advance() throws(Failure) -> ExitCode {
    let time = Interval(nanoseconds: invocation.argumentNanoseconds("TIME") ?? 0)
    let json = try ask { broker throws(ControlError) in
      try broker.result(of: broker.post(AdvanceClock(seconds: time.seconds)))
    }
    if printsJSON { console.print(json) }
    return .yes
  }

  // MARK: - wait, is

  func wait() throws(Failure) -> ExitCode {
    let conditions = try conditions()
    let deadline = deadline()
    let (watch, isOver) = try ask { broker throws(ControlError) in
      var watch = try ConditionWatch(conditions, on: broker, until: patience())
      let isOver = try watch.wait(until: deadline)
      return (watch, isOver)
    }
    if isOver { return .yes }
    console.complain(
      "scenectl: timed out after \(invocation.value("timeout") ?? "")\n" + report(watch))
    return .timedOut
  }

  func check() throws(Failure) -> ExitCode {
    let conditions = try conditions()
    let watch = try ask { broker throws(ControlError) in
      try ConditionWatch(conditions, on: broker, until: patience())
    }
    if invocation.has("verbose") { console.print(report(watch)) }
    return watch.allHold ? .yes : .no
  }

  private func conditions() throws(Failure) -> [Condition] {
    do throws(ConditionArgumentError) {
      return try ConditionArguments.conditions(invocation.arguments("CONDITION"))
    } catch {
      throw Failure(
        .usage, "\(error)\nTry '\(invocation.name) --help'.")
    }
  }

  /// A line for each condition: whether it holds, and how things are.
  private func report(_ watch: ConditionWatch) -> String {
    zip(watch.conditions, watch.outcomes).map { condition, outcome in
      let observations = outcome.holds ? [] : outcome.observations
      let line = (outcome.holds ? "  yes  " : "  no   ") + condition.description
      return PlainText.escaped(
        observations.isEmpty ? line : line + ": " + observations.joined(separator: ", "))
    }
    .joined(separator: "\n")
  }
}

/// Which entries of a trace are told.
private enum TraceFilter {
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
