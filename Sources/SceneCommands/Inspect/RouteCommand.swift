import SceneCommandLine
import SceneControl
import SceneModel
import SceneScript

extension Verb {
  static let route = Verb(
    "route", "Show which session the broker chooses for content.", script: .reads,
    run: CommandContext.route,
    details: """
      Lists the candidates in order, with the activation conditions that match the identifier: \
      `prefers` or `can`. A `*` marks the chosen session. Where only one session is possible, the \
      broker chooses that session without regard to its conditions. The verb opens nothing.
      """,
    arguments: [.required("ID", "a target content identifier", .name)],
    examples: ["scenectl route note/packing": "Prints a line for each candidate."],
    exits: [.failure: "the broker would make a new session"])
}

extension CommandContext {
  fileprivate func route() throws -> ExitCode {
    let request = ApplicationRoute(targetContentIdentifier: invocation.argument("ID") ?? "")
    let json = try awaitedReply(to: broker.post(request), "route")
    let reply = try ControlConnection.read(ApplicationRoute.Reply.self, from: json)
    if printsJSON {
      console.print(json)
    } else {
      let table = try table(of: reply)
      if !table.isEmpty { console.print(table) }
      if let chosen = reply.chosen {
        let isAllowed = reply.candidates.contains { $0.session == chosen && ($0.prefers || $0.can) }
        if !isAllowed { console.print("the chosen session gets all content: no other is possible") }
      } else {
        let reason = reply.configuration.map { " of \($0), which handles the identifier" } ?? ""
        console.print("the broker would make a new session\(PlainText.escaped(reason))")
      }
      if reply.more {
        console.printError("scenectl: the list is incomplete; more candidates follow")
      }
    }
    return reply.chosen == nil ? .failure : .success
  }

  private func table(of reply: ApplicationRoute.Reply) throws -> Table {
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
