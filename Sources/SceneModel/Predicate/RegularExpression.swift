/// The text of MATCHES, in the part of ICU's grammar that needs no backtracking.
///
/// A match takes at most the length of the text times that of the program in steps, because all
/// alternatives advance together. There are no back references and no look-around.
struct RegularExpression: Hashable, Sendable {
  /// Why a text is no regular expression.
  struct Flaw: Error, CustomStringConvertible {
    let description: String
  }

  /// The most instructions of all expressions of a predicate. A count of repetitions repeats its
  /// instructions, and each member of a set counts.
  static let maximumLength = 2000

  enum Instruction: Hashable, Sendable {
    case character(CharacterSet)
    case assertion(Assertion)
    /// Continues at both distances from here.
    case split(Int, Int)
    case jump(Int)

    var length: Int {
      switch self {
      case .character(let set): set.members.count
      case .assertion, .split, .jump: 1
      }
    }
  }

  enum Assertion: Hashable, Sendable {
    case start
    case end
    case wordBoundary(Bool)
  }

  private let program: [Instruction]
  private let ignoresCase: Bool

  /// Parses an expression of at most `limit` instructions. It matches texts that are folded by the
  /// same options.
  init(
    _ text: String, _ options: PredicateComparison.Options, upTo limit: Int = Self.maximumLength
  ) throws(Flaw) {
    // Lower case would give `\D` another meaning.
    ignoresCase = options.contains(.caseInsensitive)
    var parser = RegularExpressionParser(
      options.contains(.diacriticInsensitive) ? text.withoutDiacritics : text,
      ignoresCase: ignoresCase, limit)
    program = try parser.parse()
  }

  var length: Int { program.reduce(0) { $0 + $1.length } }

  /// Whether the whole text matches.
  func matches(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    var states = States(count: program.count + 1)
    var next = states
    var forms: [Unicode.Scalar] = []
    add(0, to: &states, at: 0, of: scalars)
    for (index, scalar) in scalars.enumerated() {
      guard !states.list.isEmpty else { return false }
      next.list.removeAll(keepingCapacity: true)
      forms.removeAll(keepingCapacity: true)
      forms.append(scalar)
      if ignoresCase { forms += scalar.capitals }
      for state in states.list where state < program.count {
        guard case .character(let set) = program[state] else { continue }
        if forms.contains(where: set.hasMember) != set.isNegated {
          add(state + 1, to: &next, at: index + 1, of: scalars)
        }
      }
      swap(&states, &next)
    }
    return states.list.contains(program.count)
  }

  /// The instructions that wait for the next character, each once.
  private struct States {
    var list: [Int] = []
    /// The place in the text at which each instruction was reached last.
    private var places: [Int]

    init(count: Int) { places = Array(repeating: -1, count: count) }

    /// Returns whether the instruction is reached for the first time at this place.
    mutating func reach(_ state: Int, at place: Int) -> Bool {
      defer { places[state] = place }
      return places[state] != place
    }
  }

  private func add(
    _ first: Int, to states: inout States, at place: Int, of scalars: [Unicode.Scalar]
  ) {
    var waiting = [first]
    while let state = waiting.popLast() {
      guard states.reach(state, at: place) else { continue }
      guard state < program.count else {
        states.list.append(state)
        continue
      }
      switch program[state] {
      case .character: states.list.append(state)
      case .jump(let distance): waiting.append(state + distance)
      case .split(let one, let other): waiting += [state + one, state + other]
      case .assertion(let assertion):
        if holds(assertion, at: place, of: scalars) { waiting.append(state + 1) }
      }
    }
  }

  private func holds(
    _ assertion: Assertion, at place: Int, of scalars: [Unicode.Scalar]
  ) -> Bool {
    switch assertion {
    case .start: return place == 0
    case .end: return place == scalars.count
    case .wordBoundary(let expected):
      let before = place > 0 && CharacterSet.word.hasMember(scalars[place - 1])
      let after = place < scalars.count && CharacterSet.word.hasMember(scalars[place])
      return (before != after) == expected
    }
  }
}

/// The characters that one place of a regular expression matches.
struct CharacterSet: Hashable, Sendable {
  enum Member: Hashable, Sendable {
    case range(ClosedRange<Unicode.Scalar>)
    case digit(Bool)
    case word(Bool)
    case space(Bool)
  }

  var members: [Member]
  var isNegated = false

  static let word = Self(members: [.word(true)])
  /// All but the ends of a line.
  static let anyCharacter = Self(
    members: ["\n"..."\r", "\u{85}"..."\u{85}", "\u{2028}"..."\u{2029}"].map(Member.range),
    isNegated: true)

  func hasMember(_ scalar: Unicode.Scalar) -> Bool { members.contains { $0.contains(scalar) } }
}

extension Unicode.Scalar {
  /// The other characters with this lower case. The last five are not the upper case of theirs.
  var capitals: [Unicode.Scalar] {
    let candidates = [
      properties.uppercaseMapping, properties.titlecaseMapping,
      "\u{1E9E}\u{212A}\u{212B}\u{2126}\u{3F4}",
    ]
    return candidates.flatMap(\.unicodeScalars).filter {
      $0 != self && $0.properties.lowercaseMapping.unicodeScalars.elementsEqual([self])
    }
  }
}

extension CharacterSet.Member {
  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    switch self {
    case .range(let range): return range.contains(scalar)
    case .digit(let expected):
      return (properties.generalCategory == .decimalNumber) == expected
    case .space(let expected): return properties.isWhitespace == expected
    case .word(let expected):
      let isWord =
        properties.isAlphabetic
        || [
          .decimalNumber, .connectorPunctuation, .nonspacingMark, .spacingMark, .enclosingMark,
        ].contains(properties.generalCategory)
      return isWord == expected
    }
  }
}
