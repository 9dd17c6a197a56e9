/// The tokens of a predicate.
struct PredicateScanner {
  struct Token: Equatable {
    var kind: Kind
    /// The position of the first character, from 1.
    var position: Int
    /// The token's text.
    var source: String
  }

  enum Kind: Equatable {
    /// In upper case. Keywords can have either case.
    case word(String)
    case symbol(String)
    /// The letters between brackets.
    case options(String)
    case text(String)
    case end
  }

  private let scalars: [Unicode.Scalar]
  private var index = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// The next token; `end` at the end and after it.
  mutating func next() throws(MemberError) -> Token {
    while index < scalars.count, scalars[index].properties.isWhitespace { index += 1 }
    let start = index
    let kind = try scan()
    return Token(kind: kind, position: start + 1, source: source(from: start))
  }

  private func source(from start: Int) -> String {
    var source = String.UnicodeScalarView()
    source.append(contentsOf: scalars[start..<index])
    return String(source)
  }

  private mutating func scan() throws(MemberError) -> Kind {
    guard index < scalars.count else { return .end }
    let first = scalars[index]
    if first == "\"" || first == "'" { return .text(try scanText()) }
    if Self.isLetter(first) {
      let start = index
      while index < scalars.count, Self.isLetter(scalars[index]) { index += 1 }
      return .word(source(from: start).uppercased())
    }
    if first == "[" { return scanOptions() }
    for symbol in Self.symbols where starts(with: symbol) {
      index += symbol.unicodeScalars.count
      return .symbol(symbol)
    }
    index += 1
    return .symbol(String(first))
  }

  /// The longer operators come first.
  private static let symbols = ["==", "!=", "<>", "&&", "||", "%@", "%K"]

  private mutating func scanOptions() -> Kind {
    let start = index + 1
    index = start
    while index < scalars.count, Self.isLetter(scalars[index]) { index += 1 }
    let letters = source(from: start)
    guard index < scalars.count, scalars[index] == "]" else { return .symbol("[" + letters) }
    index += 1
    return .options(letters)
  }

  private func starts(with symbol: String) -> Bool {
    scalars[index...].starts(with: symbol.unicodeScalars)
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
  }

  private mutating func scanText() throws(MemberError) -> String {
    let start = index
    let quote = scalars[index]
    var text = String.UnicodeScalarView()
    index += 1
    while index < scalars.count, scalars[index] != quote {
      if scalars[index] == "\\" {
        text.append(try scanEscape())
      } else {
        text.append(scalars[index])
      }
      index += 1
    }
    guard index < scalars.count else {
      throw MemberError(
        at: start + 1, "expected \(quote) at the end of the text that begins here")
    }
    index += 1
    return String(text)
  }

  /// The character that a backslash sequence stands for. `index` is at the character after the
  /// backslash.
  private mutating func scanEscape() throws(MemberError) -> Unicode.Scalar {
    index += 1
    let escaped = index < scalars.count ? scalars[index] : nil
    switch escaped {
    case "\\", "\"", "'", "/": return escaped ?? "\\"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "b": return "\u{8}"
    case "f": return "\u{c}"
    case "u": return try scanUnicode()
    default:
      throw MemberError(
        at: index,
        #"expected \\, \", \', or an escape of JSON; to mean a backslash, write two"#)
    }
  }

  /// `uXXXX`, or two of them for a surrogate pair, as JSON has them.
  private mutating func scanUnicode() throws(MemberError) -> Unicode.Scalar {
    let start = index
    let first = scanHexDigits()
    if let first, let scalar = Unicode.Scalar(first) { return scalar }
    if let first, first < 0xDC00, scalars[(index + 1)...].starts(with: #"\u"#.unicodeScalars) {
      index += 2
      if let second = scanHexDigits(), 0xDC00...0xDFFF ~= second {
        let value = 0x10000 + (UInt32(first) - 0xD800) << 10 + UInt32(second) - 0xDC00
        if let scalar = Unicode.Scalar(value) { return scalar }
      }
    }
    throw MemberError(at: start, #"expected \u with the four hexadecimal digits of a character"#)
  }

  /// Four digits after the index, which then is at the last of them.
  private mutating func scanHexDigits() -> UInt16? {
    var digits = ""
    for scalar in scalars[(index + 1)...].prefix(4) where scalar.properties.isASCIIHexDigit {
      digits.unicodeScalars.append(scalar)
    }
    guard digits.count == 4 else { return nil }
    index += 4
    return UInt16(digits, radix: 16)
  }
}
