/// A text with holes, as the pages show messages. `…` stands for any value, and within braces for
/// any members. `"5B1A…"` stands for one string that is the same in every place.
struct Pattern {
  /// The values of the named holes so far.
  struct Names {
    private var texts: [String: String] = [:]

    /// Whether a hole has this value. The first use of a hole sets its value.
    fileprivate mutating func binds(_ name: String, to text: String) -> Bool {
      if let known = texts[name] { return known == text }
      texts[name] = text
      return true
    }

    subscript(name: String) -> String? { texts[name] }
  }

  private static let hole: Character = "…"
  let text: String

  init(_ text: String) { self.text = text }

  /// The text with the values of its holes; nil if a hole has no value or no name.
  func filled(in names: Names) -> String? {
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    let filled = parts.map { names[String($0)] ?? String($0) }.joined(separator: "\"")
    return filled.contains(Self.hole) ? nil : filled
  }

  /// The first difference between a text and the pattern; nil if there is none.
  func mismatch(with actual: String, _ names: inout Names) -> String? {
    var wanted = Array(text)[...]
    var found = JSONSkipper(text: Array(actual)[...])
    var previous: Character = " "
    while let next = wanted.first {
      if next == Self.hole {
        found.skip(after: previous)
        wanted.removeFirst()
      } else if next == "\"", let name = Self.nameOfHole(wanted) {
        wanted.removeFirst(name.count + 2)
        guard let value = found.takeString(), names.binds(name, to: value) else {
          return "\(name) was expected before \(found)"
        }
      } else if found.text.first == next {
        wanted.removeFirst()
        found.text.removeFirst()
      } else {
        return "\(String(wanted.prefix(60))) was expected instead of \(found)"
      }
      previous = next
    }
    return found.text.isEmpty ? nil : "the end was expected instead of \(found)"
  }

  /// The beginning of a string that ends in a hole; nil if it has none.
  private static func nameOfHole(_ text: ArraySlice<Character>) -> String? {
    let content = text.dropFirst().prefix { $0 != "\"" }
    guard content.last == hole, content.count > 1 else { return nil }
    return String(content)
  }
}

/// Skips parts of a valid JSON text.
private struct JSONSkipper: CustomStringConvertible {
  var text: ArraySlice<Character>

  var description: String { text.isEmpty ? "the end" : String(text.prefix(60)) }

  /// Skips the value or the members that a hole after this character stands for.
  mutating func skip(after previous: Character) {
    switch previous {
    case "\"": skipString()
    case "{", "[": skipMembers()
    default: skipValue()
    }
  }

  /// The content of a whole string that has no escapes.
  mutating func takeString() -> String? {
    guard text.first == "\"" else { return nil }
    text.removeFirst()
    let start = text
    skipString()
    let content = String(start[..<text.startIndex])
    if !text.isEmpty { text.removeFirst() }
    return content
  }

  /// Skips to the closing quotation mark.
  private mutating func skipString() {
    while let next = text.first, next != "\"" { text = text.dropFirst(next == "\\" ? 2 : 1) }
  }

  /// Skips to the closing bracket of the surrounding value.
  private mutating func skipMembers() {
    while let next = text.first, next != "}", next != "]" {
      skipValue()
      if let separator = text.first, ",:".contains(separator) { text.removeFirst() }
    }
  }

  private mutating func skipValue() {
    switch text.first {
    case "\"":
      text.removeFirst()
      skipString()
      text = text.dropFirst()
    case "{", "[":
      text.removeFirst()
      skipMembers()
      text = text.dropFirst()
    default:
      text = text.drop { !",:}]".contains($0) }
    }
  }
}
