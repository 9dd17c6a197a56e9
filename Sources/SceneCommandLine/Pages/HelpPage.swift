/// The help page of a program or of one of its verbs.
struct HelpPage {
  /// The declarations of the program and of the verbs, outermost first.
  let chain: [Command]
  let columns: Int?

  private var command: Command { chain[chain.count - 1] }
  private var name: String { chain.map { $0.name }.joined(separator: " ") }

  var text: String {
    var block = TextBlock(columns: columns)
    block.parts(["Usage: " + name] + HelpPage.synopsis(of: command), indent: 7)
    block.line()
    block.paragraphs(command.summary)
    if !command.details.isEmpty {
      block.line()
      block.paragraphs(command.details)
    }
    section("Arguments", command.explainedArguments, into: &block)
    writeVerbs(into: &block)
    writeOptions(into: &block)
    writeExamples(into: &block)
    for (heading, details) in command.sections {
      block.line()
      block.line(heading + ":")
      block.paragraphs(details, indent: 2)
    }
    section("Environment", command.environment.map { ($0.key, $0.value) }, into: &block)
    section("Exit status", command.exits.map { ("\($0.key.rawValue)", $0.value) }, into: &block)
    if !command.groups.isEmpty {
      block.line()
      block.paragraphs("'\(name) VERB --help' shows the help of a verb.")
    }
    return block.text
  }

  /// The parts of the usage line after the name, such as `[OPTION]… SESSION…`.
  static func synopsis(of command: Command) -> [String] {
    var parts = ["[OPTION]…"]
    if !command.groups.isEmpty {
      parts.append(command.defaultVerb == nil ? "VERB …" : "[VERB …]")
    }
    parts += command.arguments.map { argument in
      switch argument.count {
      case .one: argument.placeholder
      case .optional: "[\(argument.placeholder)]"
      case .several: "\(argument.placeholder)…"
      case .any: "[\(argument.placeholder)]…"
      }
    }
    if let trailing = command.trailing {
      let text = "-- \(trailing.placeholder) …"
      parts.append(trailing.isRequired ? text : "[\(text)]")
    }
    return parts
  }

  private func writeVerbs(into block: inout TextBlock) {
    for group in command.groups {
      let rows = group.verbs.map { verb in
        let mark = verb.name == command.defaultVerb ? " This is the default verb." : ""
        return (verb.name, verb.summary + mark)
      }
      section(group.heading, rows, into: &block)
    }
  }

  private func writeOptions(into block: inout TextBlock) {
    let help = chain[0].standardOptions.prefix(1)
    let above = chain.dropLast().reversed().flatMap { $0.options }
    if chain.count == 1 {
      section("Options", command.options + command.standardOptions, into: &block)
    } else if !command.inheritsOptions {
      section("Options", command.options + help, into: &block)
    } else {
      section("Options", command.options, into: &block)
      section("Options of every verb", above + help, into: &block)
    }
  }

  private func section(_ heading: String, _ options: [Option], into block: inout TextBlock) {
    section(heading, options.map { ($0.label, $0.explanation) }, into: &block)
  }

  private func writeExamples(into block: inout TextBlock) {
    if command.examples.isEmpty { return }
    block.line()
    block.line("Examples:")
    for (typed, outcome) in command.examples {
      block.line("  " + typed)
      block.paragraphs(outcome, indent: 6)
    }
  }

  private func section(
    _ heading: String, _ rows: [(label: String, text: String)], into block: inout TextBlock
  ) {
    if rows.isEmpty { return }
    block.line()
    block.line(heading + ":")
    block.rows(rows)
  }
}

extension Command {
  /// The arguments whose names are not enough.
  var explainedArguments: [(label: String, text: String)] {
    arguments.filter { !$0.help.isEmpty }.map { ($0.placeholder, $0.help) }
  }
}

extension Option {
  /// For example `-S, --socket PATH`.
  var label: String {
    let letter = short.map { "-\($0), " } ?? "    "
    return letter + "--" + name + (placeholder.map { " " + $0 } ?? "")
  }

  var explanation: String {
    var notes: [String] = []
    if let defaultValue { notes.append("default: \(defaultValue)") }
    if repeats { notes.append("may be repeated") }
    return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
  }
}
