/// A shell that completion scripts are made for.
package enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}

extension Command {
  /// The completion script of this program for a shell.
  package func completionScript(for shell: Shell) -> String {
    switch shell {
    case .bash: BashCompletion(self).script
    case .zsh: ZshCompletion(self).script
    case .fish: FishCompletion(self).script
    }
  }
}

/// One command of the tree, with its valid options.
struct CompletionNode {
  /// The verbs of this command, outermost first.
  let verbs: [String]
  let command: Command
  /// The options of this command and of its parents, and the options of its verbs that may precede
  /// the verb.
  let options: [Option]
  /// The options without those of the parents.
  var ownOptions: [Option] { command.options + command.optionsBeforeVerb }

  /// The program and all its verbs, outermost first.
  static func all(of program: Command) -> [CompletionNode] {
    collect(program, verbs: [], options: [])
  }

  private static func collect(
    _ command: Command, verbs: [String], options: [Option]
  ) -> [CompletionNode] {
    let options = command.options + (command.inheritsOptions ? options : [])
    let node = CompletionNode(
      verbs: verbs, command: command, options: options + command.optionsBeforeVerb)
    return [node]
      + command.verbs.flatMap {
        collect($0, verbs: verbs + [$0.name], options: options)
      }
  }
}

extension CompletionNode {
  /// The commands that list candidates, and the options that each of them receives.
  var lists: [(command: String, options: [String])] {
    (command.options.map(\.kind) + command.arguments.map(\.kind)).compactMap {
      if case .listed(let command, let options) = $0 { (command, options) } else { nil }
    }
  }

  /// The options that any listing command of these nodes receives.
  static func handedOn(_ nodes: [CompletionNode]) -> [Option] {
    let names = Set(nodes.flatMap { $0.lists.flatMap(\.options) })
    return nodes.first?.options.filter { names.contains($0.name) && $0.takesValue } ?? []
  }
}

extension Option {
  /// The spellings, such as `-S` and `--socket`.
  var spellings: [String] {
    (short.map { ["-\($0)"] } ?? []) + ["--" + name]
  }
}

/// The text in single quotes, valid in all three shells.
func singleQuoted(_ text: String) -> String {
  "'" + text.replacing("'", with: #"'\''"#) + "'"
}

/// A name that is valid as a part of a shell function's name.
func functionName(_ parts: [String]) -> String {
  parts.map { part in
    "_" + part.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
  }
  .joined()
}

extension String {
  /// The text with a backslash before each of these characters.
  func escaping(_ characters: String) -> String {
    String(flatMap { characters.contains($0) ? ["\\", $0] : [$0] })
  }
}
