package import JSON

/// Says of a target content identifier whether it is one for a scene: NSPredicate's grammar, for
/// `self` alone.
///
/// It is handed on as one reference, since sessions are looked at far more often than routed to.
package struct ActivationPredicate: Hashable, Sendable {
  private let program: Program

  /// Parses a predicate.
  ///
  /// - Throws: what was expected where, `PredicateError`. The work is in proportion to the length of
  ///   the text, and nothing in it nests deeper than `maximumDepth`.
  package init(_ text: String) throws(PredicateError) {
    var parser = PredicateParser(text)
    self.init(steps: try parser.parse())
  }

  /// Of steps that leave one result.
  init(steps: [PredicateStep]) { program = Program(steps) }

  /// Parentheses and NOTs around one comparison.
  package static let maximumDepth = 32

  /// Whether the identifier is one of those it means. Texts are compared as they are, scalar by
  /// scalar, and with `[c]` both in small letters.
  package func matches(_ identifier: String) -> Bool {
    let plain = Array(identifier.utf8)
    var small: [UInt8]?
    var results: [Bool] = []
    for step in program.steps {
      switch step {
      case .constant(let value): results.append(value)
      case .comparison(let comparison):
        if comparison.ignoresCase, small == nil { small = Array(identifier.lowercased().utf8) }
        results.append(comparison.matches(comparison.ignoresCase ? small ?? plain : plain))
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
    one.program === other.program || one.program.steps == other.program.steps
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(program.steps) }
}

extension ActivationPredicate: CustomStringConvertible {
  /// The one way in which it is written: read again, it is the same.
  package var description: String { program.text }
}

extension ActivationPredicate: JSONCodable {
  package static var expectation: String { "a predicate (a string)" }

  package init(reading value: JSONValue) throws(MemberError) {
    let text = try String(reading: value)
    do throws(PredicateError) {
      try self.init(text)
    } catch {
      throw MemberError(problem: error.description)
    }
  }

  package func write(to writer: inout JSONWriter) { writer.string(description) }
}

/// A predicate with its operands first, so that neither reading it nor asking it needs recursion.
private final class Program: Sendable {
  let steps: [PredicateStep]
  let text: String

  init(_ steps: [PredicateStep]) {
    self.steps = steps
    text = Self.text(of: steps)
  }

  /// How tightly each form holds together: what is looser needs parentheses.
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
        let (word, binding, next) =
          step == .and ? ("AND", Binding.and, Binding.not) : ("OR", Binding.or, Binding.and)
        let last = enclosed(parts.removeLast(), atLeast: next)
        let first = enclosed(parts.removeLast(), atLeast: binding)
        parts.append(("\(first) \(word) \(last)", binding))
      }
    }
    return parts[0].text
  }
}

/// One step of a predicate: what it is compared with, or what is made of the results before.
enum PredicateStep: Hashable, Sendable {
  case constant(Bool)
  case comparison(PredicateComparison)
  case not
  case and
  case or
}
