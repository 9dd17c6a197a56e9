import SceneCommandLine
import SceneControl
import SceneJSON
import SceneModel
import ScenePlatform
import SceneScript

extension Verb {
  static let trace = Verb(
    "trace", "Print callbacks, answers, saves and their reasons.", run: CommandContext.trace,
    details: """
      Each line shows the seconds since the broker started. The broker keeps the last 10,000 \
      entries. If the broker ends, --follow waits for the next one and goes on: after an upgrade \
      with the next entry, else with the first entry of the new broker.
      """,
    arguments: [.optional("SESSION", "only the entries of this session", .session)],
    options: [
      .flag("follow", short: "f", "print new entries until Ctrl-C"),
      .value("after", "N", "only entries after number N", .integer(0...Int.max)),
    ],
    examples: [
      "scenectl trace packing": "Prints every callback of packing and its answer.",
      "scenectl trace --follow --json": "Prints an object for each entry as it happens.",
    ])
}

extension CommandContext {
  fileprivate func trace() throws -> ExitCode {
    let filter = try traceFilter()
    try observeTrace(after: invocation.integer("after"))
    let kept = try broker.takeNotifications()
    let hasPrinted = try printEntries(kept, filter)
    guard invocation.has("follow") else {
      // An unknown session is an error; a session without entries is not.
      if case .word(let word) = filter, !hasPrinted { throw noSession(word) }
      return .success
    }
    isFollowing = true
    while true { try printEntries(try nextNotifications(), filter) }
  }

  /// Observes the trace. Returns after all stored entries have arrived.
  func observeTrace(after number: Int?) throws {
    let observation = try broker.post(TraceObserve(after: number.map(Int64.init)))
    // Stored entries precede the reply to the next request.
    let end = try broker.post(Ping())
    for request in [observation, end] {
      _ = try broker.result(of: request, until: replyDeadline())
    }
  }

  /// Writes the printed text, and waits for the next notifications. Throws when standard output has
  /// no reader.
  func nextNotifications() throws -> [ControlNotification] {
    try console.flush()
    let news = try broker.nextNotifications(whileRead: .output)
    guard let news else { throw console.lostReader() }
    return news
  }

  /// Prints the entries that pass the filter. Returns whether any did.
  @discardableResult
  private func printEntries(
    _ notifications: [ControlNotification], _ filter: TraceFilter?
  ) throws -> Bool {
    let shown = notifications.compactMap { notification -> (entry: TraceEntry, json: RawJSON)? in
      guard case .trace(let entry) = notification.content else { return nil }
      return (entry, notification.params)
    }
    var entries = shown.map(\.entry)
    entries.namePrograms()
    var hasPrinted = false
    for (entry, json) in zip(entries, shown.map(\.json)) where filter?.passes(entry) ?? true {
      if printsJSON { console.print(json) } else { console.print(entry.traceLine) }
      hasPrinted = true
    }
    return hasPrinted
  }

  /// The filter for SESSION. The trace has entries of discarded sessions, so an unknown word is not
  /// an error.
  private func traceFilter() throws -> TraceFilter? {
    guard let word = invocation.argument("SESSION") else { return nil }
    let search = try broker.find([word], until: replyDeadline())
    switch search.first {
    case .found(let session)?: return .session(session.identifier)
    case .ambiguous(let reply)?: throw ambiguousPrefix(word, reply)
    case .nothing?, nil: return .word(word)
    }
  }
}

/// The entries of a trace to print.
enum TraceFilter {
  case session(SessionIdentifier)
  /// A session that does not exist now, by name or prefix.
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
