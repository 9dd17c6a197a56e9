import SceneCommandLine
import SceneControl
import SceneModel
import ScenePlatform
import SceneScript

extension Verb {
  /// A verb that moves scenes to a state.
  private static func mover(
    _ name: String, to state: ActivationState, _ summary: String, example: String,
    failure: String = "the scene is not connected, or a later request moved it"
  ) -> Verb {
    Verb(
      name, summary, script: .acts, run: { context in { try context.move(to: state) } },
      arguments: [.any("SESSION", "the sessions; default: $SCENE_SESSION", .session)],
      options: [.timeout(), .noWait],
      examples: ["scenectl \(name) packing": example],
      exits: [.failure: failure])
  }

  static let new = Verb(
    "new", "Make a session and connect it to a waiting client.", script: .acts,
    run: CommandContext.new,
    details: "Prints the name of the session, or its identifier if it has no name.",
    arguments: [.optional("NAME", "the name of the session", .name)],
    options: [
      .value("role", "ROLE", "the role of the session", .name, default: "windowApplication"),
      .value("configuration", short: "c", "NAME", "a configuration of the manifest", .name),
      .value("activity", "TYPE=JSON", "an activity for the connection options"),
      .flag("background", "connect the scene and leave it in the background"),
      .timeout(),
    ],
    examples: [
      "scenectl new packing": "Prints packing.",
      "scenectl new --activity 'com.example.note={\"line\": 42}'":
        "The scene is connected with that activity among its options.",
    ],
    exits: [
      .failure: "the name is taken", .tryAgain: "no client can take the session now",
    ])

  static let activate = Verb(
    "activate", "Bring sessions to the foreground.", script: .acts, run: CommandContext.activate,
    details: """
      A program of `scene --keep` without a window opens one, and the verb waits for that window.
      """,
    arguments: [.any("SESSION", "the sessions; default: $SCENE_SESSION", .session)],
    options: [
      .repeated("where", "NAME=VALUE", "activate the sessions with this member in userInfo"),
      .value("activity", "TYPE=JSON", "an activity for the scene to continue"),
      .flag("background", "connect the session and leave its scene in the background"),
      .timeout(), .noWait,
    ],
    examples: [
      "scenectl activate packing": "Returns when the scene is active.",
      "scenectl activate --where project=trip": "Activates all sessions with this member.",
    ],
    exits: [
      .failure: "a kept program opened no window", .tryAgain: "no client can take the session now",
    ])

  static let background = mover(
    "background", to: .background, "Send scenes to the background.",
    example: "Returns when the scene has saved its activity.")

  static let interrupt = mover(
    "interrupt", to: .foregroundInactive, "Make active scenes inactive, as a phone call does.",
    example: "The scene is in the foreground and inactive.")

  static let resume = mover(
    "resume", to: .foregroundActive, "Make connected scenes active after an interruption.",
    example: "The scene is active again.")

  static let close = mover(
    "close", to: .unattached, "Disconnect scenes cleanly; their sessions stay.",
    example: "The scene is disconnected; `scenectl activate` connects it again.",
    failure: "a later request moved the scene")

  static let reclaim = Verb(
    "reclaim", "Disconnect scenes in the background to free memory.", script: .acts,
    run: CommandContext.reclaim,
    details: """
      The manifest can have a reclaim policy: a limit for the number of scenes in the \
      background, or for their age. Without SESSION the verb reclaims the scenes beyond this \
      policy, or all scenes in the background if there is no policy. A scene with an assertion \
      stays: its client has asked the broker not to reclaim it.
      """,
    arguments: [.any("SESSION", "the sessions; default: those beyond the policy", .session)],
    options: [.flag("dry-run", "print the sessions and reclaim none"), .timeout(), .noWait],
    exclusive: [["dry-run", "no-wait"]],
    examples: [
      "scenectl reclaim --dry-run": "Prints a line for each scene that the verb would reclaim."
    ],
    exits: [.failure: "a named scene is in the foreground"])
}

