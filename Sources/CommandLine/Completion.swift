/// A shell that completion scripts are made for.
package enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}

extension Command {
  /// A script that teaches the shell to complete this program's command lines.
  package func completionScript(for shell: Shell) -> String {
    switch shell {
    case .bash: BashCompletion(self).script
    case .zsh: ZshCompletion(self).script
    case .fish: FishCompletion(self).script
    }
  }
}

/// One command of the tree, with what holds there.
struct CompletionNode {
  /// The verbs down to here, outermost first.
  let verbs: [String]
  let command: Command
  /// The options of this command, of those above, and of its verbs that may stand before the verb.
  let options: [Option]
  /// Those that are told here: all but those of the commands above.
  var ownOptions: [Option] { command.options + command.optionsBeforeVerb }

  /// The program and all its verbs, outermost first.
  static func all(of program: Command) -> [CompletionNode] {
    collect(program, verbs: [], options: [])
  }

  private static func collect(
    _ command: Command, verbs: [String], options: [Option]
  ) -> [CompletionNode] {
    let options = command.options + (command.heedsOptionsAbove ? options : [])
    let node = CompletionNode(
      verbs: verbs, command: command, options: options + command.optionsBeforeVerb)
    return [node]
      + command.verbs.flatMap {
        collect($0, verbs: verbs + [$0.name], options: options)
      }
  }
}

extension CompletionNode {
  /// The commands that list its candidates, and the options that each of them receives.
  var lists: [(command: String, options: [String])] {
    (command.options.map(\.kind) + command.arguments.map(\.kind)).compactMap {
      if case .listed(let command, let options) = $0 { (command, options) } else { nil }
    }
  }

  /// The options, of all these nodes, that some list wants to know.
  static func handedOn(_ nodes: [CompletionNode]) -> [Option] {
    let names = Set(nodes.flatMap { $0.lists.flatMap(\.options) })
    return nodes.first?.options.filter { names.contains($0.name) && $0.takesValue } ?? []
  }
}

extension Option {
  /// The ways to write it, such as `-S` and `--socket`.
  var spellings: [String] {
    (short.map { ["-\($0)"] } ?? []) + ["--" + name]
  }
}

/// The text in single quotes, for any of the shells.
func singleQuoted(_ text: String) -> String {
  var quoted = "'"
  for character in text {
    if character == "'" { quoted += "'\\''" } else { quoted.append(character) }
  }
  return quoted + "'"
}

/// The program's name in a form that may be part of a function's.
func functionName(_ parts: [String]) -> String {
  var name = ""
  for part in parts {
    name += "_"
    for character in part {
      let isPlain = character.isASCII && (character.isLetter || character.isNumber)
      name.append(isPlain ? character : "_")
    }
  }
  return name
}
