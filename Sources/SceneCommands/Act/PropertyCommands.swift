import SceneCommandLine
import SceneControl
import SceneModel
import SceneScript

extension Verb {
  static let rename = Verb(
    "rename", "Change the name of a session.", script: .acts, run: CommandContext.rename,
    arguments: [
      .required("SESSION", "the session", .session), .optional("NAME", "its new name"),
    ],
    options: [.flag("clear", "remove the name"), .timeout()],
    examples: [
      "scenectl rename packing luggage": "The session packing is now called luggage.",
      "scenectl rename luggage --clear": "The session has only its identifier.",
    ],
    exits: [.failure: "another session has the name"])

  static let title = Verb(
    "title", "Change the title that lists show for a session.", script: .acts,
    run: CommandContext.title,
    details: "A scene can change its title later.",
    arguments: [
      .required("SESSION", "the session", .session), .optional("TEXT", "its new title"),
    ],
    options: [.flag("clear", "remove the title"), .timeout()],
    examples: [
      "scenectl title packing 'Packing list'": "Lists show Packing list.",
      "scenectl title packing --clear": "Lists show no title.",
    ])

  static let data = Verb(
    "data", "Print the directory for the files of a session.", script: .acts,
    run: CommandContext.data,
    details: """
      The broker makes the directory when a client first asks for it. The directory stays when \
      the scene disconnects. The broker removes it when the session is discarded.
      """,
    arguments: [.optional("SESSION", "the session; default: $SCENE_SESSION", .session)],
    options: [.timeout()],
    examples: ["ls \"$(scenectl data packing)\"": "Lists the files of the session."])
}

extension CommandContext {
  fileprivate func rename() throws -> ExitCode {
    let name = try newText("NAME")
    if let name, name.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
      throw invocation.usageError("NAME must not be blank; to remove the name, use --clear")
    }
    return try change { SetName(session: $0, name: name) }
  }

  fileprivate func title() throws -> ExitCode {
    let title = try newText("TEXT")
    if title?.isEmpty == true {
      throw invocation.usageError("TEXT must not be empty; to remove the title, use --clear")
    }
    return try change { SceneUpdate(session: $0, title: .orNull(title)) }
  }

  /// The text to set, or nil to remove the one that is there.
  private func newText(_ argument: String) throws -> String? {
    let text = invocation.argument(argument)
    guard invocation.has("clear") != (text != nil) else {
      throw invocation.usageError("give either \(argument) or --clear")
    }
    return text
  }

  private func change<Message: RequestMessage>(
    _ message: (SessionIdentifier) -> Message
  ) throws -> ExitCode {
    let session = try findSession()
    return succeed(try result(of: message(session.identifier), about: session))
  }

  fileprivate func data() throws -> ExitCode {
    let session = try findSession()
    let request = DataDirectory(session: session.identifier)
    let json = try result(of: request, about: session)
    if printsJSON { return succeed(json) }
    console.print(try ControlConnection.read(DataDirectory.Reply.self, from: json).path)
    return .success
  }
}