extension CommandContext {
  fileprivate func new() throws -> ExitCode {
    let name = invocation.argument("NAME")
    let request = RequestActivation(
      name: name, role: invocation.has("role") ? invocation.value("role").map(Role.init) : nil,
      configuration: invocation.value("configuration"), userActivity: try activityToContinue(),
      options: invocation.has("background") ? ActivationOptions(background: true) : nil,
      environment: try environmentOfActivation())
    if let name, try broker.find(named: name, until: replyDeadline()) != nil {
      throw ProgramError(
        .failure,
        "a session called \(PlainText.word(name)) already exists\n"
          + "Activate the session with: "
          + suggestions().line("activate \(name.sessionArgument)"))
    }
    let json = try explainingMissingConfiguration {
      try replyWithRetry(
        to: broker.post(request), request, about: name.map(PlainText.escaped) ?? "a new session",
        // `scene` does not make a session whose name begins with a dash.
        as: name.flatMap { $0.hasPrefix("-") ? nil : $0.shellWord } ?? "--new")
    }
    let session = try ControlConnection.read(RequestActivation.Reply.self, from: json).session
    if printsJSON {
      console.print(json)
    } else {
      console.print(name.map(PlainText.escaped) ?? session.description)
    }
    warnOfMissingConfiguration(of: session)
    return .success
  }

  fileprivate func activate() throws -> ExitCode {
    let sessions =
      try selectedSessions() ?? findSessions(sessionArguments()).map(\.details.summary)
    let activity = try activityToContinue()
    let options = invocation.has("background") ? ActivationOptions(background: true) : nil
    let environment = try environmentOfActivation()
    return try perform(on: sessions) { session in
      RequestActivation(
        session: session, userActivity: activity, options: options, environment: environment)
    } checking: { session, _ in
      if invocation.has("background") || invocation.has("no-wait") { return nil }
      return try missingWindow(of: session)
    }
  }

  /// A kept program without a window opens one after its activation. Waits for the window, and
  /// returns an error if none opens.
  private func missingWindow(of session: SessionSummary) throws -> ProgramError? {
    guard session.client?.terminal?.attached == 0 else { return nil }
    // After an upgrade, the session has neither a client nor an end until the program resumes.
    while let summary = try broker.find(session.session, until: replyDeadline())?.details.summary,
      summary.disconnect == nil
    {
      if let client = summary.client {
        if summary.target == .unattached { break }
        guard client.terminal?.attached == 0 else { return nil }
        guard summary.target > .background else {
          return ProgramError(
            .failure,
            "\(session.label): the program runs, but no window opened; for the reason, run: "
              + suggestions().line("why \(session.argument)"))
        }
      }
      if let deadline, SystemClock.monotonic() >= deadline {
        return ProgramError(.timedOut, "\(session.label): the program runs, but has no window yet")
      }
      try broker.pause(nanoseconds: 20_000_000)
    }
    return ProgramError(.failure, "\(session.label): the program ended before a window opened")
  }

  /// The value of `--activity`.
  private func activityToContinue() throws -> Activity? {
    try invocation.value("activity").map { try activity(from: $0, what: "--activity") }
  }

  /// Moves scenes to a state.
  fileprivate func move(to state: ActivationState) throws -> ExitCode {
    let sessions = try findSessions(try sessionArguments()).map(\.details.summary)
    return try perform(on: sessions) { session in
      SceneTransition(session: session, to: state)
    } checking: { session, json in
      let arrived = try ControlConnection.read(SceneTransition.Reply.self, from: json).state
      guard arrived != min(state, session.role.ceiling) else { return nil }
      return ProgramError(
        .failure, "\(session.label): \(try reasonForOtherState(session, arrived))")
    }
  }

  /// The reason why a scene is not in the requested state.
  private func reasonForOtherState(
    _ session: SessionSummary, _ arrived: ActivationState
  ) throws -> String {
    guard arrived == .unattached else {
      return "the scene is \(arrived.rawValue): a later request replaced this one"
    }
    return try lastDisconnect(of: session)?.explanation ?? "the scene is \(arrived.rawValue)"
  }

  fileprivate func reclaim() throws -> ExitCode {
    let words = invocation.arguments("SESSION")
    let sessions = words.isEmpty ? nil : try findSessions(words)
    let isDry = invocation.has("dry-run")
    let request = Reclaim(sessions: sessions?.map(\.identifier), dryRun: isDry)
    guard let json = try replyUnlessAccepted(to: request, about: "reclaim") else {
      return .success
    }
    let taken = try ControlConnection.read(Reclaim.Reply.self, from: json).sessions
    if printsJSON { console.print(json) }
    if isDry, !printsJSON { try printLabels(of: taken, sessions) }
    var code = ExitCode.success
    for summary in (sessions ?? []).map(\.details.summary) {
      guard !taken.contains(summary.session), summary.state != .unattached else { continue }
      console.printError(
        summary.state == .background
          ? "scenectl: \(summary.label) was not reclaimed: the scene is activating, or an assertion "
            + "keeps it"
          : "scenectl: \(summary.label) was not reclaimed: the scene is "
            + "\(summary.state.rawValue); send the scene to the background first")
      code = .failure
    }
    return code
  }
}
