package import SceneJSON

/// A predicate on target content identifiers, in NSPredicate's grammar with only `self`.
///
/// It is one reference, because sessions are copied far more often than routed.
package struct ActivationPredicate: Hashable, Sendable {
  private let program: Program

  /// Parses a predicate with the values of its `%@` and `%K`. The work is proportional to the
  /// length of the text. The error states the position of the wrong character. With
  /// `forgivesValues`, a value of MATCHES that is no regular expression makes its comparison false.
  package init(
    _ text: String, _ arguments: [PredicateArgument] = [], maximumDepth: Int = Self.maximumDepth,
    forgivesValues: Bool = false
  ) throws(MemberError) {
    var parser = PredicateParser(text, arguments, maximumDepth, forgivesValues)
    self.init(steps: try parser.parse())
  }

  package static let everything = ActivationPredicate(steps: [.constant(true)])

  package init(containing text: String) {
    self.init(steps: [.comparison(PredicateComparison(.contains, [text]))])
  }

  /// From steps that leave one result.
  init(steps: [PredicateStep]) { program = Program(steps) }

  /// The most parentheses and NOTs around one comparison.
  package static let maximumDepth = 32

  /// Whether the identifier matches. Texts are compared by Unicode scalars, with `[c]` in lower
  /// case, with `[d]` without diacritics.
  package func matches(_ identifier: String) -> Bool {
    var folded: [PredicateComparison.Options: [UInt8]] = [[]: Array(identifier.utf8)]
    var results: [Bool] = []
    for step in program.steps {
      switch step {
      case .constant(let value): results.append(value)
      case .comparison(let comparison):
        let text = folded[comparison.options] ?? comparison.options.folded(identifier)
        folded[comparison.options] = text
        results.append(comparison.matches(text))
      case .not: results[results.count - 1].toggle()
      case .and:
        let last = results.removeLast()
        results[results.count - 1] = results[results.count - 1] && last
      case .or:
        let last = results.removeLast()
        results[results.count - 1] = results[results.count - 1] || last
      }
    }
    return results[0]
  }

  package static func == (one: Self, other: Self) -> Bool {
    one.program === other.program || one.program.text == other.program.text
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(program.text) }
}

extension ActivationPredicate: CustomStringConvertible {
  /// The canonical text. Parsing it gives the same predicate.
  package var description: String { program.text }
}

extension ActivationPredicate: JSONCodable {
  package static var expectation: String { "a predicate (a string)" }

  package init(reading value: JSONValue) throws(MemberError) {
    try self.init(String(reading: value))
  }

  package func write(to writer: inout JSONWriter) { writer.string(description) }
}

/// A predicate in postfix order, so that parsing and evaluation need no recursion.
private final class Program: Sendable {
  let steps: [PredicateStep]
  let text: String

  init(_ steps: [PredicateStep]) {
    self.steps = steps
    text = Self.text(of: steps)
  }

  /// The precedence of each form. A form with a lower one needs parentheses.
  private enum Binding: Int {
    case or
    case and
    case not
    case whole
  }

  private static func text(of steps: [PredicateStep]) -> String {
    var parts: [(text: String, binding: Binding)] = []
    func enclosed(_ part: (text: String, binding: Binding), atLeast: Binding) -> String {
      part.binding.rawValue < atLeast.rawValue ? "(\(part.text))" : part.text
    }
    for step in steps {
      switch step {
      case .constant(let value): parts.append((value ? "TRUEPREDICATE" : "FALSEPREDICATE", .whole))
      case .comparison(let comparison): parts.append((comparison.description, .whole))
      case .not: parts.append(("NOT " + enclosed(parts.removeLast(), atLeast: .not), .not))
      case .and, .or:
        let (word, binding) = step == .and ? ("AND", Binding.and) : ("OR", Binding.or)
        let last = enclosed(parts.removeLast(), atLeast: binding)
        let first = enclosed(parts.removeLast(), atLeast: binding)
        parts.append(("\(first) \(word) \(last)", binding))
      }
    }
    return parts[0].text
  }
}

/// A value for `%@` or `%K` in a predicate.
package enum PredicateArgument: Sendable {
  case text(String)
  case texts([String])
}

/// One step: a comparison, or an operator on earlier results.
enum PredicateStep: Hashable, Sendable {
  case constant(Bool)
  case comparison(PredicateComparison)
  case not
  case and
  case or
}
