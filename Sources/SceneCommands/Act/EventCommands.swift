import CommandLine
import JSON
import SceneControl
import SceneModel
import ScenePlatform
import SceneScript

extension Verb {
  static let post = Verb("post", script: .acts, run: CommandContext.post) { name in
    Command(
      name, "Post an event to the observers of a topic.",
      details: """
        The broker writes an event of a durable topic to the disk first. The broker keeps the \
        events of other topics in memory. The manifest declares durable topics.

        With --json the verb prints the position of the event. `scenectl observe --after` \
        continues after that position.
        """,
      arguments: [
        .required("TOPIC", "the topic"), .optional("KIND", "the kind of the event"),
        .optional("JSON", "the payload, an object; `-` reads standard input (default: {})"),
      ],
      options: [.timeout()],
      examples: [
        "scenectl post NewMessage added '{\"text\": \"hello\"}'":
          "Returns when the broker has stored the event."
      ],
      exits: [.badData: "the payload is not a JSON object"])
  }

  static let observe = Verb("observe", run: CommandContext.observe) { name in
    Command(
      name, "Print the events of topics as they are posted.",
      details: """
        Each line shows the topic, the kind and the payload. With --json a line also shows the \
        position; --after continues after it. A gap means that the broker no longer keeps some \
        events: the verb reports the gap, in JSON as `gap`.

        The verb ends when the broker ends. Without --json the verb then prints the command \
        that continues after the last event.
        """,
      arguments: [.repeated("TOPIC", "the topics")],
      options: [
        .value("after", "POSITION", "start after this position; requires a single topic"),
        .value(
          "last", "N", "start with the last N stored events (default: 0)", .integer(0...1_000_000)),
        .value("count", "N", "end after N events", .integer(1...Int.max)),
      ],
      exclusive: [["after", "last"]],
      examples: [
        "scenectl observe NewMessage": "Prints events until Ctrl-C.",
        "scenectl --json observe NewMessage --last 1 --count 1": "Prints the newest event.",
      ])
  }

  static let topics = Verb("topics", script: .reads, run: CommandContext.topics) { name in
    Command(
      name, "List the topics and their observers.",
      details: "With --json the verb prints a line for each page of the list.",
      examples: ["scenectl topics": "Prints the events, bytes and observers of each topic."])
  }

