import SceneCommandLine
import SceneControl
import SceneJSON
import SceneModel
import ScenePlatform

extension CommandContext {
  /// The session arguments, or `$SCENE_SESSION` without an argument.
  func sessionArguments(_ argument: String = "SESSION") throws -> [String] {
    let words = invocation.arguments(argument)
    if !words.isEmpty { return words }
    if let own = environment["SCENE_SESSION"], !own.isEmpty { return [own] }
    throw invocation.usageError("\(argument) is missing, and $SCENE_SESSION is not set")
  }

  /// The sessions with these names, identifiers or prefixes, without duplicates. Throws if any does
  /// not exist.
  func findSessions(_ words: [String]) throws -> [FoundSession] {
    let resolutions = try broker.find(words, until: replyDeadline())
    var sessions: [FoundSession] = []
    for (word, resolution) in zip(words, resolutions) {
      switch resolution {
      case .found(let session):
        if session.details.summary.name == word { warnIfPrefix(word, session) }
        if !sessions.contains(where: { $0.identifier == session.identifier }) {
          sessions.append(session)
        }
      case .nothing:
        throw noSession(word)
      case .ambiguous(let reply): throw ambiguousPrefix(word, reply)
      }
    }
    return sessions
  }

  /// The members of `--where`; nil without the option.
  func selectedMembers() throws -> OpaqueObject? {
    let members = invocation.values("where")
    guard !members.isEmpty else { return nil }
    guard invocation.arguments("SESSION").isEmpty else {
      throw invocation.usageError("give either SESSION or --where")
    }
    return try object(of: members)
  }

  /// The present sessions with the members of `--where`; nil without the option.
  func selectedSessions() throws -> [SessionSummary]? {
    guard let members = try selectedMembers() else { return nil }
    var sessions: [SessionSummary] = []
    try broker.forEachPage(of: SessionList(matching: members), until: replyDeadline()) { page, _ in
      sessions += page.sessions
    }
    guard !sessions.isEmpty else {
      throw ProgramError(
        .noSession,
        "no session has \(PlainText.escaped(members.json.description)) in its userInfo\n"
          + "List the sessions with: " + suggestions().line("sessions"))
    }
    return sessions
  }

  func ambiguousPrefix(_ word: String, _ reply: SessionResolve.Reply) -> ProgramError {
    let list = reply.matches.prefix(5).map { "\n  \($0)" }.joined()
    return ProgramError(
      .usage,
      "ambiguous session prefix \"\(word)\" (\(reply.count) matches); use more characters:" + list)
  }

  /// A user may expect that the word selects the identifier.
  private func warnIfPrefix(_ word: String, _ session: FoundSession) {
    guard let other = session.other else { return }
    console.printError(
      "scenectl: \(PlainText.escaped(word)) is the name of one session and the start of the "
        + "identifier \(other); the name has precedence")
  }

  /// The session of a verb that takes a single session.
  func findSession() throws -> FoundSession {
    try findSessions([try sessionArguments()[0]])[0]
  }

  /// Prints the label of each session. `known` saves a query.
  func printLabels(
    of identifiers: [SessionIdentifier], _ known: [FoundSession]?
  ) throws {
    let summaries: [SessionSummary]
    if let known {
      summaries = known.map(\.details.summary)
    } else {
      summaries = try broker.sessions(until: replyDeadline())
    }
    for identifier in identifiers {
      let summary = summaries.first { $0.session == identifier }
      console.print(summary?.label ?? identifier.description)
    }
  }
}

extension String {
  /// A session's name as the SESSION of a command line.
  var sessionArgument: String { (hasPrefix("-") ? "-- " : "") + shellWord }
}

extension SessionSummary {
  /// The escaped name, or else the first digits of the identifier.
  var label: String { name.map(PlainText.escaped) ?? session.short }

  /// The SESSION of a command line, quoted for a shell.
  var argument: String { name?.sessionArgument ?? session.short }
}
