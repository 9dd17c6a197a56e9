/// Makes foreign text safe to show: the result cannot move the cursor, hide other text or end a
/// line.
package enum PlainText {
  /// Escapes control characters and direction marks as JSON does.
  package static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    return text.unicodeScalars.map { isUnsafe($0) ? escape($0) : String($0) }.joined()
  }

  /// A safe word, in quotes if it is empty or has spaces at its ends.
  package static func word(_ text: String) -> String {
    let safe = escaped(text)
    return safe.isEmpty || safe.contains(where: \.isWhitespace) ? "\"\(safe)\"" : safe
  }

  /// Escapes a text of several lines; keeps the line breaks.
  package static func escapedLines(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { escaped(String($0)) }.joined(separator: "\n")
  }

  /// Whether a terminal obeys a scalar instead of showing it.
  package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true
    // Line and paragraph separators, marks and overrides of direction.
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default:
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }

  // MARK: - Columns

  /// The width in columns of a terminal.
  package static func width(_ text: String) -> Int {
    text.utf8.count == text.unicodeScalars.count
      ? text.utf8.count : text.reduce(0) { $0 + width($1) }
  }

  /// The text cut to `columns`, with an ellipsis in place of the rest: of the end, or of the
  /// beginning.
  package static func cut(_ text: String, to columns: Int, keepsEnd: Bool = false) -> String {
    guard width(text) > columns else { return text }
    var left = columns - 1
    let fits = { (character: Character) in
      left -= width(character)
      return left >= 0
    }
    return keepsEnd
      ? "…" + String(text.reversed().prefix(while: fits).reversed())
      : text.prefix(while: fits) + "…"
  }

  /// The text in lines of at most `columns`, broken at spaces if possible.
  package static func wrapped(_ text: String, to columns: Int) -> [String] {
    guard width(text) > columns else { return [text] }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, width(line) + 1 + width(String(word)) <= columns {
        line += " " + word
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = ""
      for character in word {
        if !line.isEmpty, width(line) + width(character) > columns {
          lines.append(line)
          line = ""
        }
        line.append(character)
      }
    }
    lines.append(line)
    return lines
  }

  private static func width(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    return wide.contains { $0.contains(first.value) } ? 2 : 1
  }

  /// The scalars of two columns: Hangul, kana, ideographs, full-width forms and emoji.
  private static var wide: [ClosedRange<UInt32>] {
    [
      0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
      0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
  }
}
