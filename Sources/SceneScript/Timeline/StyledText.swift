package import SceneCommandLine

/// A line of text with several styles.
package struct StyledText {
  private var pieces: [(text: String, style: Style)] = []

  package init() {}

  package mutating func add(_ text: String, _ style: Style) {
    if let last = pieces.last, last.style == style || text.allSatisfy({ $0 == " " }) {
      pieces[pieces.count - 1].text += text
    } else {
      pieces.append((text, style))
    }
  }

  /// Without spaces at the end.
  package func text(colored: Bool) -> String {
    guard colored else {
      let text = pieces.map(\.text).joined()
      return String(text.prefix(text.count - text.reversed().prefix { $0 == " " }.count))
    }
    return pieces.map { $0.style.applied(to: $0.text) }.joined()
  }
}

extension String {
  /// The text in ASCII, with `\u{…}` for other characters.
  var spelledInASCII: String {
    guard utf8.contains(where: { $0 >= 0x80 }) else { return self }
    return unicodeScalars.map { scalar in
      switch scalar {
      case "→": "->"
      case "←": "<-"
      case _ where scalar.isASCII: String(scalar)
      default: "\\u{\(String(scalar.value, radix: 16))}"
      }
    }.joined()
  }
}
