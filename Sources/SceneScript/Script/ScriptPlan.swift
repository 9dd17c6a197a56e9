import CommandLine

/// A script that was understood: every line with what it does.
package struct ScriptPlan: Sendable {
  package let script: Script
  package let sections: [Section]
  /// The number of the last line that is done; nil if all are.
  package let end: Int?

  package struct Section: Sendable {
    package let title: String
    package let line: Int
    package let steps: [Step]
  }

  package struct Step: Sendable {
    package let line: Script.Line
    package let role: ScriptVerb.Role
    package let action: ScriptVerb.Action
  }

  /// Understands a script, up to one of its lines if that is asked for. All that is wrong with it
  /// is told at once.
  package init(
    reading text: String, path: String, verbs: [ScriptVerb], environment: [String: String],
    upTo end: Int? = nil
  ) throws(ScriptFlaws) {
    var flaws: [ScriptFlaw]
    (script, flaws) = Script.reading(text, path: path)
    self.end = end
    var sections: [Section] = []
    for section in script.sections {
      var steps: [Step] = []
      for line in section.lines where line.place.line <= end ?? .max {
        do throws(ScriptFlaw) {
          let step = try Self.step(line, verbs)
          guard line.conditions.allSatisfy({ $0.holds(in: environment) }) else { continue }
          steps.append(step)
        } catch {
          flaws.append(error)
        }
      }
      if !steps.isEmpty {
        sections.append(Section(title: section.title, line: section.line, steps: steps))
      }
    }
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
      return Step(line: line, role: .acts) { (stage) throws(StepFailure) in
        try stage.type(text, at: name)
      }
    case .command(let word, let words, let block):
      let place = line.place(atColumn: word.column)
      guard let verb = verbs.first(where: { $0.name == word.text }) else {
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
      return Step(line: line, role: verb.role, action: try verb.planning(call))
    }
  }
}
