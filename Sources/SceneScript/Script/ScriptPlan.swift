import CommandLine

/// A script that was understood: every line with what it does.
package struct ScriptPlan: Sendable {
  /// As it was read.
  package let text: String
  package let script: Script
  package let sections: [Section]
  /// The number of the last line that is done; nil if all are.
  package let end: Int?

  package struct Section: Sendable {
    package let title: String
    package let line: Int
    /// None where no line's condition holds here.
    package let steps: [Step]
  }

  package struct Step: Sendable {
    package let line: Script.Line
    package let role: ScriptVerb.Role
    package let action: ScriptVerb.Action
    /// With what the lines above it are to have failed, where it says that.
    var statedError: String?
  }

  /// Understands a script, up to one of its lines if that is asked for. All that is wrong with it
  /// is told at once.
  package init(
    reading text: String, path: String, verbs: [ScriptVerb], environment: [String: String],
    upTo end: Int? = nil
  ) throws(ScriptFlaws) {
    self.text = text
    var flaws: [ScriptFlaw]
    (script, flaws) = Script.reading(text, path: path)
    self.end = end
    var sections: [Section] = []
    for section in script.sections {
      let lines = section.lines.prefix { $0.place.line <= end ?? .max }
      if lines.isEmpty { continue }
      var steps: [Step] = []
      for line in lines {
        do throws(ScriptFlaw) {
          let step = try Self.step(line, verbs)
          guard line.conditions.allSatisfy({ $0.holds(in: environment) }) else { continue }
          steps.append(step)
        } catch {
          flaws.append(error)
        }
      }
      sections.append(Section(title: section.title, line: section.line, steps: steps))
    }
    if flaws.isEmpty, let flaw = script.emptiness(upTo: end) { flaws.append(flaw) }
    guard flaws.isEmpty else {
      throw ScriptFlaws(
        flaws.sorted { ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column) })
    }
    self.sections = sections
  }

  private static func step(
    _ line: Script.Line, _ verbs: [ScriptVerb]
  ) throws(ScriptFlaw) -> Step {
    switch line.content {
    case .typed(let name, let text):
      let name = name.text
      if let complaint = Player.complaint(aboutTyping: text, at: name) {
        throw ScriptFlaw(line.place, complaint)
      }
      return Step(line: line, role: .acts) { (stage) throws(StepFailure) in
        try stage.type(text, at: name)
      }
    case .command(let word, let words, let block):
      let place = line.place(atColumn: word.column)
      guard let verb = verbs.first(where: { $0.name == word.text }) else {
        if word.text == "--" {
          throw ScriptFlaw(
            place, "expected -- NAME --, with nothing before it and nothing behind it, for a file")
        }
        let advice = suggestion(for: word.text, among: verbs.map(\.name))
        throw ScriptFlaw(
          place,
          "there is no verb \(PlainText.escaped(word.text))"
            + (advice.isEmpty ? "; expected a verb, or NAME: and what is typed there" : advice))
      }
      var call = ScriptVerb.Call(
        verb: verb, line: line, words: words, block: block, place: place)
      if let block, !verb.takesBlock {
        // At the end of a line `{}` may be an empty object as well.
        guard block.isOneLine else { throw call.flaw("\(verb.name) takes no block") }
        call = call.withEmptyObject
      }
      return Step(
        line: line, role: verb.role, action: try verb.planning(call),
        statedError: verb.name == ScriptVerb.error.name ? call.texts.first : nil)
    }
  }
}

extension Script {
  /// What there is instead where nothing would be done at all, or not up to the line that is meant.
  fileprivate func emptiness(upTo end: Int?) -> ScriptFlaw? {
    guard let first = sections.first?.lines.first?.place else {
      return ScriptFlaw(
        ScriptPlace(path, line: 1),
        "the script does nothing: expected at least one line, such as: broker start")
    }
    guard let end else { return nil }
    let place = ScriptPlace(path, line: end)
    if end > lineCount {
      let rest = files.isEmpty ? "" : ", and its files follow"
      return ScriptFlaw(
        place, "there is no such line: the script ends with line \(lineCount)\(rest)")
    }
    if end < first.line {
      return ScriptFlaw(
        place, "nothing is done up to here: the first line that does something is \(first.line)")
    }
    return nil
  }
}
