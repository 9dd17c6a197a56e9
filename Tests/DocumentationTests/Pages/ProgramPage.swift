@testable import SceneCommandLine

/// The manual page of a program, from its command table.
struct ProgramPage {
  static let columns = 120

  private let program: Command
  private var lines: [String] = []

  init(_ program: Command) {
    self.program = program
    write()
  }

  var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func write() {
    heading("# \(program.name)(1)")
    paragraph(program.summary)
    heading("## Overview")
    body(of: [program])
    list(rows(program.arguments))
    for (title, details) in program.sections {
      heading("## \(title)")
      for group in paragraphs(of: details) { write(group) }
    }
    section("Options", standardRows(program.options))
    for group in program.groups {
      heading("## \(group.heading)")
      for verb in group.verbs { write([program, verb]) }
    }
    section("Environment", program.environment.map { ($0.key, $0.value) })
    section("Exit status", program.exits.map { ("\($0.key.rawValue)", $0.value) })
    if !program.examples.isEmpty { heading("## Examples") }
    examples(of: program)
    lines.append("<!-- scripts/docs --update writes this page from the help. -->")
  }

  private mutating func write(_ chain: [Command]) {
    let verb = chain[chain.count - 1]
    heading("### \(chain.dropFirst().map { $0.name }.joined(separator: " "))")
    paragraph(verb.summary)
    body(of: chain)
    list(rows(verb.arguments) + rows(verb.options))
    if !verb.exits.isEmpty { paragraph("Exit status:") }
    list(verb.exits.map { ("\($0.key.rawValue)", $0.value) })
    examples(of: verb)
    for inner in verb.verbs { write(chain + [inner]) }
  }

  /// The command line and the details.
  private mutating func body(of chain: [Command]) {
    let command = chain[chain.count - 1]
    block("text", [(chain.map { $0.name } + HelpPage.synopsis(of: command)).joined(separator: " ")])
    for group in paragraphs(of: command.details) { write(group) }
  }

  private func paragraphs(of text: String) -> [[String]] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .split { $0.allSatisfy { $0 == " " } }.map { $0.map(String.init) }
  }

  /// Writes a paragraph. A paragraph of short lines is a table and keeps its lines, as examples do.
  private mutating func write(_ lines: [String]) {
    let isTable = lines.count > 1 && lines.allSatisfy { $0.count <= 60 }
    var shown: [String] = []
    for line in lines {
      if isTable || line.hasPrefix(" ") || line.hasPrefix("{") {
        shown.append(line)
        continue
      }
      block("text", shown)
      shown = []
      paragraph(line)
    }
    block("text", shown)
  }

  private func rows(_ arguments: [Argument]) -> [(String, String)] {
    arguments.filter { !$0.help.isEmpty }.map { ($0.placeholder, $0.help) }
  }

  private func rows(_ options: [Option]) -> [(String, String)] {
    options.map { option in
      let value = option.placeholder.map { " " + $0 } ?? ""
      return (option.spellings.joined(separator: ", ") + value, option.explanation)
    }
  }

  private func standardRows(_ options: [Option]) -> [(String, String)] {
    rows(options) + [("-h, --help", "show help for the program or the verb")]
      + rows(Array(program.programOptions))
  }

  // MARK: - Markdown

  private mutating func heading(_ text: String) { lines += [text, ""] }

  private mutating func paragraph(_ text: String) {
    guard !text.isEmpty else { return }
    lines += wrapped(text) + [""]
  }

  private mutating func block(_ language: String, _ shown: [String]) {
    guard !shown.isEmpty else { return }
    lines += ["```\(language)"] + shown + ["```", ""]
  }

  private mutating func section(_ title: String, _ rows: [(String, String)]) {
    guard !rows.isEmpty else { return }
    heading("## \(title)")
    list(rows)
  }

  private mutating func list(_ rows: [(String, String)]) {
    guard !rows.isEmpty else { return }
    for (label, text) in rows { lines += wrapped(text, first: "- `\(label)`:", margin: "  ") }
    lines.append("")
  }

  private mutating func examples(of command: Command) {
    for (typed, outcome) in command.examples {
      block("sh", [typed])
      paragraph(outcome)
    }
  }

  /// Lines of at most `columns` columns. A code span stays on one line.
  private func wrapped(_ text: String, first: String = "", margin: String = "") -> [String] {
    var lines: [String] = []
    var line = first
    for word in words(of: text) {
      if line.isEmpty {
        line = word
      } else if line.count + 1 + word.count <= Self.columns {
        line += " " + word
      } else {
        lines.append(line)
        line = margin + word
      }
    }
    return lines + [line]
  }

  /// The words, with escapes for the characters that Markdown interprets outside code spans.
  private func words(of text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var isInSpan = false
    for character in text {
      if character == "`" { isInSpan.toggle() }
      if character == " ", !isInSpan {
        words.append(word)
        word = ""
        continue
      }
      if !isInSpan, "*<[\\".contains(character) { word += "\\" }
      word.append(character)
    }
    return (words + [word]).filter { !$0.isEmpty }
  }
}
