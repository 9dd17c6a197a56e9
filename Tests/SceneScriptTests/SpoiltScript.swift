import SceneScript

/// A script of which the last `trace` or `expect` wants something that does not happen.
struct SpoiltScript {
  let text: String
  /// The lines of that statement, counted from 1.
  let lines: ClosedRange<Int>

  /// Nil for a script that has neither.
  init?(_ script: String) {
    var lines = script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let end = lines.firstIndex { $0.hasPrefix("-- ") && $0.hasSuffix(" --") } ?? lines.endIndex
    let last = lines[..<end].lastIndex { $0.hasPrefix("expect ") || $0.hasPrefix("trace ") }
    guard let last else { return nil }
    var place = last
    if lines[last].hasPrefix("trace ") {
      guard let brace = lines[last..<end].firstIndex(of: "}"),
        let pattern = lines[last..<brace].lastIndex(where: { $0 != "    ..." }), pattern > last
      else { return nil }
      place = pattern
      self.lines = last + 1...brace + 1
    } else {
      self.lines = last + 1...last + 1
    }
    lines[place] = Self.spoilt(lines[place])
    text = lines.joined(separator: "\n")
  }

  /// Another literal in the place of the last one.
  private static func spoilt(_ line: String) -> String {
    // What is not to be so is to be so.
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
