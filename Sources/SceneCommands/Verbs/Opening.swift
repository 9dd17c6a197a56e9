import CommandLine
import JSON
import SceneControl
import SceneModel

/// Opening something, and asking where it would go.
extension Errand {
  func open() throws(ProgramError) -> ExitCode {
    var contexts: [OpenURLContext] = []
    let annotation = try invocation.value("annotation").map { text throws(ProgramError) in
      try json(text, what: "--annotation")
    }
    for url in invocation.arguments("URL") {
      let context =
        try carried { writer in
          writer.name("url")
          writer.string(url)
          writer.name("options")
          writer.beginObject()
          if invocation.has("in-place") {
            writer.name("openInPlace")
            writer.bool(true)
          }
          write("sourceApplication", invocation.value("source"), to: &writer)
          write("annotation", annotation, to: &writer)
          writer.endObject()
        } as OpenURLContext
      contexts.append(context)
    }
    return try open(.urls(contexts))
  }

  func continueActivity() throws(ProgramError) -> ExitCode {
    let activity = try givenActivity(
      invocation.argument("TYPE=JSON") ?? "", what: "TYPE=JSON")
    return try open(invocation.has("handoff") ? .handoff(activity) : .activity(activity))
  }

  func notify() throws(ProgramError) -> ExitCode {
    let userInfo = try object(invocation.argument("JSON") ?? "{}", what: "JSON")
    return try open(
      .notification(
        try carried { writer in
          write("actionIdentifier", invocation.value("action"), to: &writer)
          write("userInfo", userInfo, to: &writer)
        }))
  }

  func shortcut() throws(ProgramError) -> ExitCode {
    let userInfo = try invocation.argument("JSON").map { text throws(ProgramError) in
      try object(text, what: "JSON")
    }
    return try open(
      .shortcut(
        try carried { writer in
          write("type", invocation.argument("TYPE"), to: &writer)
          write("localizedTitle", invocation.value("title"), to: &writer)
          write("userInfo", userInfo, to: &writer)
        }))
  }

  private func open(_ content: OpenedContent) throws(ProgramError) -> ExitCode {
    var request = ApplicationOpen(content)
    request.targetContentIdentifier = invocation.value("target")
    request.configuration = invocation.value("configuration")
    let number = try ask { (broker) throws(ControlError) in broker.post(request) }
    if invocation.has("no-wait"), try !unansweredAfterAccepting([number]).isEmpty {
      return .success
    }
    let json = try noticingMissingConfiguration { () throws(ProgramError) in
      try answer(to: number, about: invocation.verbs[0], as: "--new") { $0.post(request) }
    }
    let reply = try read(ApplicationOpen.Reply.self, json)
    if printsJSON {
      console.print(json)
    } else if reply.isNew {
      console.print(reply.session.description)
    }
    if reply.isNew { warnOfMissingConfiguration(of: reply.session) }
    return .success
  }

  // MARK: - What was given

  private func carried<Value: OpaqueMembers>(
    _ members: (inout JSONWriter) -> Void
  ) throws(ProgramError) -> Value {
    do throws(MemberError) {
      return try Value(writing: members)
    } catch {
      throw ProgramError(.badData, PlainText.escaped("\(error)"))
    }
  }

  private func write(_ name: StaticString, _ text: String?, to writer: inout JSONWriter) {
    guard let text else { return }
    writer.name(name)
    writer.string(text)
  }

  private func write(_ name: StaticString, _ json: RawJSON?, to writer: inout JSONWriter) {
    guard let json else { return }
    writer.name(name)
    writer.raw(json)
  }

  /// Any JSON value from the command line.
  private func json(_ text: String, what: String) throws(ProgramError) -> RawJSON {
    do throws(JSONError) {
      return try RawJSON(validating: text.utf8)
    } catch {
      throw ProgramError(.badData, "\(what): \(error)")
    }
  }

  // MARK: - route

  func route() throws(ProgramError) -> ExitCode {
    let request = ApplicationRoute(targetContentIdentifier: invocation.argument("ID") ?? "")
    let number = try ask { (broker) throws(ControlError) in broker.post(request) }
    let json = try finish(number, "route")
    let reply = try read(ApplicationRoute.Reply.self, json)
    if printsJSON {
      console.print(json)
    } else {
      let table = try table(of: reply)
      if !table.isEmpty { console.print(table) }
      if reply.chosen == nil { console.print("the broker would make a new session") }
      if reply.more {
        console.complain("scenectl: the list is incomplete; more candidates follow")
      }
    }
    return reply.chosen == nil ? .failure : .success
  }

  private func table(of reply: ApplicationRoute.Reply) throws(ProgramError) -> Table {
    let now = try applicationTime()
    var table = Table(["", "NAME", "STATE", "PREFERS", "CAN", "LAST", "CONDITIONS"])
    for candidate in reply.candidates {
      table.add([
        Table.Cell(candidate.session == reply.chosen ? "*" : " "),
        Table.Cell(candidate.name ?? candidate.session.short),
        Table.Cell(candidate.state.rawValue),
        Table.Cell(candidate.prefers ? "yes" : "no"),
        Table.Cell(candidate.can ? "yes" : "no"),
        Table.Cell(Age.text(from: candidate.lastActive, to: now)),
        Table.Cell(candidate.activationConditions?.words ?? "-"),
      ])
    }
    return table
  }
}

extension ActivationConditionTexts {
  /// For example `prefers self == "note/packing"; can FALSEPREDICATE`.
  var words: String {
    [("prefers", prefersToActivate.text), ("can", canActivate.text)]
      .compactMap { name, text in text.map { "\(name) \($0)" } }.joined(separator: "; ")
  }
}
