/// The completion script for fish.
struct FishCompletion {
  private let program: Command
  private let nodes: [CompletionNode]
  private let function: String

  init(_ program: Command) {
    self.program = program
    nodes = CompletionNode.all(of: program)
    function = "_" + functionName([program.name])
  }

  var script: String {
    var lines = ["# fish completion for \(program.name)"]
    lines += pathFunction
    if nodes.contains(where: { $0.command.trailing != nil }) { lines += commandFunction }
    lines += handingOn
    lines.append("complete -c \(program.name) -f")
    lines.append("complete -c \(program.name) -s h -l help -d 'show help'")
    for option in program.programOptions {
      let values = option.takesValue ? " -x \(candidates(option.kind) ?? "")" : ""
      lines.append(complete(at: [], "-l \(option.name) -d \(quoted(option.help))\(values)"))
    }
    for node in nodes {
      for option in node.ownOptions { lines.append(line(for: option, of: node)) }
      for verb in node.command.verbs {
        let words = "-a \(quoted(verb.name)) -d \(quoted(verb.summary))"
        lines.append(complete(at: node.verbs, words))
      }
      lines += unique(node.command.arguments.compactMap { candidates($0.kind) })
        .map { complete(at: node.verbs, $0) }
      if node.command.trailing != nil {
        lines.append(complete(at: ["--"] + node.verbs, "-a '(\(function)_command)'"))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Prints the typed verbs, each after a slash. After `--` the first slash starts again.
  private var pathFunction: [String] {
    let valued = unique(
      nodes.flatMap { $0.command.options }.filter { $0.takesValue }.flatMap { $0.spellings })
    let paths = nodes.map { path($0.verbs) }.filter { !$0.isEmpty }.map { quoted($0) }
    var lines = [
      "function \(function)_verbs",
      "  set -l words (commandline -opc)",
      "  set -e words[1]",
      "  set -l verbs ''",
      "  set -l skip 0",
      "  for word in $words",
      "    if test $skip = 1",
      "      set skip 0",
      "      continue",
      "    end",
      "    switch $word",
      "      case --",
      "        set verbs /--$verbs",
      "        break",
    ]
    if !valued.isEmpty {
      lines += ["      case \(valued.joined(separator: " "))", "        set skip 1"]
    }
    if !paths.isEmpty {
      lines += [
        "      case '-*'",
        "      case '*'",
        "        if contains -- $verbs/$word \(paths.joined(separator: " "))",
        "          set verbs $verbs/$word",
        "        end",
      ]
    }
    return lines + ["    end", "  end", "  echo $verbs", "end"]
  }

  /// Prints the options for a listing command, one for each line and without quotes.
  private var handingOn: [String] {
    let options = CompletionNode.handedOn(nodes)
    if options.isEmpty { return [] }
    var lines = [
      "function \(function)_given",
      "  set -l words (commandline -opc)",
      "  set -e words[1]",
      "  set -l option ''",
      "  for word in $words",
      "    set -l plain (string unescape -- $word | string replace -r '^~/' \"$HOME/\")",
      "    if test -n \"$option\"",
      "      printf '%s\\n' \"$option=$plain\"",
      "      set option ''",
      "      continue",
      "    end",
      "    switch $word",
      "      case --",
      "        break",
    ]
    for option in options {
      lines += [
        "      case \(option.spellings.joined(separator: " "))",
        "        set option --\(option.name)",
        "      case '--\(option.name)=*'",
        "        printf '%s\\n' $plain",
      ]
      if let letter = option.short {
        lines += [
          "      case '-\(letter)?*'",
          "        printf '%s\\n' --\(option.name)=(string sub -s 3 -- $plain)",
        ]
      }
    }
    return lines + ["    end", "  end", "end"]
  }

  /// Completes the words after `--` as a separate command line.
  private var commandFunction: [String] {
    [
      "function \(function)_command",
      "  set -l words (commandline -opc) (commandline -ct)",
      "  set -l place (contains -i -- -- $words)",
      "  complete -C (string join ' ' -- $words[(math $place + 1)..-1])",
      "end",
    ]
  }

  /// Verbs inherit options.
  private func line(for option: Option, of node: CompletionNode) -> String {
    var words = option.short.map { "-s \($0) " } ?? ""
    words += "-l \(option.name) -d \(quoted(option.help))"
    if option.takesValue { words += " -x" }
    if let candidates = candidates(option.kind) { words += " " + candidates }
    let pattern = quoted("^" + path(node.verbs) + "(?!/--)(/|$)")
    let condition = "string match -qr -- \(pattern) (\(function)_verbs)"
    return "complete -c \(program.name) -n \(quoted(condition)) \(words)"
  }

  private func complete(at verbs: [String], _ words: String) -> String {
    let condition = "test (\(function)_verbs) = \(quoted(path(verbs)))"
    return "complete -c \(program.name) -n \(quoted(condition)) \(words)"
  }

  private func candidates(_ kind: ValueKind) -> String? {
    switch kind {
    case .text, .name, .integer, .duration: nil
    case .choice(let choices): "-a \(quoted(choices.joined(separator: " ")))"
    case .file: "-a '(__fish_complete_path (commandline -ct))'"
    case .directory: "-a '(__fish_complete_directories (commandline -ct))'"
    case .listed(let command, let options):
      "-a "
        + quoted("(\(command)\(options.isEmpty ? "" : " (\(function)_given)") 2>/dev/null)")
    }
  }

  private func path(_ verbs: [String]) -> String {
    verbs.map { "/" + $0 }.joined()
  }

  /// fish interprets `\'` and `\\` within single quotes.
  private func quoted(_ text: String) -> String { "'" + text.escaping("'\\") + "'" }
}
