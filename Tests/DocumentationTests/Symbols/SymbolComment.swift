/// The parts of a symbol's comment that the rules for public symbols require.
struct SymbolComment {
  private let lines: [String]

  init(_ comment: Symbol.Comment?) { lines = comment?.lines.map(\.text) ?? [] }

  /// The first paragraph.
  var summary: String {
    let paragraph = lines.prefix { !$0.allSatisfy { $0 == " " } && !$0.hasPrefix("- ") }
    return paragraph.joined(separator: " ")
  }

  /// Whether the first sentence has three words at least. "The role." needs the name of the type.
  var standsAlone: Bool {
    let sentence = summary.prefix(
      upTo: summary.firstRange(of: ". ")?.lowerBound ?? summary.endIndex)
    return !summary.hasPrefix("The same") && sentence.split(separator: " ").count >= 3
  }

  /// The documented parameters, in the list of `- Parameters:` or on their own.
  var parameters: Set<String> {
    var names: Set<String> = []
    for line in lines {
      if let match = line.firstMatch(of: /^\s*- Parameter (\w+): \S/)
        ?? line.firstMatch(of: /^\s+- (\w+): \S/)
      {
        names.insert(String(match.1))
      }
    }
    return names
  }

  /// The text of a section such as `- Throws:`; nil if the comment has none.
  func section(_ name: String) -> String? {
    let head = "- \(name): "
    guard let start = lines.firstIndex(where: { $0.hasPrefix(head) }) else { return nil }
    let rest = lines[(start + 1)...].prefix { $0.hasPrefix("  ") }
    return ([String(lines[start].dropFirst(head.count))] + rest).joined(separator: " ")
  }

  private var text: String { lines.joined(separator: " ").replacing(/\s+/, with: " ") }

  /// Whether each sentence about Apple's symbol has the form "Corresponds to `X.y`."
  var namesSymbolsInForm: Bool {
    let all = text.matches(of: /[Cc]orrespond(?:s|ing)? to\b/).count
    return all == text.matches(of: Self.correspondence).count
  }

  private static var correspondence: Regex<Substring> {
    /\bCorresponds to `[A-Z@][^`]*`(?:(?:, `[^`]+`)* and `[^`]+`)?\./
  }
}

extension Symbol {
  /// The missing parts of the comment of this symbol.
  var missingParts: [String] {
    let comment = SymbolComment(docComment)
    var missing: [String] = []
    if !comment.summary.hasSuffix(".") && !comment.summary.hasSuffix(":") {
      missing.append("a summary that is a sentence")
    }
    if !comment.standsAlone { missing.append("a summary that stands alone") }
    for name in parameters where !comment.parameters.contains(name) {
      missing.append("- Parameter \(name):")
    }
    if throwsErrors {
      let errors = comment.section("Throws") ?? ""
      if !errors.contains(/``|\bAny error\b|\berrors? of\b/) {
        missing.append("- Throws: with the codes")
      }
    }
    let isFunction = ["method", "type.method", "func"].contains(kindName)
    if isFunction, returnsValue, comment.section("Returns") == nil { missing.append("- Returns:") }
    if !comment.namesSymbolsInForm { missing.append("the form \"Corresponds to `X`.\"") }
    return missing
  }
}

extension [Symbol] {
  /// The symbols whose comment belongs to them: not those that the compiler made, and not those
  /// that inherit the comment of a requirement.
  var documentedHere: [Symbol] {
    var owners: [String: Symbol] = [:]
    var found: [Symbol] = []
    for symbol in self {
      guard let place = symbol.location, !symbol.identifier.precise.contains("::SYNTHESIZED::")
      else { continue }
      guard let comment = symbol.docComment else {
        found.append(symbol)
        continue
      }
      guard comment.uri == place.uri, let line = comment.lines.first?.range?.start.line else {
        continue
      }
      let key = "\(place.uri):\(line)"
      // Of all symbols with this comment, the first one below it has it.
      if let owner = owners[key]?.location, owner.position.line < place.position.line { continue }
      owners[key] = symbol
    }
    return (found + owners.values).sorted { $0.place < $1.place }
  }
}
