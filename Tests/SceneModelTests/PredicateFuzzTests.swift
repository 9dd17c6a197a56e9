import Testing

@testable import SceneModel

/// Random predicates. The same seed produces the same predicates.
struct PredicateFuzzTests {
  /// A predicate as a tree, which is written and then compared with the parser's result.
  private indirect enum Tree {
    case constant(Bool)
    case comparison(PredicateComparison)
    case not(Tree)
    case and(Tree, Tree)
    case or(Tree, Tree)

    var steps: [PredicateStep] {
      switch self {
      case .constant(let value): [.constant(value)]
      case .comparison(let comparison): [.comparison(comparison)]
      case .not(let tree): tree.steps + [.not]
      case .and(let one, let other): one.steps + other.steps + [.and]
      case .or(let one, let other): one.steps + other.steps + [.or]
      }
    }

    func matches(_ text: String) -> Bool {
      switch self {
      case .constant(let value): value
      case .comparison(let comparison): comparison.matches(Array(text.utf8))
      case .not(let tree): !tree.matches(text)
      case .and(let one, let other): one.matches(text) && other.matches(text)
      case .or(let one, let other): one.matches(text) || other.matches(text)
      }
    }
  }

  private struct Author {
    var dice: SplitMix

    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &dice) }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
      elements[number(0...elements.count - 1)]
    }

    mutating func text() -> String {
      let letters = ["a", "b", "/", "é", "\"", "\\", "'", "\n", "\t", "\r", "*", "?", "\u{301}"]
      return (0..<number(0...4)).map { _ in pick(letters) }.joined()
    }

    mutating func tree(_ depth: Int) -> Tree {
      guard depth > 0, number(0...2) > 0 else {
        guard number(0...5) > 0 else { return .constant(number(0...1) == 0) }
        let comparison = pick(PredicateComparison.Operator.allCases.filter { $0 != .matches })
        let count = comparison == .isIn ? number(0...3) : 1
        return .comparison(PredicateComparison(comparison, (0..<count).map { _ in text() }))
      }
      return switch number(0...2) {
      case 0: .not(tree(depth - 1))
      case 1: .and(tree(depth - 1), tree(depth - 1))
      default: .or(tree(depth - 1), tree(depth - 1))
      }
    }

    mutating func expression(_ depth: Int) -> String {
      guard depth > 0 else { return pick(["a", "b", ".", "[ab]", "[^a]", #"\d"#, #"\W"#, ""]) }
      return switch number(0...3) {
      case 0: expression(depth - 1) + expression(depth - 1)
      case 1: "(\(expression(depth - 1))|\(expression(depth - 1)))"
      case 2: "(?:\(expression(depth - 1)))\(pick(["*", "+", "?", "{2}", "{1,}", "{0,2}"]))"
      default: pick(["^", ""]) + expression(depth - 1) + pick(["$", ""])
      }
    }

    /// Writes a tree in a random form: with additional parentheses, in either case, in either
    /// notation.
    mutating func write(_ tree: Tree) -> String {
      switch tree {
      case .constant(let value):
        return pick(value ? ["TRUEPREDICATE", "truepredicate"] : ["FALSEPREDICATE"])
      case .comparison(let comparison):
        let texts = comparison.texts.map { quoted($0) }
        let operand =
          comparison.comparison == .isIn
          ? "{\(texts.joined(separator: pick([",", " , "])))}" : texts.joined()
        let word = comparison.comparison.rawValue
        return "\(pick(["self", "SELF"])) \(pick([word, word.lowercased()]))\(pick(["", " "]))"
          + operand
      case .not(let tree): return pick(["NOT ", "!", "not "]) + enclosed(tree)
      case .and(let one, let other):
        return enclosed(one) + pick([" AND ", "&&", " and "]) + enclosed(other)
      case .or(let one, let other):
        return enclosed(one) + pick([" OR ", "||", " or "]) + enclosed(other)
      }
    }

    private mutating func enclosed(_ tree: Tree) -> String {
      switch tree {
      case .constant, .comparison: number(0...1) == 0 ? write(tree) : "(\(write(tree)))"
      case .not, .and, .or: "(\(write(tree)))"
      }
    }

    private mutating func quoted(_ text: String) -> String {
      let quote = pick(["\"", "'"])
      let escapes = ["\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", quote: "\\" + quote]
      return quote + text.unicodeScalars.map { escapes[String($0)] ?? String($0) }.joined() + quote
    }
  }

  @Test("F59: a written predicate is read as the same, and its description too", arguments: 1...20)
  func roundTrip(seed: UInt64) throws {
    var author = Author(dice: SplitMix(seed: seed))
    for _ in 0..<100 {
      let tree = author.tree(5)
      let written = author.write(tree)
      let predicate = try ActivationPredicate(written)
      #expect(predicate == ActivationPredicate(steps: tree.steps), "seed \(seed): \(written)")
      #expect(
        try ActivationPredicate(predicate.description) == predicate,
        "seed \(seed): \(predicate)")
      for _ in 0..<5 {
        let text = author.text()
        #expect(
          predicate.matches(text) == tree.matches(text), "seed \(seed): \(written) of \(text)")
      }
    }
  }

  @Test("LIKE matches the texts that an exhaustive search matches", arguments: 1...20)
  func like(seed: UInt64) {
    func matches(_ pattern: Substring.UnicodeScalarView, _ text: Substring.UnicodeScalarView)
      -> Bool
    {
      guard let first = pattern.first else { return text.isEmpty }
      if first == "*" {
        return matches(pattern.dropFirst(), text)
          || !text.isEmpty && matches(pattern, text.dropFirst())
      }
      guard let next = text.first, first == "?" || first == next else { return false }
      return matches(pattern.dropFirst(), text.dropFirst())
    }
    var author = Author(dice: SplitMix(seed: seed))
    for _ in 0..<300 {
      let pattern = (0..<author.number(0...6)).map { _ in author.pick(["a", "é", "*", "?"]) }
        .joined()
      let text = (0..<author.number(0...6)).map { _ in author.pick(["a", "é", "b"]) }.joined()
      let expected = matches(Substring(pattern).unicodeScalars, Substring(text).unicodeScalars)
      #expect(
        PredicateComparison(.like, [pattern]).matches(Array(text.utf8)) == expected,
        "seed \(seed): \(text) LIKE \(pattern)")
    }
  }

  @Test("MATCHES matches the texts that Swift's Regex matches", arguments: 1...20)
  func regularExpressions(seed: UInt64) throws {
    var author = Author(dice: SplitMix(seed: seed))
    for _ in 0..<100 {
      let pattern = author.expression(3)
      let regex = try Regex(pattern).matchingSemantics(.unicodeScalar)
      let expression = try RegularExpression(pattern, [])
      for _ in 0..<5 {
        let text = (0..<author.number(0...5)).map { _ in author.pick(["a", "b", "1", " "]) }
          .joined()
        #expect(
          try expression.matches(text) == (regex.wholeMatch(in: text) != nil),
          "seed \(seed): \(text) MATCHES \(pattern)")
      }
    }
  }

  @Test(
    "no text crashes the parser, and the position of an error is in the text or at its end",
    arguments: 1...20)
  func garbage(seed: UInt64) {
    let parts = [
      "self", "==", "!", "NOT", "AND", "||", "(", ")", "{", "}", ",", "'a'", "\"", "'", "\\", "IN",
      "LIKE", "[c]", "TRUEPREDICATE", " ", "é", "\u{0}", "😀", "x", "MATCHES", "[d", "%@", "'a|(b'",
      "nil", #"'\ud8"#, "%",
    ]
    var author = Author(dice: SplitMix(seed: seed))
    for _ in 0..<500 {
      let text = (0..<author.number(0...20)).map { _ in author.pick(parts) }
        .joined(separator: author.pick(["", " "]))
      checkPredicate(text)
    }
  }
}

/// A text is a predicate that its description describes, or an error has a position in the text.
func checkPredicate(_ text: String) {
  do throws(MemberError) {
    let predicate = try ActivationPredicate(text)
    #expect((try? ActivationPredicate(predicate.description)) == predicate, "\(text)")
    _ = predicate.matches("note/1")
  } catch {
    let position = error.problem.wholeMatch(of: /at character (\d+): (?s:.+)/)
      .map { Int($0.1) ?? 0 }
    #expect(1...text.unicodeScalars.count + 1 ~= position ?? 0, "\(text): \(error)")
  }
}
