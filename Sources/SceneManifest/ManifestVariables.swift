/// The values of `$(NAME)` in a manifest, and of `${NAME}` in a property list.
package struct ManifestVariables: Sendable {
  /// The values of the command line, then the environment.
  private let sources: [[String: String]]

  /// Xcode's product names have the application's name by default, so that the property list of a
  /// new project is valid.
  package init(
    defined: [String: String] = [:], environment: [String: String] = [:], application: String
  ) {
    let module = application.map { $0.isLetter || $0.isNumber ? $0 : "_" }
    sources = [
      defined, environment,
      ["PRODUCT_NAME": application, "PRODUCT_MODULE_NAME": String(module)],
    ]
  }

  /// Resolves variables in a text; `${NAME}` only with `readsBraces`. Throws a diagnostic with a
  /// clause.
  func resolve(_ text: String, readsBraces: Bool) throws(ManifestDiagnostic) -> String {
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
        throw ManifestDiagnostic(
          "", "$\(rest[open]) without its closing \(bracket.name) in \"\(text)\"")
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

  private func value(of name: String, written: Substring) throws(ManifestDiagnostic) -> String {
    for source in sources { if let value = source[name] { return value } }
    if name.isEmpty || name.contains(":") {
      throw ManifestDiagnostic("", "\(written) is not a variable; expected a name, as in $(NAME)")
    }
    throw ManifestDiagnostic(
      "", "\(written) has no value; give it one with --define \(name)=VALUE, or in the environment")
  }
}
