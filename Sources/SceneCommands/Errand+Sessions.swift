import CommandLine
import SceneControl
import SceneModel
import ScenePlatform

extension Errand {
  /// The words for sessions; without any, the session this runs in.
  func sessionWords(_ argument: String = "SESSION") throws(ProgramError) -> [String] {
    let words = invocation.arguments(argument)
    if !words.isEmpty { return words }
    if let own = environment["SCENE_SESSION"], !own.isEmpty { return [own] }
    throw usageFailure("\(argument) is missing, and $SCENE_SESSION is not set")
  }

  /// The sessions that words stand for, each once. One that is not there fails all.
  func find(_ words: [String]) throws(ProgramError) -> [FoundSession] {
    let resolutions = try ask { broker throws(ControlError) in
      try broker.find(words, until: patience())
    }
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
      case .ambiguous(let reply):
        let list = reply.matches.prefix(5).map { "\n  \($0)" }.joined()
        throw ProgramError(
          .usage,
          "ambiguous session prefix \"\(word)\" (\(reply.count) matches); "
            + "use more characters:" + list)
      }
    }
    return sessions
  }

  /// A user may expect that the word selects the identifier.
  private func warnIfPrefix(_ word: String, _ session: FoundSession) {
    guard let other = session.other else { return }
    console.complain(
      "scenectl: \(PlainText.escaped(word)) is the name of one session and the start of the "
        + "identifier \(other); the name has precedence")
  }

  /// The session that the verb is about.
  func findOne() throws(ProgramError) -> FoundSession {
    try find([try sessionWords()[0]])[0]
  }
}

extension String {
  /// A session's name as the SESSION of a command line.
  var sessionArgument: String { (hasPrefix("-") ? "-- " : "") + shellWord }
}

extension SessionSummary {
  /// What people call it: its name, else the beginning of its identifier. Safe to show.
  var label: String { name.map(PlainText.escaped) ?? session.short }

  /// The SESSION of a command line, quoted for a shell.
  var argument: String { name?.sessionArgument ?? session.short }
}
