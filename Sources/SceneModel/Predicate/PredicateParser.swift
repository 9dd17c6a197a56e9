/// Parses a predicate into its steps. The stack is explicit, so a client's text cannot exhaust the
/// thread's stack.
struct PredicateParser {
  private var scanner: PredicateScanner
  private var token = PredicateScanner.Token(kind: .end, position: 1, source: "")
  private var steps: [PredicateStep] = []
  /// The open forms, the outermost first.
  private var open: [Opening] = []
  private var depth = 0
  private var arguments: ArraySlice<PredicateArgument>
  private let maximumDepth: Int
  private let forgivesValues: Bool
  /// The steps that are left for the regular expressions.
  private var expressionLength = RegularExpression.maximumLength

  private enum Opening: Equatable {
    case parenthesis
    case not
    case and
    case or

    /// Whether the operator precedes one that follows it.
    func binds(before next: Opening) -> Bool {
      switch (self, next) {
      case (.parenthesis, _), (.or, .and): false
      case (.not, _), (.and, _), (.or, _): true
      }
    }
  }

  init(
    _ text: String, _ arguments: [PredicateArgument], _ maximumDepth: Int, _ forgivesValues: Bool
  ) {
    scanner = PredicateScanner(text)
    self.arguments = arguments[...]
    (self.maximumDepth, self.forgivesValues) = (maximumDepth, forgivesValues)
  }

  mutating func parse() throws(MemberError) -> [PredicateStep] {
    try advance()
    while true {
      try readOperand()
      guard try !readOperator() else { continue }
      guard arguments.isEmpty else {
        throw MemberError(at: token.position, "expected %@ for each value, found the end")
      }
      return steps
    }
  }

  // MARK: - Operands

  /// NOTs and parentheses, then their operand.
  private mutating func readOperand() throws(MemberError) {
    while true {
      switch token.kind {
      case .word("NOT"), .symbol("!"): try begin(.not)
      case .symbol("("): try begin(.parenthesis)
      case .word("TRUEPREDICATE"), .word("FALSEPREDICATE"):
        steps.append(.constant(token.kind == .word("TRUEPREDICATE")))
        return try advance()
      case .word("SELF"): return try readComparison()
      case .symbol("%K"):
        guard case .text(let name)? = arguments.popFirst(), name.lowercased() == "self" else {
          throw MemberError(at: token.position, "expected the value \"self\" for %K")
        }
        return try readComparison()
      case .word, .symbol, .options, .text, .end:
        throw expected("self, TRUEPREDICATE, FALSEPREDICATE, NOT or (")
      }
    }
  }

  private mutating func begin(_ opening: Opening) throws(MemberError) {
    depth += 1
    guard depth <= maximumDepth else {
      throw MemberError(at: token.position, "nested more than \(maximumDepth) levels deep")
    }
    open.append(opening)
    try advance()
  }

  private mutating func readComparison() throws(MemberError) {
    try advance()
    guard let comparison = comparison else {
      throw expected("==, !=, BEGINSWITH, ENDSWITH, CONTAINS, LIKE, MATCHES or IN")
    }
    try advance()
    let options = try readOptions()
    if comparison == .equal || comparison == .notEqual,
      [.word("NIL"), .word("NULL")].contains(token.kind)
    {
      steps.append(.constant(comparison == .notEqual))
      return try advance()
    }
    let (position, isValue) = (token.position, token.kind == .symbol("%@"))
    let texts = comparison == .isIn ? try readTexts() : [try readText("a text in quotes")]
    var expression: RegularExpression?
    if comparison == .matches {
      do throws(RegularExpression.Flaw) {
        let parsed = try RegularExpression(texts.joined(), options, upTo: expressionLength)
        expressionLength -= parsed.length
        expression = parsed
      } catch {
        guard isValue, forgivesValues else { throw MemberError(at: position, error.description) }
        steps.append(.constant(false))
        return
      }
    }
    steps.append(
      .comparison(
        PredicateComparison(comparison, texts, options: options, expression: expression)))
  }

  private mutating func readOptions() throws(MemberError) -> PredicateComparison.Options {
    var options: PredicateComparison.Options = []
    guard case .options(let letters) = token.kind else { return options }
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      default: throw expected("[c], [d] or [cd], which ignore case and diacritics")
      }
    }
    try advance()
    return options
  }

  private var comparison: PredicateComparison.Operator? {
    switch token.kind {
    case .symbol("="): .equal
    case .symbol("<>"): .notEqual
    case .word(let word), .symbol(let word): .init(rawValue: word)
    case .options, .text, .end: nil
    }
  }

  private mutating func readTexts() throws(MemberError) -> [String] {
    if token.kind == .symbol("%@"), case .texts(let texts)? = arguments.first {
      arguments.removeFirst()
      try advance()
      return texts
    }
    guard token.kind == .symbol("{") else { throw expected("{ and texts in quotes") }
    try advance()
    if token.kind == .symbol("}") {
      try advance()
      return []
    }
    var texts: [String] = []
    while true {
      texts.append(try readText(texts.isEmpty ? "a text in quotes or }" : "a text in quotes"))
      switch token.kind {
      case .symbol(","): try advance()
      case .symbol("}"):
        try advance()
        return texts
      case .word, .symbol, .options, .text, .end: throw expected(", or }")
      }
    }
  }

  private mutating func readText(_ what: String) throws(MemberError) -> String {
    let value = token.kind == .symbol("%@") ? arguments.popFirst() : nil
    let found: String
    switch (token.kind, value) {
    case (.text(let text), _), (_, .text(let text)): found = text
    case (_, .texts):
      throw MemberError(at: token.position, "expected a text as the value of %@, found several")
    case (.word, nil), (.symbol, nil), (.options, nil), (.end, nil): throw expected(what)
    }
    try advance()
    return found
  }

  // MARK: - Operators

  /// The operator after an operand; false at the end.
  private mutating func readOperator() throws(MemberError) -> Bool {
    while true {
      switch token.kind {
      case .word("AND"), .symbol("&&"):
        finish(before: .and)
        open.append(.and)
        try advance()
        return true
      case .word("OR"), .symbol("||"):
        finish(before: .or)
        open.append(.or)
        try advance()
        return true
      case .symbol(")"):
        finish(before: .or)
        guard open.popLast() == .parenthesis else { throw expected("AND, OR or the end") }
        depth -= 1
        try advance()
      case .end:
        finish(before: .or)
        guard open.isEmpty else { throw expected("AND, OR or )") }
        return false
      case .word, .symbol, .options, .text:
        throw expected(open.contains(.parenthesis) ? "AND, OR or )" : "AND, OR or the end")
      }
    }
  }

  /// Completes the forms with a higher precedence.
  private mutating func finish(before next: Opening) {
    while let last = open.last, last.binds(before: next) {
      open.removeLast()
      switch last {
      case .parenthesis: preconditionFailure("a parenthesis binds nothing")
      case .not:
        depth -= 1
        steps.append(.not)
      case .and: steps.append(.and)
      case .or: steps.append(.or)
      }
    }
  }

  // MARK: - Words

  private mutating func advance() throws(MemberError) { token = try scanner.next() }

  private func expected(_ what: String) -> MemberError {
    let found = token.kind == .end ? "the end" : token.source.clipped(to: 40)
    return MemberError(at: token.position, "expected \(what), found \(found)")
  }
}

extension MemberError {
  /// The error of a predicate. `position` counts the characters from 1; `clause` states the
  /// problem, for example "expected a text in quotes, found AND".
  init(at position: Int, _ clause: String) {
    self.init(problem: "at character \(position): \(clause)")
  }
}
