package import SceneCommandLine

/// A verb of scripts.
///
/// `planning(_:)` parses a line before the script runs, and returns the action of the line.
package struct ScriptVerb: Sendable {
  package enum Role: Sendable {
    /// The line changes something. It starts a new trace and ends when the environment has settled.
    case acts
    /// The line changes nothing, but waits for changes.
    case waits
    /// The line reads the current state.
    case reads
  }

  package typealias Action = @Sendable (ScriptEnvironment) throws(StepFailure) -> Void
  package typealias Planning = @Sendable (Call) throws(ScriptError) -> Action

  package let name: String
  /// The syntax, such as `kill [-SIGNAL] NAME`.
  package let usage: String
  package let role: Role
  package let takesBlock: Bool
  package let planning: Planning

  package init(
    _ usage: String, _ role: Role, takesBlock: Bool = false, planning: @escaping Planning
  ) {
    name = usage.split(separator: " ").first.map(String.init) ?? usage
    self.usage = usage
    self.role = role
    self.takesBlock = takesBlock
    self.planning = planning
  }

  /// A line with this verb.
  package struct Call: Sendable {
    package let verb: ScriptVerb
    package let line: Script.Line
    package let words: [LocatedWord]
    package let block: Script.Block?
    /// The location of the verb.
    package let location: ScriptLocation

    package var texts: [String] { words.map(\.text) }

    /// The call with its empty block as a word.
    var withEmptyObject: Call {
      let column = location.column + line.text.unicodeScalars.count - 2
      return Call(
        verb: verb, line: line, words: words + [LocatedWord("{}", column: column)], block: nil,
        location: location)
    }

    /// The index of the first word in words that were joined with spaces.
    func index(of joined: String) -> Int? {
      texts.firstIndex { joined == $0 || joined.hasPrefix($0 + " ") }
    }

    /// An error at a word, or at the verb if the word is missing.
    package func error(_ message: String, at index: Int? = nil) -> ScriptError {
      guard let index, words.indices.contains(index) else { return ScriptError(location, message) }
      return ScriptError(line.location(atColumn: words[index].column), message)
    }

    /// The error "expected SYNTAX", with a suggestion for the wrong word.
    package func usageError(at index: Int? = nil, among known: [String] = []) -> ScriptError {
      let word = index.flatMap { words.indices.contains($0) ? words[$0].text : nil }
      let hint = word.map { suggestion(for: $0, among: known) } ?? ""
      return error("usage: \(verb.usage)\(hint)", at: index)
    }
  }
}

extension String {
  /// Whether a script accepts this word as a name in any position.
  package var isPlainName: Bool {
    guard let first, first.isLetter || first.isNumber, utf8.count <= 64 else { return false }
    return allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
      && self != "application" && self != "process"
  }

  /// The rule of ``isPlainName``, for error messages.
  package static let plainNameRule =
    "use 1 to 64 letters, digits, dots, dashes or underscores, with a letter or digit first, "
    + "but not application or process"
}

extension ScriptVerb {
  /// The verbs of scripts, and the control verbs whose names are not taken.
  package static func table(_ controlVerbs: ControlVerbs) -> [ScriptVerb] {
    let own = [
      broker, client, delegate, kill, freeze, thaw, hang, cut, disk, expect, awaiting, trace, error,
      exec,
      stdout, stderr, cmp,
    ]
    let names = Set(own.map(\.name))
    return own
      + controlVerbs.verbs.filter { !names.contains($0.name) }.map { control($0, of: controlVerbs) }
  }
}
