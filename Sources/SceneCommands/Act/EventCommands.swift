import SceneCommandLine
import SceneControl
import SceneModel
import SceneScript

extension Verb {
  static let post = Verb(
    "post", "Post an event to the observers of a topic.", script: .acts, run: CommandContext.post,
    details: """
      The broker writes an event of a durable topic to the disk first. The broker keeps the \
      events of other topics in memory. The manifest declares durable topics.

      With --json the verb prints the position of the event. `scenectl observe --after` \
      continues after that position.
      """,
    arguments: [
      .required("TOPIC", "the topic"), .optional("KIND", "the kind of the event"),
      .optional(
        "JSON", "the payload, an object; `@FILE` reads a file, `-` standard input (default: {})"),
    ],
    options: [.timeout()],
    examples: [
      "scenectl post NewMessage added '{\"text\": \"hello\"}'":
        "Returns when the broker has stored the event."
    ],
    exits: [.badData: "the payload is not a JSON object"])

  static let refresh = Verb(
    "refresh", "Tell scenes to load changed content, also in the background.", script: .acts,
    run: CommandContext.refresh,
    details: """
      Refreshes the named sessions, or with --where all sessions with these members in \
      userInfo. With --where the verb prints the names of the refreshed sessions. The verb skips \
      a session without a scene, unless --open connects the session to a client. The scene then \
      stays in the background.
      """,
    arguments: [.any("SESSION", "the sessions; default: $SCENE_SESSION", .session)],
    options: [
      .repeated("where", "NAME=VALUE", "refresh the sessions with this member in userInfo"),
      .flag("open", "connect sessions that have no scene"), .timeout(), .noWait,
    ],
    examples: [
      "scenectl refresh packing": "Returns when the scene has acknowledged the refresh.",
      "scenectl refresh --where list=inbox --open": "Prints a line for each refreshed session.",
    ],
    exits: [
      .failure: "a named session has no scene", .tryAgain: "no client can take the session now",
    ])
}

extension CommandContext {
  fileprivate func post() throws -> ExitCode {
    // A second request could post the event twice.
    try send(event(), as: "post")
  }

  /// The first of two words is the kind. A single word is JSON if it is `-` or `@FILE`, or begins
  /// with a brace.
  private func event() throws -> EventPost {
    var message = EventPost(topic: try topic(invocation.argument("TOPIC") ?? ""))
    var words = ["KIND", "JSON"].compactMap { invocation.argument($0) }
    if let first = words.first,
      words.count == 2 || !(Self.isElsewhere(first) || first.hasPrefix("{"))
    {
      message.kind = words.removeFirst()
    }
    if let text = words.first {
      message.payload = OpaqueObject(unchecked: try object(text, what: "JSON"))
    }
    return message
  }

  /// A valid name of a topic.
  func topic(_ name: String) throws -> String {
    if let problem = TopicName.problem(with: name) {
      throw invocation.usageError("TOPIC: \(PlainText.word(name)) \(problem)")
    }
    return name
  }

  fileprivate func refresh() throws -> ExitCode {
    var request = RequestRefresh(open: invocation.has("open"))
    request.matching = try selectedMembers()
    let isByMembers = request.matching != nil
    let sessions = isByMembers ? [] : try findSessions(try sessionArguments())
    if !isByMembers { request.sessions = sessions.map(\.identifier) }
    guard let json = try replyUnlessAccepted(to: request, about: "refresh") else {
      return .success
    }
    let refreshed = try ControlConnection.read(RequestRefresh.Reply.self, from: json).sessions
    if printsJSON {
      console.print(json)
    } else if isByMembers {
      try printLabels(of: refreshed, nil)
    }
    let left = sessions.map(\.details.summary).filter { !refreshed.contains($0.session) }
    for summary in left {
      let advice =
        summary.state == .unattached
        ? "the session has no scene; connect the session with --open"
        : "the scene disconnected before the refresh"
      console.printError("scenectl: \(summary.label): \(advice)")
    }
    return left.isEmpty ? .success : .failure
  }
}
