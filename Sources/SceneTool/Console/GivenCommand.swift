import SceneCommandLine
import SceneJSON
import SceneModel
import ScenePlatform

/// A command that was typed or sent.
struct GivenCommand: Sendable {
  let command: PromptCommand
  let action: PromptCommand.Action
  /// The reply repeats this value.
  var identifier: RawJSON?
}

/// A syntax error of a command line.
struct CommandError: Error, Equatable, Sendable {
  var message: String
  var identifier: RawJSON?
}

extension GivenCommand {
  init(_ command: PromptCommand, typed text: String = "") throws(CommandError) {
    self.init(command: command, action: try command.typed(text))
  }

  /// Parses a typed line; nil for an empty line.
  static func read(line: String) throws(CommandError) -> GivenCommand? {
    let (word, rest) = line.firstWord
    guard !word.isEmpty else { return nil }
    if word.asksForHelp { return try GivenCommand(.help) }
    let command = try PromptCommand.named(word)
    if rest.asksForHelp, rest != "?" { return try GivenCommand(.help, typed: word) }
    return try GivenCommand(command, typed: rest)
  }

  /// Parses a line of JSON; nil for an empty line.
  ///
  /// `{"do": NAME, "id"?: anything, …}` with the members of the command, or `{"typed": LINE,
  /// "id"?: anything}` with a typed command.
  static func read(json line: String) throws(CommandError) -> GivenCommand? {
    guard line.contains(where: { !$0.isWhitespace }) else { return nil }
    let document = JSONDocument()
    do throws(JSONError) {
      try document.read(line.utf8)
    } catch {
      throw CommandError(message: "not JSON: \(error)")
    }
    let identifier = document.root["id"]?.raw
    do throws(CommandError) {
      var given = try read(document.root)
      given.identifier = identifier
      return given
    } catch {
      throw CommandError(message: error.message, identifier: identifier)
    }
  }

  private static func read(_ root: JSONValue) throws(CommandError) -> GivenCommand {
    if let line = try root.optionalString("typed") {
      guard let given = try read(line: line) else {
        throw CommandError(message: "typed: expected a command, found nothing")
      }
      return given
    }
    guard let word = root["do"]?.string else {
      throw CommandError(message: "do: missing; expected a command, such as \"status\"")
    }
    let command = try PromptCommand.named(word)
    return GivenCommand(command: command, action: try command.sent(root))
  }
}

extension String {
  fileprivate var asksForHelp: Bool { ["--help", "-h", "?"].contains(self) }

  /// The first word, and the trimmed rest.
  var firstWord: (String, String) {
    let trimmed = self.trimmed
    guard let end = trimmed.firstIndex(where: \.isWhitespace) else { return (trimmed, "") }
    return (String(trimmed[..<end]), String(trimmed[end...]).trimmed)
  }

  /// The text with escaped control characters.
  var printable: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0x0A, 0x0D, 0x09: text.unicodeScalars.append(" ")
      case _ where PlainText.isUnsafe(scalar): text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
