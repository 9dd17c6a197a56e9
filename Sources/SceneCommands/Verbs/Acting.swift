import CommandLine
import JSON
import SceneControl
import SceneModel
import ScenePlatform
import SceneWire

/// What to ask for a session: gathers the request, and gives its number.
typealias Asking = (ControlConnection, FoundSession) -> Int64
/// What is wrong with how a request was answered, if anything.
typealias Judging = (FoundSession, RawJSON) throws(ProgramError) -> ProgramError?

extension Errand {
  /// Asks the same for every session at once, and returns when all is done.
  ///
  /// What cannot be done for one is said, and the others are done all the same.
  func act(
    on sessions: [FoundSession], _ asking: Asking, judging: Judging = { _, _ in nil }
  ) throws(ProgramError) -> ExitCode {
    let requests = try ask { (broker) throws(ControlError) in
      sessions.map { asking(broker, $0) }
    }
    let unanswered = try invocation.has("no-wait") ? unansweredAfterAccepting(requests) : []
    var code = ExitCode.success
    for (session, request) in zip(sessions, requests) where !unanswered.contains(request) {
      do throws(ProgramError) {
        let summary = session.details.summary
        let json = try answer(to: request, about: summary.label, as: summary.sceneWords) { broker in
          asking(broker, session)
        }
        if let failure = try judging(session, json) { throw failure }
        if printsJSON { console.print(json) }
      } catch {
        console.complain(explained(error, session), asJSON: printsJSON)
        if code == .success { code = error.code }
      }
    }
    return code
  }

  /// Requests are taken in order, so when a later one is answered the others have been accepted or
  /// refused.
  func unansweredAfterAccepting(_ requests: [Int64]) throws(ProgramError) -> [Int64] {
    try ask { broker throws(ControlError) in
      _ = try broker.request(Ping(), until: patience())
      return requests.filter { !broker.isAnswered($0) }
    }
  }

  /// The answer to a request that can be asked again; where that can help at once, it is done a few
  /// times.
  func answer(
    to request: Int64, about label: String, as session: String = "NAME",
    again: (ControlConnection) -> Int64
  ) throws(ProgramError) -> RawJSON {
    var request = request
    var pause: Int64 = 10_000_000
    while true {
      switch try end(of: request, label) {
      case .success(let json):
        return json
      case .failure(let refusal):
        guard refusal.retry == .now, pause < Self.longestPause else {
          let advised = refusal.session.flatMap(sceneWords(for:)) ?? session
          throw ProgramError(refusal, about: label, advice: advice(for: advised))
        }
        request = try ask { broker throws(ControlError) in
          try broker.pause(nanoseconds: pause)
          return again(broker)
        }
        pause *= 2
      }
    }
  }

  /// How `scene` is told that it is to be a session's; nil if that cannot be found out.
  private func sceneWords(for session: String) -> String? {
    (try? find([session]))?.first?.details.summary.sceneWords
  }

  /// The result of a request about a session that can be sent again.
  func result(
    of request: some RequestMessage, about session: FoundSession
  ) throws(ProgramError) -> RawJSON {
    let number = try ask { (broker) throws(ControlError) in broker.post(request) }
    return try answer(to: number, about: session.details.summary.label) { $0.post(request) }
  }

  /// The answer to a request that is made once; what is refused may be a list.
  func finish(
    _ request: Int64, _ label: String, listing: Bool = false
  ) throws(ProgramError) -> RawJSON {
    switch try end(of: request, label) {
    case .success(let json): return json
    case .failure(let refusal): throw ProgramError(refusal, listing: listing, advice: advice())
    }
  }

  private func end(of request: Int64, _ label: String) throws(ProgramError) -> Result<
    RawJSON, RemoteError
  > {
    // A broker that does not even greet is not busy with this.
    _ = try ask { broker throws(ControlError) in try broker.broker(until: patience()) }
    if let outcome = try outcome(of: request, until: timeToWonder) { return outcome }
    var obstacle = obstacle(until: patience())
    if let obstacle, isLongWait { console.complain("scenectl: \(label): \(obstacle)") }
    if let outcome = try outcome(of: request, until: deadline) { return outcome }
    // It may have gone, and something else be the matter.
    if obstacle != nil { obstacle = self.obstacle(until: SystemClock.monotonic() + Self.wonder) }
    let timeout = invocation.value("timeout") ?? ""
    let rest = obstacle ?? "the broker continues the request; see: \(advice().line("trace"))"
    throw ProgramError(.timedOut, "\(label): timed out after \(timeout): \(rest)")
  }

