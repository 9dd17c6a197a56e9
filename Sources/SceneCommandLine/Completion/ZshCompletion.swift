/// The completion script for zsh, in terms of its `_arguments`.
struct ZshCompletion {
  private let program: Command

  init(_ program: Command) {
    self.program = program
  }

  var script: String {
    let nodes = CompletionNode.all(of: program)
    var lines = ["#compdef \(program.name)", ""]
    // All functions are defined before the first call.
    for node in nodes { lines += function(node) + [""] }
    let main = functionName([program.name])
    lines += [
      "if [[ $funcstack[1] == \(main) ]]; then",
      "  \(main) \"$@\"",
      "else",
      "  compdef \(main) \(program.name)",
      "fi",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private func function(_ node: CompletionNode) -> [String] {
    let name = functionName([program.name] + node.verbs)
    var lines = ["\(name)() {", "  local curcontext=$curcontext state line ret=1"]
    lines.append("  typeset -A opt_args")
    if node.verbs.isEmpty { lines += handingOn }
    if node.command.trailing != nil { lines += commandBehindDashes }
    lines.append("  _arguments -C -s -S \\")
    let standard = node.verbs.isEmpty ? program.programOptions : []
    for option in node.options + standard {
      lines += specifications(option).map { "    \($0) \\" }
    }
    lines.append("    '(-h --help)'{-h,--help}'[show help]' \\")
    if node.command.groups.isEmpty {
      lines += plainWords(node.command).map { "    \($0) \\" }
      return lines + ["    && ret=0", "  return ret", "}"]
    }
    lines += ["    '1:verb:->verb' \\", "    '*::word:->words' && ret=0"]
    return lines + states(node, name: name) + ["  return ret", "}"]
  }

  private func plainWords(_ command: Command) -> [String] {
    var words: [String] = []
    for (index, argument) in command.arguments.enumerated() {
      // One colon for a required argument, two for an optional one.
      let start = argument.takesSeveral ? "*:" : "\(index + 1):" + (argument.isRequired ? "" : ":")
      words.append(
        singleQuoted(start + escaped(argument.placeholder) + ":" + action(argument.kind)))
    }
    return words
  }

  /// Collects the options that a listing command receives, expanded as the shell expands them. It
  /// runs no command substitution. The functions of the verbs read the collection, too.
  private var handingOn: [String] {
    let options = CompletionNode.handedOn(CompletionNode.all(of: program))
    if options.isEmpty { return [] }
    var lines = [
      "  local -a given=()", "  local -i place", "  local word",
      "  for ((place = 2; place < CURRENT; place++)); do", "    word=$words[place]",
      "    case $word in", "      --) break ;;",
    ]
    for option in options {
      lines += [
        "      \(option.spellings.joined(separator: "|")))",
        "        ((++place < CURRENT)) && word=${${(Q)words[place]}/#\\~\\//$HOME/} "
          + "&& given+=(\"--\(option.name)=$word\") ;;",
        "      --\(option.name)=*) given+=(\"${(Q)word}\") ;;",
      ]
      if let letter = option.short {
        lines.append("      -\(letter)?*) given+=(\"--\(option.name)=${(Q)word[3,-1]}\") ;;")
      }
    }
    return lines + ["    esac", "  done"]
  }

  /// Completes the words after `--` as a separate command line.
  private var commandBehindDashes: [String] {
    [
      "  local -i dashes=${words[(i)--]}",
      "  if (( dashes < CURRENT )); then",
      "    words=(\"${(@)words[dashes+1,-1]}\")",
      "    (( CURRENT -= dashes ))",
      "    _normal",
      "    return",
      "  fi",
    ]
  }

  private func states(_ node: CompletionNode, name: String) -> [String] {
    var lines = ["  case $state in", "    verb)", "      local -a verbs=("]
    for verb in node.command.verbs {
      let summary = verb.summary.hasSuffix(".") ? String(verb.summary.dropLast()) : verb.summary
      lines.append("        " + singleQuoted("\(verb.name):\(summary)"))
    }
    lines += ["      )", "      _describe -t verbs verb verbs && ret=0 ;;", "    words)"]
    lines.append("      case $words[1] in")
    for verb in node.command.verbs {
      let function = functionName([program.name] + node.verbs + [verb.name])
      lines.append("        \(verb.name)) \(function) && ret=0 ;;")
    }
    return lines + ["      esac ;;", "  esac"]
  }

  /// The specifications of an option. The long and the short form exclude each other unless the
  /// option repeats.
  private func specifications(_ option: Option) -> [String] {
    let help = "[" + escaped(option.help) + "]"
    let value = option.placeholder.map { ":\(escaped($0)):\(action(option.kind))" } ?? ""
    let long = "--" + option.name + (option.takesValue ? "=" : "")
    guard let letter = option.short else {
      return [singleQuoted((option.repeats ? "*" : "") + long + help + value)]
    }
    let short = "-\(letter)" + (option.takesValue ? "+" : "")
    let exclusion = option.repeats ? "'*'" : "'(\(option.spellings.joined(separator: " ")))'"
    return ["\(exclusion){\(short),\(long)}\(singleQuoted(help + value))"]
  }

  private func action(_ kind: ValueKind) -> String {
    switch kind {
    case .text, .name, .integer, .duration: " "
    case .choice(let choices): "(\(choices.joined(separator: " ")))"
    case .file: "_files"
    case .directory: "_files -/"
    case .listed(let command, let options):
      "{compadd -- ${(f)\"$(\(command)\(options.isEmpty ? "" : " $given") 2>/dev/null)\"}}"
    }
  }

  /// Brackets, colons and backslashes have a meaning within a specification.
  private func escaped(_ text: String) -> String { text.escaping("[]:\\") }
}
