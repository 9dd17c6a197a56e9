/// The values of `$(NAME)` in a manifest, and of `${NAME}` in a property list.
package struct ManifestVariables: Sendable {
  /// What the command line says, then what the environment does.
  private let sources: [[String: String]]

  /// Xcode's names for the product stand for the application's, unless somebody says otherwise: so
  /// the property list of a new project is read as it is.
  package init(
    defined: [String: String] = [:], environment: [String: String] = [:], application: String
  ) {
    let module = application.map { $0.isLetter || $0.isNumber ? $0 : "_" }
    sources = [
      defined, environment,
      ["PRODUCT_NAME": application, "PRODUCT_MODULE_NAME": String(module)],
    ]
  }

  /// The text with its variables resolved; `${NAME}` only with `readsBraces`. The problem is a clause.
  func resolve(_ text: String, readsBraces: Bool) throws(ManifestFlaw) -> String {
    var resolved = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      let open = rest.index(after: dollar)
      guard open < rest.endIndex, let bracket = Self.brackets[rest[open]],
        readsBraces || bracket.end == ")"
      else {
        resolved += rest[...dollar]
        rest = rest[open...]
        continue
      }
      guard let close = rest[open...].firstIndex(of: bracket.end) else {
        throw ManifestFlaw("", "$\(rest[open]) without its closing \(bracket.name) in \"\(text)\"")
      }
      let name = rest[rest.index(after: open)..<close]
      resolved += rest[..<dollar] + (try value(of: String(name), written: rest[dollar...close]))
      rest = rest[rest.index(after: close)...]
    }
    return resolved + rest
  }

  /// Xcode accepts both.
  private static let brackets: [Character: (end: Character, name: String)] = [
    "(": (")", "parenthesis"), "{": ("}", "brace"),
  ]

  private func value(of name: String, written: Substring) throws(ManifestFlaw) -> String {
    for source in sources { if let value = source[name] { return value } }
    if name.isEmpty || name.contains(":") {
      throw ManifestFlaw("", "\(written) is no variable; expected a name, as in $(NAME)")
    }
    throw ManifestFlaw(
      "", "\(written) has no value; give it one with --define \(name)=VALUE, or in the environment")
  }
}
