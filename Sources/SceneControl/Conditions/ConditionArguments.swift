import SceneCommandLine
import SceneModel

/// The conditions of a command line. Each argument is a condition, but a lone `!` negates the next
/// one, and a state or PATH=VALUE continues the one before.
package enum ConditionArguments {
  package static func conditions(_ arguments: [String]) throws(ConditionError) -> [Condition] {
    var groups: [(text: String, words: [String])] = []
    for argument in arguments {
      if let last = groups.indices.last, groups[last].words.allSatisfy({ $0 == "!" }) {
        groups[last].words += try words(of: argument)
        groups[last].text += " " + argument
      } else if let last = groups.indices.last, !Condition.beginsCondition(argument) {
        groups[last].words.append(argument)
        groups[last].text += " " + argument
      } else {
        groups.append((argument, try words(of: argument)))
      }
    }
    var conditions: [Condition] = []
    for group in groups {
      do throws(ConditionError) {
        conditions.append(try Condition(words: group.words))
      } catch {
        throw ConditionError(problem: error.problem, word: error.word, argument: group.text)
      }
    }
    return conditions
  }

  /// The likelier states come first.
  package static var states: [String] {
    ActivationState.allCases.reversed().map(\.rawValue) + [Condition.foregroundWord]
      + ApplicationPhase.allCases.map(\.rawValue)
  }

  /// The message for a condition on an unknown session whose name is probably a mistyped state.
  package static func likelyTypo(in condition: Condition, isFirst: Bool) -> String? {
    guard case .session(let who) = condition.subject, !condition.isNegated else { return nil }
    let start = "no session is called \(PlainText.escaped(who))"
    if states.contains(who) { return start + "; put a state after its session" }
    // A mistyped state looks like the subject of another condition.
    guard !isFirst else { return nil }
    let suggestion = suggestion(for: who, among: states)
    return suggestion.isEmpty ? nil : start + suggestion
  }

  private static func words(of argument: String) throws(ConditionError) -> [String] {
    do throws(ShellWordsError) {
      let words = try ShellWords.located(argument)
      let hasQuotes = argument.contains { "'\"\\{[".contains($0) }
      return hasQuotes ? words.map(\.text) : joiningName(words, of: argument)
    } catch {
      throw ConditionError(problem: error.description, argument: argument)
    }
  }

  /// Joins the words of a name with spaces, whose quotes the shell has removed.
  private static func joiningName(_ words: [LocatedWord], of argument: String) -> [String] {
    let texts = words.map(\.text)
    let start = texts.prefix { $0 == "!" }.count
    let end = texts.lastIndex(where: Condition.beginsCondition).map { $0 + 1 } ?? 0
    guard end > start + 1 else { return texts }
    let rest = texts[(start + 1)..<end]
    // A state, or a word that is nearly one, is probably not a part of a name.
    guard
      rest.allSatisfy({
        Condition.beginsCondition($0) && suggestion(for: $0, among: states).isEmpty
      })
    else { return texts }
    let scalars = Array(argument.unicodeScalars)
    let last = words[end - 1]
    let name = scalars[
      (words[start].column - 1)..<(last.column - 1 + last.text.unicodeScalars.count)]
    return texts[..<start] + [String(String.UnicodeScalarView(name))] + texts[end...]
  }
}

extension ConditionError {
  /// The problem of a word that is probably a mistyped state; nil for any other word.
  var likelyCause: String? {
    guard let word else { return nil }
    if ConditionArguments.states.contains(word) {
      return "\"\(word)\" is a state, and a topic has no state; use PATH=VALUE"
    }
    let advice = suggestion(for: word, among: ConditionArguments.states)
    return advice.isEmpty ? nil : "\"\(word)\" is neither a state nor PATH=VALUE" + advice
  }
}