  /// Nil where it has not come in time.
  private func outcome(
    of request: Int64, until deadline: Int64?
  ) throws(ProgramError) -> Result<RawJSON, RemoteError>? {
    try ask { broker throws(ControlError) -> Result<RawJSON, RemoteError>? in
      do throws(ControlError) {
        return .success(try broker.result(of: request, until: deadline))
      } catch .refused(let refusal) {
        return .failure(refusal)
      } catch .timedOut {
        return nil
      }
    }
  }

  /// All pauses together are about as long.
  private static var longestPause: Int64 { 1_000_000_000 }

  // MARK: - Moving

  /// `background`, `interrupt`, `resume` and `close`.
  func move(to state: ActivationState) throws(ProgramError) -> ExitCode {
    let sessions = try find(try sessionWords())
    return try act(on: sessions) { broker, session in
      broker.post(SceneTransition(session: session.identifier, to: state))
    } judging: { (session, json) throws(ProgramError) in
      let summary = session.details.summary
      let arrived = try read(SceneTransition.Reply.self, json).state
      guard arrived != min(state, summary.role.ceiling) else { return nil }
      return ProgramError(.failure, "\(summary.label): \(try whatCameBetween(session, arrived))")
    }
  }

  /// What the broker refused although there was a scene may have been refused because that was cut
  /// off meanwhile.
  ///
  /// A process that is stopped answers nothing; that is seen from here.
  private func explained(_ failure: ProgramError, _ session: FoundSession) -> ProgramError {
    guard let client = session.details.summary.client else { return failure }
    var failure = failure
    if failure.reply != nil, let end = try? disconnect(of: session), end.reason == .watchdog {
      failure.message =
        "\(session.details.summary.label): \(end.explanation)\n\(failure.message)"
    }
    if let pid = Int32(exactly: client.pid), pid > 1, ProcessActivity(of: pid)?.state == .stopped {
      failure.message +=
        "\n\(PlainText.escaped(client.name)) \(pid) is stopped, as by Ctrl-Z; "
        + "continue the process with: kill -CONT \(pid)"
    }
    return failure
  }

  /// How the session's last scene ended, if it has none now.
  private func disconnect(of session: FoundSession) throws(ProgramError) -> SessionEnd? {
    try ask { broker throws(ControlError) in
      try broker.find(session.identifier, until: patience())
    }?.details.summary.disconnect
  }

  /// Why a scene is not where it was sent.
  private func whatCameBetween(
    _ session: FoundSession, _ arrived: ActivationState
  ) throws(ProgramError) -> String {
    guard arrived == .unattached else {
      return "the scene is \(arrived.rawValue): a later request replaced this one"
    }
    return try disconnect(of: session)?.explanation ?? "the scene is \(arrived.rawValue)"
  }

  func activate() throws(ProgramError) -> ExitCode {
    let sessions = try find(try sessionWords())
    let activity = try activityToContinue()
    let options = invocation.has("background") ? ActivationOptions(background: true) : nil
    return try act(on: sessions) { broker, session in
      broker.post(
        RequestActivation(
          session: session.identifier, userActivity: activity, options: options))
    }
  }

  func new() throws(ProgramError) -> ExitCode {
    let name = invocation.argument("NAME")
    let request = RequestActivation(
      name: name, role: invocation.has("role") ? invocation.value("role").map(Role.init) : nil,
      configuration: invocation.value("configuration"), userActivity: try activityToContinue(),
      options: invocation.has("background") ? ActivationOptions(background: true) : nil)
    let number = try ask { broker throws(ControlError) -> Int64? in
      if let name, try broker.find(named: name, until: patience()) != nil { return nil }
      return broker.post(request)
    }
    guard let number else {
      let name = name ?? ""
      throw ProgramError(
        .failure,
        "a session called \(PlainText.word(name)) already exists\n"
          + "Activate the session with: "
          + advice().line("activate \(name.sessionArgument)"))
    }
    let json = try noticingMissingConfiguration { () throws(ProgramError) in
      try answer(
        to: number, about: name.map(PlainText.escaped) ?? "a new session",
        // What begins with a dash is never a name to `scene` that is to make a session.
        as: name.flatMap { $0.hasPrefix("-") ? nil : $0.shellWord } ?? "--new"
      ) { $0.post(request) }
    }
    let session = try read(RequestActivation.Reply.self, json).session
    if printsJSON {
      console.print(json)
    } else {
      console.print(name.map(PlainText.escaped) ?? session.description)
    }
    warnOfMissingConfiguration(of: session)
    return .success
  }

