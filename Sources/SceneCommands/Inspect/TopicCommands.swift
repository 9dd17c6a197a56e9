import SceneCommandLine
import SceneControl
import SceneJSON
import SceneModel
import ScenePlatform
import SceneScript

extension Verb {
  static let topics = Verb(
    "topics", "List the topics and their observers.", script: .reads, run: CommandContext.topics,
    details: "With --json the verb prints a line for each page of the list.",
    examples: ["scenectl topics": "Prints the events, bytes and observers of each topic."])

  static let observe = Verb(
    "observe", "Print the events of topics as they are posted.", run: CommandContext.observe,
    details: """
      Each line shows the topic, the kind and the payload. With --json a line also shows the \
      position; --after continues after it. A gap means that the broker no longer keeps some \
      events: the verb reports the gap, in JSON as `gap`.

      If the broker ends, the verb waits for the next one and continues after the last event. If \
      the verb reads too slowly, the broker closes its connection. The verb then connects again \
      and continues in the same way. After an error, without --json, it prints the command that \
      continues.
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

extension CommandContext {
  fileprivate func topics() throws -> ExitCode {
    var table = Table(["TOPIC", "EVENTS", "BYTES", "OBSERVERS", "KEPT"])
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
    if !printsJSON { console.print(table) }
    return .success
  }

  fileprivate func observe() throws -> ExitCode {
    var positions: [String: EventPosition] = [:]
    do {
      return try observe(&positions)
    } catch {
      var failure = failure(for: error)
      // With --json each line has its position.
      if failure.code == .noBroker, !printsJSON {
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
  private func observe(_ positions: inout [String: EventPosition]) throws -> ExitCode {
    isFollowing = true
    var left = invocation.integer("count") ?? .max
    for request in try observations() {
      let json = try awaitedReply(to: broker.post(request), "observe")
      let reply = try ControlConnection.read(EventObserve.Reply.self, from: json)
      positions[request.topic] = reply.position
      if reply.gap { printGap(request.topic, reply.position) }
    }
    while true {
      for notification in try nextNotifications() {
        if case .gap(let topic, let position) = notification.interruption {
          printGap(topic, position)
        }
        guard case .posted(let event) = notification.content else { continue }
        printEvent(event, as: notification.params)
        positions[event.topic] = event.position
        left -= 1
        if left == 0 { return .success }
      }
    }
  }

  private func observations() throws -> [EventObserve] {
    let topics = invocation.arguments("TOPIC")
    var after: EventPosition?
    if let text = invocation.value("after") {
      guard topics.count == 1 else {
        throw invocation.usageError("--after requires a single topic, found \(topics.count)")
      }
      guard let position = EventPosition(text) else {
        throw invocation.usageError(
          "--after: expected a position, found \"\(PlainText.escaped(text))\"; "
            + "`scenectl --json observe` prints positions"
        )
      }
      after = position
    }
    let last = invocation.integer("last")
    return try topics.map { name in
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
    console.print(
      JSONWriter.object { writer in
        writer.member("topic", topic)
        writer.name("position")
        position.write(to: &writer)
        writer.member("gap", true)
      })
  }

  private func gapLine(_ topic: String) -> String {
    "scenectl: gap in \(PlainText.escaped(topic)): the broker no longer stores some events"
  }
}
