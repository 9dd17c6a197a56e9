/// A wrong command line.
package struct UsageError: Error, Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    case unknownOption(String, suggestion: String?)
    case missingValue(option: String, placeholder: String)
    case unexpectedValue(option: String)
    /// The value of an option or an argument is wrong.
    case badValue(name: String, complaint: String)
    case exclusiveOptions(String, String)
    case unknownVerb(String, suggestion: String?)
    case missingVerb(verbs: [String])
    case missingArgument(String)
    case unexpectedArgument(String, suggestion: String?)
    case missingCommand(String)
    /// An argument, counted from 1, that is not UTF-8.
    case notText(place: Int, bytes: ContiguousArray<UInt8>, IllFormedText)
    case other(String)
  }

  /// The program and its verbs, such as "scenectl journal verify".
  package var command: String
  package var reason: Reason

  package init(command: String, reason: Reason) {
    self.command = command
    self.reason = reason
  }
}

extension UsageError {
  /// The problem, without the name of the command.
  package var message: String {
    switch reason {
    case .unknownOption(let name, let suggestion):
      "unknown option \(name)" + UsageError.question(suggestion)
    case .missingValue(let option, let placeholder):
      "option \(option) needs a value (\(placeholder))"
    case .unexpectedValue(let option):
      "option \(option) takes no value"
    case .badValue(let name, let complaint):
      "\(name): \(complaint)"
    case .exclusiveOptions(let one, let other):
      "\(one) and \(other) cannot be used together"
    case .unknownVerb(let name, let suggestion):
      "unknown verb \"\(name)\"" + UsageError.question(suggestion)
    case .missingVerb(let verbs):
      "a verb is missing; use one of \(verbs.joined(separator: ", "))"
    case .missingArgument(let placeholder):
      "\(placeholder) is missing"
    case .unexpectedArgument(let word, let suggestion):
      "unexpected argument \"\(word)\"" + UsageError.question(suggestion)
    case .missingCommand(let placeholder):
      "a command is missing: -- \(placeholder) …"
    case .notText(let place, let bytes, let error):
      "argument \(place) (\"\(String(showing: bytes.prefix(100)))\") is not text: \(error)"
    case .other(let message):
      message
    }
  }

  private static func question(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean \($0)?" } ?? ""
  }
}

extension UsageError {
  /// The index of the wrong word; nil if no word is wrong or the word is unknown.
  package func index(in words: [String]) -> Int? {
    switch reason {
    case .unknownOption(let name, _), .unexpectedValue(let name), .missingValue(let name, _):
      words.firstIndex { $0 == name || $0.hasPrefix(name + "=") }
    case .unknownVerb(let word, _), .unexpectedArgument(let word, _):
      words.lastIndex(of: word)
    case .badValue, .exclusiveOptions, .missingVerb, .missingArgument, .missingCommand, .notText,
      .other:
      nil
    }
  }
}

extension UsageError: CustomStringConvertible {
  /// Two lines for standard error: the problem and the hint.
  package var description: String { "\(command): \(message)\n\(hint)" }

  /// The hint to the help page.
  package var hint: String { "Try '\(command) --help'." }
}
