/// Compiles a regular expression into a program with relative jumps.
struct RegularExpressionParser {
  typealias Flaw = RegularExpression.Flaw
  typealias Program = [RegularExpression.Instruction]

  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var depth = 0
  private let ignoresCase: Bool
  private let limit: Int

  init(_ text: String, ignoresCase: Bool, _ limit: Int) {
    scalars = Array(text.unicodeScalars)
    (self.ignoresCase, self.limit) = (ignoresCase, limit)
  }

  mutating func parse() throws(Flaw) -> Program {
    let program = try readAlternatives()
    guard index == scalars.count else { throw flaw("unmatched )", "remove or escape the )") }
    try checkLength(program.reduce(0) { $0 + $1.length })
    return program
  }

  private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    index += 1
    return true
  }

  private func flaw(_ why: String, _ remedy: String) -> Flaw {
    Flaw(description: "invalid regular expression: \(why) at character \(index + 1); \(remedy)")
  }

  // MARK: - Structure

  private mutating func readAlternatives() throws(Flaw) -> Program {
    depth += 1
    defer { depth -= 1 }
    guard depth <= ActivationPredicate.maximumDepth else {
      throw flaw(
        "more than \(ActivationPredicate.maximumDepth) nested groups", "use fewer groups")
    }
    var program = try readSequence()
    while skip("|") {
      let other = try readSequence()
      program = [.split(1, program.count + 2)] + program + [.jump(other.count + 1)] + other
      try checkLength(program.count)
    }
    return program
  }

  private mutating func readSequence() throws(Flaw) -> Program {
    var program: Program = []
    while let scalar = next, scalar != "|", scalar != ")" {
      let atom = try readAtom()
      program += try readRepetition(of: atom)
      try checkLength(program.count)
    }
    return program
  }

  private func checkLength(_ count: Int) throws(Flaw) {
    guard count <= limit else {
      throw flaw(
        "more than \(RegularExpression.maximumLength) steps in the predicate",
        "use fewer or smaller repetitions and sets")
    }
  }

  // MARK: - Repetition

  private mutating func readRepetition(of atom: Program) throws(Flaw) -> Program {
    guard let (least, most) = try readCounts() else { return atom }
    // A shorter match is as good as a longer one.
    _ = skip("?")
    guard let next, ["*", "+", "?", "{"].contains(next) else {
      return try repeated(atom, least, most)
    }
    throw flaw("second repetition", "enclose the first one in (?: and )")
  }

  /// Nil without a repetition; the second number is nil without a limit.
  private mutating func readCounts() throws(Flaw) -> (Int, Int?)? {
    if skip("*") { return (0, nil) }
    if skip("+") { return (1, nil) }
    if skip("?") { return (0, 1) }
    guard skip("{") else { return nil }
    let least = try readNumber()
    var most: Int? = least
    if skip(",") { most = next == "}" ? nil : try readNumber() }
    guard skip("}"), least <= most ?? least else { throw invalidCount }
    return (least, most)
  }

  private var invalidCount: Flaw { flaw("invalid repetition", "write {n}, {n,} or {n,m}") }

  private mutating func readNumber() throws(Flaw) -> Int {
    var digits = ""
    while let scalar = next, ("0"..."9").contains(scalar) {
      digits.unicodeScalars.append(scalar)
      index += 1
    }
    guard let number = Int(digits) else { throw invalidCount }
    try checkLength(number)
    return number
  }

  private func repeated(_ atom: Program, _ least: Int, _ most: Int?) throws(Flaw) -> Program {
    try checkLength(atom.count * max(least, most ?? 0))
    var program: Program = []
    for _ in 0..<least { program += atom }
    if let most {
      for _ in least..<most { program += [.split(1, atom.count + 1)] + atom }
    } else {
      program += [.split(1, atom.count + 2)] + atom + [.jump(-atom.count - 1)]
    }
    return program
  }

  // MARK: - Atoms

  private mutating func readAtom() throws(Flaw) -> Program {
    switch next {
    case "(": return try readGroup()
    case "[": return [.character(try readSet())]
    case "*", "+", "?", "{":
      throw flaw("nothing to repeat", "put a part before or escape the character")
    case ".":
      index += 1
      return [.character(.anyCharacter)]
    case "^", "$":
      index += 1
      return [.assertion(scalars[index - 1] == "^" ? .start : .end)]
    case "\\" where index + 1 < scalars.count && ["b", "B"].contains(scalars[index + 1]):
      index += 2
      return [.assertion(.wordBoundary(scalars[index - 1] == "b"))]
    default:
      let member = try readMember()
      guard ignoresCase, case .range(let range) = member else {
        return [.character(CharacterSet(members: [member]))]
      }
      // The lower case of `İ` has two characters.
      return range.lowerBound.properties.lowercaseMapping.unicodeScalars.map {
        .character(CharacterSet(members: [.range($0...$0)]))
      }
    }
  }

  private mutating func readGroup() throws(Flaw) -> Program {
    index += 1
    if skip("?"), !skip(":") {
      throw flaw("unsupported group", "write (?: or (")
    }
    let program = try readAlternatives()
    guard skip(")") else { throw flaw("group without end", "add a )") }
    return program
  }

  private mutating func readSet() throws(Flaw) -> CharacterSet {
    index += 1
    var set = CharacterSet(members: [], isNegated: skip("^"))
    repeat {
      guard let next, next != "[", next != "&" else {
        throw flaw("invalid set", "end the set with ], and escape [ and &")
      }
      let member = try readMember()
      guard next != "-", self.next == "-", index + 1 < scalars.count, scalars[index + 1] != "]"
      else {
        set.members.append(member)
        continue
      }
      index += 1
      guard case .range(let first) = member, case .range(let last) = try readMember(),
        first.lowerBound <= last.upperBound
      else { throw flaw("invalid range", "write the lower character first") }
      set.members.append(.range(first.lowerBound...last.upperBound))
    } while next != "]"
    index += 1
    return set
  }

  /// A character, or an escape for one or several.
  private mutating func readMember() throws(Flaw) -> CharacterSet.Member {
    guard let scalar = next else { throw flaw("unexpected end", "add a character") }
    index += 1
    guard scalar == "\\" else { return .range(scalar...scalar) }
    guard let escaped = next else {
      throw flaw("unexpected end", "add a character after the backslash")
    }
    let member: CharacterSet.Member
    switch escaped {
    case "d", "D": member = .digit(escaped == "d")
    case "w", "W": member = .word(escaped == "w")
    case "s", "S": member = .space(escaped == "s")
    case "n": member = .range("\n"..."\n")
    case "r": member = .range("\r"..."\r")
    case "t": member = .range("\t"..."\t")
    default:
      guard !escaped.properties.isAlphabetic, escaped.properties.numericType == nil else {
        throw flaw("unknown escape", #"use \d, \w, \s, \b, \n, \r, \t or a sign"#)
      }
      member = .range(escaped...escaped)
    }
    index += 1
    return member
  }
}
