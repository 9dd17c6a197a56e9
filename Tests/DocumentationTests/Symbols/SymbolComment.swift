/// The parts of a symbol's comment that the rules for public symbols require.
struct SymbolComment {
  private let lines: [String]

  init(_ comment: Symbol.Comment?) { lines = comment?.lines.map(\.text) ?? [] }

  /// The first paragraph.
  var summary: String {
    let paragraph = lines.prefix { !$0.allSatisfy { $0 == " " } && !$0.hasPrefix("- ") }
    return paragraph.joined(separator: " ")
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

  /// Whether the comment names Apple's symbol, or says that there is none.
  var statesCorrespondence: Bool {
    text.contains(Self.correspondence) || text.contains(/\b(?:UIKit|SwiftUI) has no counterpart\b/)
  }

  private static var correspondence: Regex<Substring> {
    /\bCorresponds to `[A-Z@][^`]*`(?:(?:, `[^`]+`)* and `[^`]+`)?\./
  }
}

extension Symbol {
  /// What the comment of this symbol lacks.
  var missing: [String] {
    let comment = SymbolComment(docComment)
    var missing: [String] = []
    if !comment.summary.hasSuffix(".") && !comment.summary.hasSuffix(":") {
      missing.append("a summary that is a sentence")
    }
    if comment.summary.hasPrefix("The same") { missing.append("a summary that stands alone") }
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
    if needsCorrespondence, !comment.statesCorrespondence {
      missing.append("\"Corresponds to `X`.\" or \"UIKit has no counterpart.\"")
    }
    return missing
  }

  /// Types outside other types, and the methods of delegates.
  private var needsCorrespondence: Bool {
    switch kindName {
    case "class", "struct", "enum", "protocol":
      // A test has no counterpart in an application.
      pathComponents.count == 1 && location?.uri.contains("/SceneTesting/") != true
    case "method": pathComponents[0].hasSuffix("Delegate")
    default: false
    }
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