  /// What `--activity` says.
  private func activityToContinue() throws(ProgramError) -> Activity? {
    try invocation.value("activity").map { text throws(ProgramError) in
      try givenActivity(text, what: "--activity")
    }
  }

  // MARK: - Ending

  func reclaim() throws(ProgramError) -> ExitCode {
    let words = invocation.arguments("SESSION")
    let sessions = words.isEmpty ? nil : try find(words)
    let isDry = invocation.has("dry-run")
    let request = Reclaim(sessions: sessions?.map(\.identifier), dryRun: isDry)
    let number = try ask { (broker) throws(ControlError) in broker.post(request) }
    if invocation.has("no-wait"), try !unansweredAfterAccepting([number]).isEmpty {
      return .success
    }
    let json = try answer(to: number, about: "reclaim") { $0.post(request) }
    let taken = try read(Reclaim.Reply.self, json).sessions
    if printsJSON { console.print(json) }
    if isDry, !printsJSON { try printLabels(of: taken, sessions) }
    var code = ExitCode.success
    for summary in (sessions ?? []).map(\.details.summary) {
      guard !taken.contains(summary.session), summary.state != .unattached else { continue }
      console.complain(
        summary.state == .background
          ? "scenectl: \(summary.label) was not reclaimed: the scene is activating, or an assertion "
            + "keeps it"
          : "scenectl: \(summary.label) was not reclaimed: the scene is "
            + "\(summary.state.rawValue); send the scene to the background first")
      code = .failure
    }
    return code
  }

  func printLabels(
    of identifiers: [SessionIdentifier], _ known: [FoundSession]?
  ) throws(ProgramError) {
    let summaries: [SessionSummary]
    if let known {
      summaries = known.map(\.details.summary)
    } else {
      summaries = try ask { broker throws(ControlError) in
        try broker.sessions(until: patience())
      }
    }
    for identifier in identifiers {
      let summary = summaries.first { $0.session == identifier }
      console.print(summary?.label ?? identifier.description)
    }
  }

  func discard() throws(ProgramError) -> ExitCode {
    let words = try discardedWords()
    if invocation.has("offline") { return try discardOffline(words) }
    guard invocation.value("state") == nil else {
      throw usageFailure("--state requires --offline")
    }
    guard let words else { return try discardAll() }
    let sessions = try find(words).map(\.details.summary)
    return try discard(sessions, as: sessions.map(\.label).joined(separator: ", "))
  }

  /// The words for the sessions to discard; nil for all sessions.
  private func discardedWords() throws(ProgramError) -> [String]? {
    let words = invocation.arguments("SESSION")
    switch (words.isEmpty, invocation.has("all")) {
    case (false, false): return words
    case (true, true): return nil
    case (false, true): throw usageFailure("give either SESSION or --all")
    case (true, false):
      throw usageFailure(
        "SESSION is missing: discard does not use $SCENE_SESSION; name the sessions, or use --all")
    }
  }

  private func discardAll() throws(ProgramError) -> ExitCode {
    let all = try ask { broker throws(ControlError) in try broker.sessions(until: patience()) }
    var rest = all[...]
    while !rest.isEmpty {
      let code = try discard(rest.prefix(Self.discardedAtOnce), as: "all sessions")
      guard code == .success else { return code }
      rest = rest.dropFirst(Self.discardedAtOnce)
    }
    return .success
  }

  /// So many identifiers fit every frame.
  private static var discardedAtOnce: Int { 200 }

  private func discard(
    _ sessions: some Collection<SessionSummary>, as label: String
  ) throws(ProgramError) -> ExitCode {
    let request = RequestDestruction(sessions: sessions.map(\.session))
    let number = try ask { (broker) throws(ControlError) in broker.post(request) }
    if invocation.has("no-wait"), try !unansweredAfterAccepting([number]).isEmpty {
      return .success
    }
    let json = try answer(to: number, about: label) { $0.post(request) }
    if printsJSON { console.print(json) }
    return .success
  }
}
