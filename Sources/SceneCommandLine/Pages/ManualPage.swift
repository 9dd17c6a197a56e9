extension Command {
  /// The program's page for `man`, as roff with the `man` macros.
  ///
  /// The page contains no date except the caller's, so that builds are reproducible.
  package func manualPage(section: Int = 1, date: String = "") -> String {
    ManualPage(program: self, section: section, date: date).text
  }
}

private struct ManualPage {
  let program: Command
  let section: Int
  let date: String

  var text: String {
    var page = Roff()
    let title = program.name.uppercased()
    let source = "\(program.name) \(program.version ?? "")"
    page.request("TH", [title, String(section), date, source])
    // Hyphenation and justified spaces would change a command that a reader types.
    page.request("nh", [])
    page.request("ad l", [])
    page.heading("NAME")
    page.text("\(program.name) - \(asPhrase(program.summary))")
    page.heading("SYNOPSIS")
    page.text(([program.name] + HelpPage.synopsis(of: program)).joined(separator: " "))
    page.heading("DESCRIPTION")
    page.text(program.summary)
    page.text(program.details)
    writeRows(program.explainedArguments, &page)
    for (heading, details) in program.sections {
      page.request("SS", [heading])
      page.text(details)
    }
    writeOptions(into: &page)
    for group in program.groups {
      page.heading(group.heading.uppercased())
      for verb in group.verbs { writeVerb([program, verb], into: &page) }
    }
    if !program.environment.isEmpty { page.heading("ENVIRONMENT") }
    writeRows(program.environment.map { ($0.key, $0.value) }, &page)
    if !program.exits.isEmpty { page.heading("EXIT STATUS") }
    writeRows(program.exits.map { ("\($0.key.rawValue)", $0.value) }, &page)
    if !program.examples.isEmpty { page.heading("EXAMPLES") }
    writeExamples(of: program, into: &page)
    return page.source
  }

  private func writeOptions(into page: inout Roff) {
    page.heading("OPTIONS")
    writeRows(program.options.map { ($0.manualLabel, $0.explanation) }, &page)
    writeRows([("-h, --help", "show help for the program or the verb")], &page)
    writeRows(program.programOptions.map { ($0.manualLabel, $0.explanation) }, &page)
  }

  private func writeVerb(_ chain: [Command], into page: inout Roff) {
    let verb = chain[chain.count - 1]
    let name = chain.dropFirst().map { $0.name }.joined(separator: " ")
    page.request("SS", [([name] + HelpPage.synopsis(of: verb)).joined(separator: " ")])
    page.text(verb.summary)
    page.text(verb.details)
    writeRows(verb.explainedArguments, &page)
    writeRows(verb.options.map { ($0.manualLabel, $0.explanation) }, &page)
    writeRows(verb.exits.map { ("status \($0.key.rawValue)", $0.value) }, &page)
    writeExamples(of: verb, into: &page)
    for inner in verb.verbs { writeVerb(chain + [inner], into: &page) }
  }

  private func writeRows(_ rows: [(label: String, text: String)], _ page: inout Roff) {
    for row in rows {
      page.request("TP", [])
      page.bold(row.label)
      page.text(row.text, startsParagraph: false)
    }
  }

  private func writeExamples(of command: Command, into page: inout Roff) {
    for (typed, outcome) in command.examples {
      page.request("PP", [])
      page.bold(typed)
      page.request("RS", ["4"])
      page.text(outcome, startsParagraph: false)
      page.request("RE", [])
    }
  }

  /// The line of the name is a phrase, without a capital and a period.
  private func asPhrase(_ sentence: String) -> String {
    let body = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
    return body.prefix(1).lowercased() + body.dropFirst()
  }
}

/// The source of a page, line by line.
private struct Roff {
  private(set) var source = ""

  mutating func request(_ name: String, _ arguments: [String]) {
    source += "." + name
    for argument in arguments {
      source += " \"" + escaped(argument) + "\""
    }
    source += "\n"
  }

  mutating func heading(_ name: String) { request("SH", [name]) }

  /// Writes paragraphs with empty lines between them; nothing for an empty text.
  mutating func text(_ text: String, startsParagraph: Bool = true) {
    var starts = startsParagraph
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.allSatisfy({ $0 == " " }) {
        starts = true
        continue
      }
      if starts { source += ".PP\n" }
      starts = false
      source += protected(escaped(String(line))) + "\n"
    }
  }

  mutating func bold(_ text: String) {
    source += "\\fB" + escaped(text) + "\\fR\n"
  }

  /// Escapes dashes and backslashes, and writes only ASCII, because groff guesses the encoding of
  /// other bytes.
  private func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "…": result += "..."
      case "\"": result += "\\(dq"
      case _ where character.isASCII: result.append(character)
      default:
        for scalar in character.unicodeScalars {
          let digits = String(scalar.value, radix: 16, uppercase: true)
          result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
        }
      }
    }
    return result
  }

  /// A line that begins with a dot or a quote would be a request.
  private func protected(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }
}

extension Option {
  fileprivate var manualLabel: String {
    let value = placeholder.map { " " + $0 } ?? ""
    return spellings.joined(separator: ", ") + value
  }
}
