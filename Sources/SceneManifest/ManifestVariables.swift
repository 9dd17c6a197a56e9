/// What `$(NAME)` in a manifest's values stands for.
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

  /// The text with its variables resolved. The problem is a clause.
  func resolve(_ text: String) throws(ManifestFlaw) -> String {
    var resolved = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      let open = rest.index(after: dollar)
      guard open < rest.endIndex, rest[open] == "(" else {
        resolved += rest[...dollar]
        rest = rest[open...]
        continue
      }
      guard let close = rest[open...].firstIndex(of: ")") else {
        throw ManifestFlaw("", "$( without its closing parenthesis in \"\(text)\"")
      }
      let name = String(rest[rest.index(after: open)..<close])
      resolved += rest[..<dollar] + (try value(of: name))
      rest = rest[rest.index(after: close)...]
    }
    return resolved + rest
  }

  private func value(of name: String) throws(ManifestFlaw) -> String {
    for source in sources { if let value = source[name] { return value } }
    if name.isEmpty || name.contains(":") {
      throw ManifestFlaw("", "$(\(name)) is no variable; expected a name, as in $(NAME)")
    }
    throw ManifestFlaw(
      "", "$(\(name)) has no value; give it one with --define \(name)=VALUE, or in the environment")
  }
}
