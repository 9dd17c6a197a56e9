/// Compiles a regular expression into a program with relative jumps.
struct RegularExpressionParser {
  typealias Flaw = RegularExpression.Flaw
  typealias Program = [RegularExpression.Instruction]

  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var depth = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  mutating func parse() throws(Flaw) -> Program {
    let program = try readAlternatives()
    guard index == scalars.count else { throw expected("a ( before )") }
    return program
  }

  private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    index += 1
    return true
  }

  private func expected(_ what: String) -> Flaw {
    let found = next.map { String($0) } ?? "the end"
    return Flaw(
      description:
        "expected \(what) at character \(index + 1) of the regular expression, found \(found)")
  }

  // MARK: - Structure

  private mutating func readAlternatives() throws(Flaw) -> Program {
    depth += 1
    defer { depth -= 1 }
    guard depth <= ActivationPredicate.maximumDepth else {
      throw expected("at most \(ActivationPredicate.maximumDepth) parentheses inside each other")
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
    guard count <= RegularExpression.maximumLength else {
      throw expected("fewer repetitions: at most \(RegularExpression.maximumLength) steps")
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
    throw expected("no second repetition")
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
    guard skip("}"), least <= most ?? least else { throw expected("{n}, {n,} or {n,m}") }
    return (least, most)
  }

  private mutating func readNumber() throws(Flaw) -> Int {
    var digits = ""
    while let scalar = next, ("0"..."9").contains(scalar) {
      digits.unicodeScalars.append(scalar)
      index += 1
    }
    guard let number = Int(digits) else { throw expected("a number of repetitions") }
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
    case "*", "+", "?", "{": throw expected("something to repeat")
    case ".":
      index += 1
      return [.character(.anyCharacter)]
    case "^", "$":
      index += 1
      return [.assertion(scalars[index - 1] == "^" ? .start : .end)]
    case "\\":
      if index + 1 < scalars.count, ["b", "B"].contains(scalars[index + 1]) {
        index += 2
        return [.assertion(.wordBoundary(scalars[index - 1] == "b"))]
      }
      return [.character(CharacterSet(members: [try readMember()]))]
    default: return [.character(CharacterSet(members: [try readMember()]))]
    }
  }

  private mutating func readGroup() throws(Flaw) -> Program {
    index += 1
    if skip("?"), !skip(":") {
      throw expected(": after (?, because there are no options and no look-around")
    }
    let program = try readAlternatives()
    guard skip(")") else { throw expected(")") }
    return program
  }

  private mutating func readSet() throws(Flaw) -> CharacterSet {
    index += 1
    var set = CharacterSet(members: [], isNegated: skip("^"))
    repeat {
      guard let next, next != "[", next != "&" else {
        throw expected("a character or ]; write [ and & with a backslash")
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
      else { throw expected("a range from a lower to a higher character") }
      set.members.append(.range(first.lowerBound...last.upperBound))
    } while next != "]"
    index += 1
    return set
  }

  /// A character, or an escape for one or several.
  private mutating func readMember() throws(Flaw) -> CharacterSet.Member {
    guard let scalar = next else { throw expected("a character") }
    index += 1
    guard scalar == "\\" else { return .range(scalar...scalar) }
    guard let escaped = next else { throw expected("a character after the backslash") }
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
        throw expected(#"one of \d, \w, \s, \b, \n, \r, \t or a sign"#)
      }
      member = .range(escaped...escaped)
    }
    index += 1
    return member
  }
}
