import SceneScript

/// A script whose last `trace` or `expect` is changed so that it fails.
struct ModifiedScript {
  let text: String
  /// The changed lines, counted from 1.
  let lines: ClosedRange<Int>

  /// Nil for a script without such a line.
  init?(_ script: String) {
    var lines = script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let end = lines.firstIndex { $0.hasPrefix("-- ") && $0.hasSuffix(" --") } ?? lines.endIndex
    let last = lines[..<end].lastIndex { $0.hasPrefix("expect ") || $0.hasPrefix("trace ") }
    guard let last else { return nil }
    var location = last
    if lines[last].hasPrefix("trace ") {
      guard let brace = lines[last..<end].firstIndex(of: "}"),
        let pattern = lines[last..<brace].lastIndex(where: { $0 != "    ..." }), pattern > last
      else { return nil }
      location = pattern
      self.lines = last + 1...brace + 1
    } else {
      self.lines = last + 1...last + 1
    }
    lines[location] = Self.modified(lines[location])
    text = lines.joined(separator: "\n")
  }

  /// Replaces the last literal of a line.
  private static func modified(_ line: String) -> String {
    // A negated condition loses its negation.
    if let denial = line.ranges(of: "'! ").last {
      return line.replacingCharacters(in: denial, with: "'")
    }
    let hasQuote = line.hasSuffix("'")
    let words = (hasQuote ? String(line.dropLast()) : line).split(
      separator: " ", omittingEmptySubsequences: false)
    let word = words.last.map(String.init) ?? ""
    let others = [
      "foregroundActive": "background", "background": "foregroundActive", "active": "inactive",
      "inactive": "active",
    ]
    let other = word.contains("=") ? word + "9" : others[word] ?? "didReceiveMemoryWarning"
    return (words.dropLast() + [other[...]]).joined(separator: " ") + (hasQuote ? "'" : "")
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
