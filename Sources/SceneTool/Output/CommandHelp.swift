/// The help text of a command.
struct CommandHelp {
  /// The syntax.
  let usage: String
  let explanation: String
  let example: String

  private init(_ usage: String, _ explanation: String, example: String? = nil) {
    self.usage = usage
    self.explanation = explanation
    self.example = example ?? usage
  }

  init(_ verb: ShellCommand.Verb) {
    self =
      switch verb {
      case .activity:
        CommandHelp(
          "activity TYPE JSON",
          "save the activity; null clears it",
          example: #"activity com.example.note {"line": 42}"#)
      case .title:
        CommandHelp(
          "title TEXT", "set the title; null removes it",
          example: "title Packing for Rome")
      case .subtitle:
        CommandHelp(
          "subtitle TEXT", "set the subtitle; null removes it",
          example: "subtitle 3 of 12 packed")
      case .snapshot:
        CommandHelp(
          "snapshot TEXT", "set the text for the switcher; null removes it",
          example: "snapshot shirts, socks, passport")
      case .conditions:
        CommandHelp(
          "conditions prefers|can PREDICATE",
          "set an activation condition; null removes all",
          example: #"conditions prefers self BEGINSWITH "note/""#)
      case .data: CommandHelp("data", "print the directory of the session")
      case .post:
        CommandHelp(
          "post TOPIC [KIND] [JSON]", "post an event to all observers, including this scene",
          example: #"post NewMessage added {"text": "hello"}"#)
      case .observe:
        CommandHelp(
          "observe TOPIC", "receive the events of a topic in the foreground",
          example: "observe NewMessage")
      case .cease:
        CommandHelp(
          "cease TOPIC", "stop receiving the events of a topic", example: "cease NewMessage")
      case .background: CommandHelp("background", "move to the background")
      case .activate: CommandHelp("activate", "move to the foreground")
      case .close: CommandHelp("close", "end the scene; the session stays")
      case .discard: CommandHelp("discard", "end the session for good")
      case .hang:
        CommandHelp(
          "hang [CALLBACK]", "stop answering this callback, or all",
          example: "hang didEnterBackground")
      case .crash: CommandHelp("crash", "end as after a crash")
      case .status: CommandHelp("status", "show the state of the scene")
      case .help, .connect:
        CommandHelp(
          "help [COMMAND]", "show this list, or help for a command", example: "help title")
      }
  }

  private static let column = 21

  /// The lines in the list of commands.
  var lines: [String] {
    let start = "  " + usage
    let gap = Self.column + 2 - start.count
    guard gap > 0 else {
      return [start, String(repeating: " ", count: Self.column + 2) + explanation]
    }
    return [start + String(repeating: " ", count: gap) + explanation]
  }

  var exampleLines: [String] { ["  as in: " + example] }

  static let list =
    ShellCommand.Verb.typed.flatMap { CommandHelp($0).lines } + [
      "  Ctrl-Z: background; Ctrl-C or Ctrl-D: close and end"
    ]
}
