/// What is said of a command to who asks for help.
struct CommandHelp {
  /// As it is typed.
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
          "what the scene is at, kept for when it comes back; null clears it",
          example: #"activity com.example.note {"line": 42}"#)
      case .title:
        CommandHelp(
          "title TEXT", "what it is called in lists; title null takes that away",
          example: "title Packing for Rome")
      case .subtitle:
        CommandHelp(
          "subtitle TEXT", "what is added to its title; subtitle null takes that away",
          example: "subtitle 3 of 12 packed")
      case .snapshot:
        CommandHelp(
          "snapshot TEXT", "what the switcher shows of it; snapshot null takes that away",
          example: "snapshot shirts, socks, passport")
      case .conditions:
        CommandHelp(
          "conditions prefers|can PREDICATE",
          "what it is activated for; conditions null takes that away",
          example: #"conditions prefers self BEGINSWITH "note/""#)
      case .data: CommandHelp("data", "where the session keeps files of its own")
      case .post:
        CommandHelp(
          "post TOPIC [KIND] [JSON]", "tell everybody who observes the topic, this scene too",
          example: #"post NewMessage added {"text": "hello"}"#)
      case .observe:
        CommandHelp(
          "observe TOPIC", "be told of its events while in the foreground",
          example: "observe NewMessage")
      case .cease:
        CommandHelp(
          "cease TOPIC", "be told of its events no more", example: "cease NewMessage")
      case .background: CommandHelp("background", "go to the background")
      case .activate: CommandHelp("activate", "come to the foreground")
      case .close: CommandHelp("close", "end the scene; the session stays")
      case .discard: CommandHelp("discard", "end the session for good")
      case .hang:
        CommandHelp(
          "hang [CALLBACK]", "answer that callback no more, or none",
          example: "hang didEnterBackground")
      case .crash: CommandHelp("crash", "end like a program that crashes")
      case .status: CommandHelp("status", "where the scene is")
      case .help, .connect:
        CommandHelp("help [COMMAND]", "this list, or one command", example: "help title")
      }
  }

  private static let column = 21

  /// The list's lines about it.
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
      "  Ctrl-Z home, Ctrl-D close, Ctrl-C leave"
    ]
}
