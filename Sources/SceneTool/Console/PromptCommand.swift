import SceneCommandLine
import SceneJSON
import SceneModel

/// A command of the prompt. The name, the help, the syntax and the code are in one value.
struct PromptCommand: Sendable {
  let name: String
  /// The name with the arguments.
  let usage: String
  let explanation: String
  let example: String
  /// The command in JSON, in each form.
  let json: [String]
  /// Whether the command waits while the broker is away.
  let waits: Bool
  /// Parses the text behind the name.
  let typed: @Sendable (String) throws(CommandError) -> Action
  /// Parses the members of an object.
  let sent: @Sendable (JSONValue) throws(CommandError) -> Action

  /// A command with its argument.
  struct Action: Sendable {
    let argument: any Equatable & Sendable
    let perform: @Sendable (SceneController, SessionIdentifier, GivenCommand) -> Void
  }

  /// `members` are the members of each form in JSON, beside `do`. `perform` gets the scene, the
  /// session, the argument and the command, and causes exactly one reply.
  init<Argument: Equatable & Sendable>(
    _ name: String, arguments: String = "", _ explanation: String, example: String? = nil,
    json members: [String] = [""], waits: Bool = true, _ syntax: CommandSyntax<Argument>,
    perform:
      @escaping @Sendable (SceneController, SessionIdentifier, Argument, GivenCommand) -> Void
  ) {
    self.name = name
    self.explanation = explanation
    self.waits = waits
    usage = arguments.isEmpty ? name : "\(name) \(arguments)"
    self.example = example.map { "\(name) \($0)" } ?? usage
    json = members.map { #"{"do":"\#(name)"\#($0.isEmpty ? "" : ",")\#($0)}"# }
    let action = { @Sendable (argument: Argument) in
      Action(argument: argument) { perform($0, $1, argument, $2) }
    }
    typed = { text throws(CommandError) in action(try syntax.typed(text, name)) }
    sent = { root throws(CommandError) in action(try syntax.sent(root, name)) }
  }

  /// A command that sends one request.
  init<Argument: Equatable & Sendable, Request: RequestMessage>(
    _ name: String, arguments: String = "", _ explanation: String, example: String? = nil,
    json members: [String] = [""], _ syntax: CommandSyntax<Argument>,
    request: @escaping @Sendable (SessionIdentifier, Argument) -> Request
  ) {
    self.init(name, arguments: arguments, explanation, example: example, json: members, syntax) {
      scene, session, argument, given in
      scene.ask(request(session, argument), given)
    }
  }
}

extension PromptCommand: Equatable {
  static func == (one: Self, other: Self) -> Bool { one.name == other.name }
}

// MARK: - Help

extension PromptCommand {
  private static let column = 23

  /// The lines in the list of commands.
  var helpLines: [String] {
    let start = "  " + usage
    guard start.count < Self.column else {
      return [start, String(repeating: " ", count: Self.column) + explanation]
    }
    return [start + String(repeating: " ", count: Self.column - start.count) + explanation]
  }

  /// The help of one command, or of all.
  static func help(about command: PromptCommand?) -> [String] {
    if let command { return command.helpLines + ["  as in: " + command.example] }
    return all.flatMap(\.helpLines) + ["  Ctrl-Z: background; Ctrl-C or Ctrl-D: close and end"]
  }

  /// The JSON syntax of one command, or of all.
  static func json(about command: PromptCommand?) -> [String] {
    if let command { return command.json }
    // The order is older than that of the help.
    let ordered = all.prefix(4) + [data] + all.dropFirst(4).filter { $0 != data }
    return ordered.flatMap(\.json) + [#"{"typed":"title Packing","id":8}"#]
  }

  static func named(_ word: String) throws(CommandError) -> PromptCommand {
    if let command = all.first(where: { $0.name == word }) { return command }
    let advice = adviceOnHabit(word) ?? suggestion(for: word, among: all.map(\.name))
    throw CommandError(
      message: "there is no command \(word.printable)"
        + (advice.isEmpty ? "; type help for a list" : advice))
  }

  /// The command for a word of other tools.
  private static func adviceOnHabit(_ word: String) -> String? {
    switch word {
    case "save": "; to save, type: \(activity.usageWithExample)"
    case "quit", "exit", "bye", "logout", "q":
      "; close ends the scene, and discard ends its session"
    default: nil
    }
  }

  var usageWithExample: String { "\(usage), as in: \(example)" }
}