  static let refresh = Verb("refresh", script: .acts, run: CommandContext.refresh) { name in
    Command(
      name, "Tell scenes to load changed content, also in the background.",
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
}

extension CommandContext {
  fileprivate func post() throws(ProgramError) -> ExitCode {
    let request = try event()
    let number = try post(request)
    // A second request could post the event twice.
    let json = try replyWithoutRetry(to: number, "post")
    if printsJSON { console.print(json) }
    return .success
  }

  /// The first of two words is the kind. A single word is JSON if it is `-` or begins with a brace.
  private func event() throws(ProgramError) -> EventPost {
    var message = EventPost(topic: try topic(invocation.argument("TOPIC") ?? ""))
    var words = ["KIND", "JSON"].compactMap { invocation.argument($0) }
    if let first = words.first, words.count == 2 || !(first == "-" || first.hasPrefix("{")) {
      message.kind = words.removeFirst()
    }
    if let text = words.first {
      message.payload = OpaqueObject(unchecked: try object(text, what: "JSON"))
    }
    return message
  }

  private func topic(_ name: String) throws(ProgramError) -> String {
    if let problem = TopicName.problem(with: name) {
      throw usageFailure("TOPIC: \(PlainText.word(name)) \(problem)")
    }
    return name
  }

  fileprivate func observe() throws(ProgramError) -> ExitCode {
    var positions: [String: EventPosition] = [:]
    do throws(ProgramError) {
      return try observe(&positions)
    } catch {
      var failure = error
      // With --json each line has its position.
      if error.code == .noBroker, !printsJSON {
        for (topic, position) in positions.sorted(by: { $0.key < $1.key }) {
          failure.message +=
            "\nContinue to observe \(PlainText.word(topic)) with: "
            + suggestions().line("observe \(topic.shellWord) --after \(position)")
        }
      }
      throw failure
    }
  }

  /// Prints events, and keeps the last position of each topic.
  private func observe(_ positions: inout [String: EventPosition]) throws(ProgramError) -> ExitCode
  {
    var left = invocation.integer("count") ?? .max
    for request in try observations() {
      let json = try replyWithoutRetry(
        to:
          try ask { broker throws(ControlError) in broker.post(request) }, "observe")
      let reply = try read(EventObserve.Reply.self, json)
      positions[request.topic] = reply.position
      if reply.gap { printGap(request.topic, reply.position) }
    }
    while true {
      for notification in try nextNotifications() {
        let read = try ask { (_) throws(ControlError) in try notification.read() }
        guard case .posted(let event) = read else { continue }
        printEvent(event, as: notification.params)
        positions[event.topic] = event.position
        left -= 1
        if left == 0 { return .success }
      }
    }
  }

  private func observations() throws(ProgramError) -> [EventObserve] {
    let topics = invocation.arguments("TOPIC")
    var after: EventPosition?
    if let text = invocation.value("after") {
      guard topics.count == 1 else {
        throw usageFailure("--after requires a single topic, found \(topics.count)")
      }
      guard let position = EventPosition(text) else {
        throw usageFailure(
          "--after: expected a position, found \"\(PlainText.escaped(text))\"; "
            + "`scenectl --json observe` prints positions"
        )
      }
      after = position
    }
    let last = invocation.integer("last")
    return try topics.map { name throws(ProgramError) in
      EventObserve(topic: try topic(name), after: after, last: last)
    }
  }

  private func printEvent(_ event: EventPosted, as json: RawJSON) {
    guard !printsJSON else { return console.print(json) }
    if event.gap { console.printError(gapLine(event.topic)) }
    let words = [event.topic, event.kind, event.payload.json.description].compactMap { $0 }
    console.print(PlainText.escaped(words.joined(separator: " ")))
  }

  private func printGap(_ topic: String, _ position: EventPosition) {
    guard printsJSON else { return console.printError(gapLine(topic)) }
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("topic")
    writer.string(topic)
    writer.name("position")
    position.write(to: &writer)
    writer.name("gap")
    writer.bool(true)
    writer.endObject()
    console.print(RawJSON(unchecked: writer.bytes))
  }

  private func gapLine(_ topic: String) -> String {
    "scenectl: gap in \(PlainText.escaped(topic)): the broker no longer stores some events"
  }

  fileprivate func topics() throws(ProgramError) -> ExitCode {
    var table = Table(["TOPIC", "EVENTS", "BYTES", "OBSERVERS", "KEPT"])
    try ask { broker throws(ControlError) in
      try broker.forEachPage(of: TopicList(), until: replyDeadline()) { page, json in
        if printsJSON { console.print(json) }
        for topic in page.topics {
          table.add(
            [
              topic.topic, "\(topic.events)", "\(topic.bytes)", "\(topic.observers)",
              topic.durable ? "on disk" : "in memory",
            ].map { Table.Cell($0) })
        }
      }
    }
    if !printsJSON { console.print(table) }
    return .success
  }

  fileprivate func refresh() throws(ProgramError) -> ExitCode {
    let members = invocation.values("where")
    let isByMembers = !members.isEmpty
    guard !isByMembers || invocation.arguments("SESSION").isEmpty else {
      throw usageFailure("give either SESSION or --where")
    }
    var request = RequestRefresh(open: invocation.has("open"))
    let sessions = isByMembers ? [] : try findSessions(try sessionArguments())
    if isByMembers {
      request.matching = try object(of: members)
    } else {
      request.sessions = sessions.map(\.identifier)
    }
    let number = try post(request)
    if invocation.has("no-wait"), try !openRequestsAfterPing([number]).isEmpty {
      return .success
    }
    let json = try replyWithRetry(to: number, about: "refresh") { $0.post(request) }
    let refreshed = try read(RequestRefresh.Reply.self, json).sessions
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
