import CommandLine
import SceneControl
import SceneModel

/// The verbs that change how a session is listed.
extension Command {
  static var rename: Command {
    Command(
      "rename", "Change the name of a session.",
      arguments: [
        .required("SESSION", "the session", .session), .optional("NAME", "its new name"),
      ],
      options: [.flag("clear", "remove the name"), .timeout()],
      examples: [
        "scenectl rename packing luggage": "The session packing is now called luggage.",
        "scenectl rename luggage --clear": "The session has only its identifier.",
      ],
      exits: [.failure: "another session has the name"])
  }

  static var title: Command {
    Command(
      "title", "Change the title that lists show for a session.",
      details: "A scene can change its title later.",
      arguments: [
        .required("SESSION", "the session", .session), .optional("TEXT", "its new title"),
      ],
      options: [.flag("clear", "remove the title"), .timeout()],
      examples: [
        "scenectl title packing 'Packing list'": "Lists show Packing list.",
        "scenectl title packing --clear": "Lists show no title.",
      ])
  }
}

extension Errand {
  func rename() throws(ProgramError) -> ExitCode {
    let name = try newText("NAME")
    return try change { SetName(session: $0, name: name) }
  }

  func title() throws(ProgramError) -> ExitCode {
    let title = try newText("TEXT")
    return try change { SceneUpdate(session: $0, title: .orNull(title)) }
  }

  /// The text to set, or nil to remove the one that is there.
  private func newText(_ argument: String) throws(ProgramError) -> String? {
    let text = invocation.argument(argument)
    guard invocation.has("clear") != (text != nil) else {
      throw usageFailure("give either \(argument) or --clear")
    }
    return text
  }

  private func change<Message: RequestMessage>(
    _ message: (SessionIdentifier) -> Message
  ) throws(ProgramError) -> ExitCode {
    let session = try findOne()
    let json = try result(of: message(session.identifier), about: session)
    if printsJSON { console.print(json) }
    return .success
  }
}
