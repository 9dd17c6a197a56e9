import SceneCommandLine

/// A checked script: each line has an action.
package struct ScriptPlan: Sendable {
  /// The text of the script.
  package let text: String
  package let script: Script
  package let sections: [Section]
  /// The number of the last line to run; nil for the whole script.
  package let end: Int?

  package struct Section: Sendable {
    package let title: String
    package let line: Int
    /// Empty if the conditions exclude every line.
    package let steps: [Step]
  }

  package struct Step: Sendable {
    package let line: Script.Line
    package let role: ScriptVerb.Role
    package let action: ScriptVerb.Action
    /// The reason in an `error` line, which the lines above must have failed with.
    var statedError: String?
  }

  /// Parses and checks a script.
  ///
  /// - Parameters:
  ///   - text: the script.
  ///   - path: the path for error messages.
  ///   - verbs: the verbs that the script can use.
  ///   - environment: the variables for the conditions of lines.
  ///   - end: the number of the last line to run; nil for the whole script.
  /// - Throws: All errors of the script.
  package init(
    reading text: String, path: String, verbs: [ScriptVerb], environment: [String: String],
    upTo end: Int? = nil
  ) throws(ScriptErrors) {
    self.text = text
    var errors: [ScriptError]
    (script, errors) = Script.reading(text, path: path)
    self.end = end
    var sections: [Section] = []
    for section in script.sections {
      let lines = section.lines.prefix { $0.location.line <= end ?? .max }
      if lines.isEmpty { continue }
      var steps: [Step] = []
      for line in lines {
        do throws(ScriptError) {
          let step = try Self.step(line, verbs)
          guard line.conditions.allSatisfy({ $0.holds(in: environment) }) else { continue }
          steps.append(step)
        } catch {
          errors.append(error)
        }
      }
      sections.append(Section(title: section.title, line: section.line, steps: steps))
    }
    if errors.isEmpty, let error = script.missingSteps(upTo: end) { errors.append(error) }
    guard errors.isEmpty else {
      throw ScriptErrors(
        errors:
          errors.sorted {
            ($0.location.line, $0.location.column) < ($1.location.line, $1.location.column)
          })
    }
    self.sections = sections
  }

  private static func step(
    _ line: Script.Line, _ verbs: [ScriptVerb]
  ) throws(ScriptError) -> Step {
    switch line.content {
    case .typed(let name, let text):
      let name = name.text
      if let problem = ScriptClient.problem(typing: text, at: name) {
        throw ScriptError(line.location, problem)
      }
      return Step(line: line, role: .acts) { (environment) throws(StepFailure) in
        try environment.type(text, at: name)
      }
    case .command(let word, let words, let block):
      let location = line.location(atColumn: word.column)
      guard let verb = verbs.first(where: { $0.name == word.text }) else {
        if word.text == "--" {
          throw ScriptError(
            location, "expected only -- NAME -- on the line that begins a file")
        }
        let hint = suggestion(for: word.text, among: verbs.map(\.name))
        throw ScriptError(
          location,
          "unknown verb \"\(PlainText.escaped(word.text))\""
            + (hint.isEmpty
              ? "; begin the line with a verb, or with NAME: and the text to type" : hint))
      }
      var call = ScriptVerb.Call(
        verb: verb, line: line, words: words, block: block, location: location)
      if let block, !verb.takesBlock {
        // At the end of a line, `{}` can be an empty JSON object.
        guard block.isOneLine else { throw call.error("\(verb.name) takes no block") }
        call = call.withEmptyObject
      }
      return Step(
        line: line, role: verb.role, action: try verb.planning(call),
        statedError: verb.name == ScriptVerb.error.name ? call.texts.first : nil)
    }
  }
}

extension Script {
  /// The error of a script without any line to run.
  fileprivate func missingSteps(upTo end: Int?) -> ScriptError? {
    guard let first = sections.first?.lines.first?.location else {
      return ScriptError(
        ScriptLocation(file: path, line: 1),
        "the script is empty: expected at least one line, such as: broker start")
    }
    guard let end else { return nil }
    let location = ScriptLocation(file: path, line: end)
    if end > lineCount {
      let rest = files.isEmpty ? "" : ", and its files follow"
      return ScriptError(
        location, "no such line: the script ends with line \(lineCount)\(rest)")
    }
    if end < first.line {
      return ScriptError(
        location, "no step up to this line: the first step is on line \(first.line)")
    }
    return nil
  }
}
