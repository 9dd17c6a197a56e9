package import CommandLine

/// A verb of scripts: how a line with it is understood, and what is done.
///
/// `planning(_:)` understands a line before anything of the script is done; what it returns is
/// done when the line's turn has come.
package struct ScriptVerb: Sendable {
  package enum Role: Sendable {
    /// Changes something: a trace is told from here on, and the line is over when all is quiet.
    case acts
    /// Changes nothing, but lets things happen.
    case waits
    /// Only looks.
    case looks
  }

  package typealias Action = @Sendable (Stage) throws(StepFailure) -> Void
  package typealias Planning = @Sendable (Call) throws(ScriptFlaw) -> Action

  package let name: String
  /// As it is to be written, such as `kill [-SIGNAL] NAME`.
  package let usage: String
  package let role: Role
  /// Whether a block may follow.
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

  /// A line with a verb, the verb left out.
  package struct Call: Sendable {
    package let verb: ScriptVerb
    package let line: Script.Line
    package let words: [LocatedWord]
    package let block: Script.Block?
    /// Where the verb stands.
    package let place: ScriptPlace

    package var texts: [String] { words.map(\.text) }

    /// With its empty block as the word that it was written as.
    var withEmptyObject: Call {
      let column = place.column + line.text.unicodeScalars.count - 2
      return Call(
        verb: verb, line: line, words: words + [LocatedWord("{}", column: column)], block: nil,
        place: place)
    }

    /// Where several words begin that were put together with blanks.
    func index(of joined: String) -> Int? {
      texts.firstIndex { joined == $0 || joined.hasPrefix($0 + " ") }
    }

    /// What is wrong with a word of the line, or at its end where there is none.
    package func flaw(_ message: String, at index: Int? = nil) -> ScriptFlaw {
      guard let index, words.indices.contains(index) else { return ScriptFlaw(place, message) }
      return ScriptFlaw(line.place(atColumn: words[index].column), message)
    }

    /// It is not written as it is to be; where the word is, one of these may have been meant.
    package func misuse(at index: Int? = nil, among known: [String] = []) -> ScriptFlaw {
      let word = index.flatMap { words.indices.contains($0) ? words[$0].text : nil }
      let advice = word.map { suggestion(for: $0, among: known) } ?? ""
      return flaw("expected \(verb.usage)\(advice)", at: index)
    }
  }
}

extension ScriptVerb {
  /// All verbs: those of scripts, and of the user's hand those that have no other meaning here.
  package static func table(_ hand: Hand) -> [ScriptVerb] {
    let own = [
      broker, client, delegate, kill, freeze, thaw, hang, cut, disk, expect, awaiting, trace, error,
      exec,
      stdout, stderr, cmp,
    ]
    let names = Set(own.map(\.name))
    return own
      + hand.verbs.filter { !names.contains($0.name) }.map { control($0, of: hand) }
  }
}
