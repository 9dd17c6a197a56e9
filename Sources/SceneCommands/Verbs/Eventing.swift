import CommandLine
import JSON
import SceneControl
import SceneModel
import ScenePlatform

/// Keeping scenes in sync.
extension Errand {
  // MARK: - post

  func post() throws(ProgramError) -> ExitCode {
    let request = try event()
    let number = try ask { (broker) throws(ControlError) in broker.post(request) }
    // It is posted once: asked again, it might be there twice.
    let json = try finish(number, "post")
    if printsJSON { console.print(json) }
    return .success
  }

  /// Of two words behind the topic the first is the kind; of one it is told by how it begins.
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

  // MARK: - observe

  func observe() throws(ProgramError) -> ExitCode {
    var positions: [String: EventPosition] = [:]
    do throws(ProgramError) {
      return try observe(&positions)
    } catch {
      var failure = error
      // With --json every line has said so.
      if error.code == .noBroker, !printsJSON {
        for (topic, position) in positions.sorted(by: { $0.key < $1.key }) {
          failure.message +=
            "\nContinue to observe \(PlainText.word(topic)) with: "
            + advice().line("observe \(topic.shellWord) --after \(position)")
        }
      }
      throw failure
    }
  }

  /// Notes how far it has come with each topic.
  private func observe(_ positions: inout [String: EventPosition]) throws(ProgramError) -> ExitCode
  {
    var left = invocation.integer("count") ?? .max
    for request in try observations() {
      let json = try finish(
        try ask { broker throws(ControlError) in broker.post(request) }, "observe")
      let reply = try read(EventObserve.Reply.self, json)
      positions[request.topic] = reply.position
      if reply.gap { tellGap(request.topic, reply.position) }
    }
    while true {
      for notification in try waitForNews() {
        let read = try ask { (_) throws(ControlError) in try notification.read() }
        guard case .posted(let event) = read else { continue }
        tell(event, as: notification.params)
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

  private func tell(_ event: EventPosted, as json: RawJSON) {
    guard !printsJSON else { return console.print(json) }
    if event.gap { console.complain(gapLine(event.topic)) }
    let words = [event.topic, event.kind, event.payload.json.description].compactMap { $0 }
    console.print(PlainText.escaped(words.joined(separator: " ")))
  }

  private func tellGap(_ topic: String, _ position: EventPosition) {
    guard printsJSON else { return console.complain(gapLine(topic)) }
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

  // MARK: - refresh

  func refresh() throws(ProgramError) -> ExitCode {
    let members = invocation.values("where")
    let isByMembers = !members.isEmpty
    guard !isByMembers || invocation.arguments("SESSION").isEmpty else {
      throw usageFailure("give either SESSION or --where")
    }
    var request = RequestRefresh(open: invocation.has("open"))
    let sessions = isByMembers ? [] : try find(try sessionWords())
    if isByMembers {
      request.matching = try object(of: members)
    } else {
      request.sessions = sessions.map(\.identifier)
    }
    let number = try ask { (broker) throws(ControlError) in broker.post(request) }
    if invocation.has("no-wait"), try !unansweredAfterAccepting([number]).isEmpty {
      return .success
    }
    let json = try answer(to: number, about: "refresh") { $0.post(request) }
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
      console.complain("scenectl: \(summary.label): \(advice)")
    }
    return left.isEmpty ? .success : .failure
  }

  /// `NAME=VALUE` each, where a value that is no JSON is a text.
  func object(of members: [String]) throws(ProgramError) -> OpaqueObject {
    var writer = JSONWriter()
    writer.beginObject()
    for member in members {
      guard let sign = member.firstIndex(of: "="), sign != member.startIndex else {
        throw usageFailure(
          "option --where: expected NAME=VALUE, such as list=inbox, found "
            + "\"\(PlainText.escaped(member))\"")
      }
      let text = String(member[member.index(after: sign)...])
      writer.name(String(member[..<sign]))
      if let value = try? RawJSON(validating: text.utf8) {
        writer.raw(value)
      } else {
        writer.string(text)
      }
    }
    writer.endObject()
    do throws(JSONError) {
      return OpaqueObject(unchecked: try RawJSON(validating: writer.bytes))
    } catch {
      throw usageFailure("option --where: \(error)")
    }
  }
}
