/// The completion script for bash; it needs nothing but bash itself.
struct BashCompletion {
  private let program: Command
  private let nodes: [CompletionNode]
  private let function: String
  /// The options that the commands for listed values receive.
  private let handedOn: [Option]

  init(_ program: Command) {
    self.program = program
    nodes = CompletionNode.all(of: program)
    function = functionName([program.name])
    handedOn = CompletionNode.handedOn(nodes)
  }

  var script: String {
    var lines = ["# bash completion for \(program.name)"]
    if nodes.contains(where: { !$0.lists.isEmpty }) { lines += offer }
    if !handedOn.isEmpty { lines += plain }
    lines.append("\(function)() {")
    lines += start
    lines += walk
    lines += optionValues
    lines += optionNames
    lines += plainWords
    lines += ["}", "complete -o bashdefault -F \(function) \(program.name)"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// Offers each listed name as a user types it. bash expands nothing in a name, because a name may
  /// come from another user. Behind a quote it offers only names without characters special to
  /// bash.
  private var offer: [String] {
    [
      "\(function)_offer() {",
      "  local name",
      "  while IFS= read -r name; do",
      "    case $current in",
      "      [\\'\\\"]*)",
      "        [[ $name == *[\\\"\\'\\`\\$\\\\!]* ]] && continue",
      "        [[ $name == \"${current:1}\"* ]] && COMPREPLY+=(\"$name\") ;;",
      "      *)",
      "        printf -v name %q \"$name\"",
      "        [[ $name == \"$current\"* ]] && COMPREPLY+=(\"$name\") ;;",
      "    esac",
      "  done",
      "}",
    ]
  }

  /// Expands a typed word as the shell does: quotes, the home directory and variables. It runs no
  /// command substitution.
  private var plain: [String] {
    [
      "\(function)_plain() {",
      "  local rest=$1 name",
      "  plain=",
      "  [[ $rest == '~' || $rest == '~/'* ]] && rest=$HOME${rest:1}",
      "  rest=${rest//[\\\\\\\"\\']/}",
      "  while [[ $rest =~ ^([^$]*)[$]([{]?)([A-Za-z_][A-Za-z_0-9]*)[}]?(.*)$ ]]; do",
      "    name=${BASH_REMATCH[3]}",
      "    plain+=${BASH_REMATCH[1]}${!name}",
      "    rest=${BASH_REMATCH[4]}",
      "  done",
      "  plain+=$rest",
      "}",
    ]
  }

  /// bash splits `--option=value` at the `=`.
  private var start: [String] {
    [
      "  local IFS=$'\\n' current=${COMP_WORDS[COMP_CWORD]} previous=''",
      "  local verbs='' place=0 ended='' plain index word",
      "  local -a given=()",
      "  ((COMP_CWORD > 0)) && previous=${COMP_WORDS[COMP_CWORD-1]}",
      "  if [[ $current == '=' ]]; then",
      "    current=''",
      "  elif [[ $previous == '=' ]] && ((COMP_CWORD > 1)); then",
      "    previous=${COMP_WORDS[COMP_CWORD-2]}",
      "  fi",
      "  COMPREPLY=()",
    ]
  }

  /// Finds the typed verbs and the number of plain words after them.
  private var walk: [String] {
    var lines = [
      "  for ((index = 1; index < COMP_CWORD; index++)); do",
      "    word=${COMP_WORDS[index]}",
      "    if [[ $ended ]]; then ((place++)); continue; fi",
      "    case $word in",
      "      --)",
      "        case $verbs in",
    ]
    // Another program's command, other plain words, or nothing may follow.
    let commanding = nodes.filter { $0.command.trailing != nil }.map { pattern($0.verbs) }
    if !commanding.isEmpty {
      lines += [
        "          \(commanding.joined(separator: "|")))",
        "            if ((index + 1 == COMP_CWORD)); then",
        "              COMPREPLY=($(compgen -c -- \"$current\"))",
        "            else",
        "              COMPREPLY=($(compgen -f -- \"$current\"))",
        "            fi",
        "            return ;;",
      ]
    }
    let ending = nodes.filter { node in
      node.command.trailing == nil && !node.command.arguments.isEmpty
    }
    if !ending.isEmpty {
      let paths = ending.map { pattern($0.verbs) }.joined(separator: "|")
      lines.append("          \(paths)) ended=1 ;;")
    }
    lines += ["          *) return ;;", "        esac ;;"]
    let valued = nodes.flatMap { $0.command.options }.filter { $0.takesValue }
    let spellings = unique(valued.flatMap { $0.spellings })
    for option in handedOn {
      lines += [
        "      \(option.spellings.joined(separator: "|")))",
        "        [[ ${COMP_WORDS[index+1]} == '=' ]] && ((index++))",
        "        ((++index < COMP_CWORD)) && \(function)_plain \"${COMP_WORDS[index]}\" "
          + "&& given+=(\"--\(option.name)=$plain\") ;;",
      ]
      if let letter = option.short {
        lines += [
          "      -\(letter)?*)",
          "        \(function)_plain \"${word:2}\" && given+=(\"--\(option.name)=$plain\") ;;",
        ]
      }
    }
    if !spellings.isEmpty {
      lines += [
        "      \(spellings.joined(separator: "|")))",
        "        [[ ${COMP_WORDS[index+1]} == '=' ]] && ((index++))",
        "        ((index++)) ;;",
      ]
    }
    lines.append("      -*) ;;")
    let paths = nodes.filter { !$0.verbs.isEmpty }.map { pattern($0.verbs) }
    if paths.isEmpty {
      lines.append("      *) ((place++)) ;;")
    } else {
      lines += [
        "      *)",
        "        case \"$verbs/$word\" in",
        "          \(paths.joined(separator: "|"))) verbs=$verbs/$word ;;",
        "          *) ((place++)) ;;",
        "        esac ;;",
      ]
    }
    return lines + ["    esac", "  done"]
  }

  private var optionValues: [String] {
    var cases: [String] = []
    for node in nodes {
      let standard = node.verbs.isEmpty ? program.programOptions : []
      for option in node.ownOptions + standard where option.takesValue {
        // Verbs inherit options; the options of a default verb are valid without the verb.
        let place = singleQuoted(path(node.verbs))
        let below = option.spellings.flatMap { ["\(place)' \($0)'", "\(place)/*' \($0)'"] }
        cases.append("    \(below.joined(separator: "|")))")
        cases += candidates(option.kind).map { "      " + $0 }
        cases.append("      return ;;")
      }
    }
    if cases.isEmpty { return [] }
    return ["  [[ $ended ]] || case \"$verbs $previous\" in"] + cases + ["  esac"]
  }

  private var optionNames: [String] {
    var lines = ["  if [[ ! $ended && $current == -* ]]; then", "    case $verbs in"]
    for node in nodes {
      var names = node.options.map { "--" + $0.name } + ["--help"]
      if node.verbs.isEmpty { names += program.programOptions.map { "--" + $0.name } }
      if let verb = node.command.defaultVerb.flatMap(node.command.verb) {
        names += verb.options.map { "--" + $0.name }
      }
      lines.append("      \(pattern(node.verbs))) \(words(names)) ;;")
    }
    return lines + ["    esac", "    return", "  fi"]
  }

  private var plainWords: [String] {
    var lines = ["  case $verbs:$place in"]
    for node in nodes {
      if !node.command.groups.isEmpty {
        let names = node.command.verbs.map { $0.name }
        lines.append("    \(pattern(node.verbs)):0) \(words(names)) ;;")
      }
      for (place, argument) in node.command.arguments.enumerated() {
        let places = argument.takesSeveral ? "*" : String(place)
        lines.append("    \(pattern(node.verbs)):\(places))")
        lines += candidates(argument.kind).map { "      " + $0 }
        lines.append("      ;;")
      }
    }
    return lines + ["    *) ;;", "  esac"]
  }

  private func candidates(_ kind: ValueKind) -> [String] {
    switch kind {
    case .text, .name, .integer, .duration:
      []
    case .choice(let choices):
      [words(choices)]
    case .file:
      ["compopt -o filenames 2>/dev/null", "COMPREPLY=($(compgen -f -- \"$current\"))"]
    case .directory:
      ["compopt -o filenames 2>/dev/null", "COMPREPLY=($(compgen -d -- \"$current\"))"]
    case .listed(let command, let options):
      options.isEmpty
        ? ["\(function)_offer < <(\(command) 2>/dev/null)"]
        : ["\(function)_offer < <(\(command) ${given[@]+\"${given[@]}\"} 2>/dev/null)"]
    }
  }

  private func words(_ words: [String]) -> String {
    let list = unique(words).joined(separator: "\\n")
    return "COMPREPLY=($(compgen -W $'\(list)' -- \"$current\"))"
  }

  private func path(_ verbs: [String]) -> String {
    verbs.map { "/" + $0 }.joined()
  }

  private func pattern(_ verbs: [String]) -> String {
    verbs.isEmpty ? "''" : path(verbs)
  }
}

/// Each once, in the order of their first appearance.
func unique(_ words: [String]) -> [String] {
  var seen: Set<String> = []
  return words.filter { seen.insert($0).inserted }
}
