/// A wrong command line.
package struct UsageError: Error, Equatable, Sendable {
  /// The program and its verbs, such as "scenectl journal verify".
  package var command: String
  /// The problem, without the name of the command.
  package var message: String
  /// The wrong word, if one is wrong.
  package var word: String?
  /// The right word that the message suggests.
  package var suggestion: String?
  /// Whether the word is an unknown option.
  package var isUnknownOption = false
}

extension UsageError {
  /// The index of the wrong word; nil if no word is wrong or the word is unknown.
  package func index(in words: [String]) -> Int? {
    guard let word else { return nil }
    return word.hasPrefix("-")
      ? words.firstIndex { $0 == word || $0.hasPrefix(word + "=") } : words.lastIndex(of: word)
  }
}

extension UsageError: CustomStringConvertible {
  /// Two lines for standard error: the problem and the hint.
  package var description: String { "\(command): \(message)\n\(hint)" }

  /// The hint to the help page.
  package var hint: String { "Try '\(command) --help'." }
}
