/// A text with holes, as the pages show messages: `…` stands for any value (within braces for any
/// members), `"5B1A…"` for a string that is the same wherever it appears.
struct Pattern {
  /// What the named holes stand for, as far as they have been seen.
  struct Names {
    private var texts: [String: String] = [:]

    /// Whether a hole stands for this; the first time it comes to.
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

  /// The text with all its names filled in; nil if one is not known yet, or a hole has no name.
  func filled(in names: Names) -> String? {
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    let filled = parts.map { names[String($0)] ?? String($0) }.joined(separator: "\"")
    return filled.contains(Self.hole) ? nil : filled
  }

  /// Where a text is not what the pattern says; nil if it is that and no more.
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

  /// The content of a string that ends in a hole and has something before it.
  private static func nameOfHole(_ text: ArraySlice<Character>) -> String? {
    let content = text.dropFirst().prefix { $0 != "\"" }
    guard content.last == hole, content.count > 1 else { return nil }
    return String(content)
  }
}

/// Passes over parts of a JSON text that is known to be one.
private struct JSONSkipper: CustomStringConvertible {
  var text: ArraySlice<Character>

  var description: String { text.isEmpty ? "the end" : String(text.prefix(60)) }

  /// Passes over what a hole stands for that comes after this character.
  mutating func skip(after previous: Character) {
    switch previous {
    case "\"": skipString()
    case "{", "[": skipMembers()
    default: skipValue()
    }
  }

  /// A whole string's content, without escapes.
  mutating func takeString() -> String? {
    guard text.first == "\"" else { return nil }
    text.removeFirst()
    let start = text
    skipString()
    let content = String(start[..<text.startIndex])
    if !text.isEmpty { text.removeFirst() }
    return content
  }

  /// Up to the closing quote.
  private mutating func skipString() {
    while let next = text.first, next != "\"" { text = text.dropFirst(next == "\\" ? 2 : 1) }
  }

  /// Up to the bracket that closes what surrounds this place.
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
