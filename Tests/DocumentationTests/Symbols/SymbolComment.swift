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

  /// The statement of a comment about Apple's symbol.
  enum Correspondence {
    /// The comment names a symbol.
    case named
    /// The comment says that there is none.
    case absent
  }

  /// The statement of the comment; nil if there is none.
  var correspondence: Correspondence? {
    if text.contains(Self.correspondence) { return .named }
    return text.contains(/\b(?:UIKit|SwiftUI) has no counterpart\b/) ? .absent : nil
  }

  private static var correspondence: Regex<Substring> {
    /\bCorresponds to `[A-Z@][^`]*`(?:(?:, `[^`]+`)* and `[^`]+`)?\./
  }
}

extension Symbol {
  /// The missing parts of the comment of this symbol, in a module with these types.
  func missing(in types: SymbolTypes) -> [String] {
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
    if comment.correspondence == nil, !types.haveNoCounterpart(around: self) {
      missing.append("\"Corresponds to `X`.\" or \"UIKit has no counterpart.\"")
    }
    return missing
  }

  var isType: Bool { ["class", "struct", "enum", "protocol"].contains(kindName) }
}

/// The statements of a module's types about Apple's symbols.
struct SymbolTypes {
  private let statements: [[String]: SymbolComment.Correspondence]

  init(_ symbols: [Symbol]) {
    var statements: [[String]: SymbolComment.Correspondence] = [:]
    for type in symbols where type.isType {
      statements[type.pathComponents] = SymbolComment(type.docComment).correspondence
    }
    self.statements = statements
  }

  /// Whether the innermost type around a symbol that makes a statement has no counterpart. Its
  /// members then need no statement of their own.
  func haveNoCounterpart(around symbol: Symbol) -> Bool {
    var path = symbol.pathComponents.dropLast()
    while !path.isEmpty {
      if let statement = statements[Array(path)] { return statement == .absent }
      path.removeLast()
    }
    return false
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
