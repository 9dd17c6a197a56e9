/// One comparison of `self`, with a text or, for IN, with several.
struct PredicateComparison: Hashable, Sendable {
  /// Corresponds to `NSComparisonPredicate.Options`.
  struct Options: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    static let caseInsensitive = Self(rawValue: 1)
    static let diacriticInsensitive = Self(rawValue: 2)

    /// The bytes that are compared.
    func folded(_ text: String) -> [UInt8] {
      let plain = contains(.diacriticInsensitive) ? text.withoutDiacritics : text
      return Array((contains(.caseInsensitive) ? plain.lowercased() : plain).utf8)
    }
  }

  enum Operator: String, CaseIterable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case like = "LIKE"
    case matches = "MATCHES"
    case isIn = "IN"
  }

  let comparison: Operator
  let options: Options
  let texts: [String]
  private let bytes: [[UInt8]]
  private let pattern: LikePattern
  private let expression: RegularExpression?

  /// MATCHES has an expression, which is its parsed text.
  init(
    _ comparison: Operator, _ texts: [String], options: Options = [],
    expression: RegularExpression? = nil
  ) {
    self.comparison = comparison
    self.options = options
    self.texts = texts
    bytes = texts.map(options.folded)
    pattern = LikePattern(comparison == .like ? bytes.first ?? [] : [])
    self.expression = expression
  }

  /// Whether a text matches that is folded by the options.
  func matches(_ text: [UInt8]) -> Bool {
    switch comparison {
    case .matches: expression?.matches(String(decoding: text, as: UTF8.self)) == true
    case .equal: text == bytes.first
    case .notEqual: text != bytes.first
    case .beginsWith: text.starts(with: bytes.first ?? [])
    case .endsWith: text.reversed().starts(with: (bytes.first ?? []).reversed())
    case .contains: contains(text, bytes.first ?? [])
    case .like: pattern.matches(text)
    case .isIn: bytes.contains(text)
    }
  }

  private func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    guard part.count <= text.count else { return false }
    return (0...text.count - part.count).contains { text[$0...].starts(with: part) }
  }
}

extension PredicateComparison: CustomStringConvertible {
  var description: String {
    let quoted = texts.map(Self.quoted)
    let operand = comparison == .isIn ? "{\(quoted.joined(separator: ", "))}" : quoted.joined()
    let letters =
      (options.contains(.caseInsensitive) ? "c" : "")
      + (options.contains(.diacriticInsensitive) ? "d" : "")
    return "self \(comparison.rawValue)\(letters.isEmpty ? "" : "[\(letters)]") \(operand)"
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        quoted.unicodeScalars.append("\\")
        quoted.unicodeScalars.append(scalar)
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

/// The pattern of LIKE: `*` matches any text, `?` one Unicode scalar. A backslash escapes both.
struct LikePattern: Hashable, Sendable {
  private enum Element: Hashable, Sendable {
    case byte(UInt8)
    case anyCharacter
    case anyText
  }

  private let elements: [Element]

  init(_ bytes: [UInt8]) {
    var elements: [Element] = []
    var isEscaped = false
    for byte in bytes {
      if isEscaped {
        elements.append(.byte(byte))
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "*") {
        if elements.last != .anyText { elements.append(.anyText) }
      } else {
        elements.append(byte == UInt8(ascii: "?") ? .anyCharacter : .byte(byte))
      }
    }
    if isEscaped { elements.append(.byte(UInt8(ascii: "\\"))) }
    self.elements = elements
  }

  /// Only the last `*` is retried, because an earlier one gains nothing. The steps are at most the
  /// bytes of the text times those of the pattern.
  func matches(_ text: [UInt8]) -> Bool {
    var (place, element) = (0, 0)
    var newest: (element: Int, place: Int)?
    while place < text.count {
      if element < elements.count, elements[element] == .anyText {
        newest = (element, place)
        element += 1
      } else if element < elements.count, let next = end(of: elements[element], in: text, at: place)
      {
        (place, element) = (next, element + 1)
      } else if let star = newest {
        newest = (star.element, star.place + 1)
        (place, element) = (star.place + 1, star.element + 1)
      } else {
        return false
      }
    }
    return elements[element...].allSatisfy { $0 == .anyText }
  }

  /// The index after an element that matches here; nil if it does not.
  private func end(of element: Element, in text: [UInt8], at place: Int) -> Int? {
    func isContinuation(_ place: Int) -> Bool { text[place] & 0xC0 == 0x80 }
    switch element {
    case .byte(let byte): return text[place] == byte ? place + 1 : nil
    case .anyCharacter:
      guard !isContinuation(place) else { return nil }
      var end = place + 1
      while end < text.count, isContinuation(end) { end += 1 }
      return end
    case .anyText: return nil
    }
  }
}
