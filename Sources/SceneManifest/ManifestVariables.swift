/// The values of `$(NAME)` in a manifest, and of `${NAME}` in a property list.
package struct ManifestVariables: Sendable {
  /// The values of the command line, then the environment.
  private let sources: [[String: String]]

  /// Xcode's names have the application's name by default, so that the property list of a new
  /// project is valid.
  package init(
    defined: [String: String] = [:], environment: [String: String] = [:], application: String
  ) {
    let module = application.map { $0.isLetter || $0.isNumber ? $0 : "_" }
    sources = [
      defined, environment,
      [
        "PRODUCT_NAME": application, "PRODUCT_MODULE_NAME": String(module),
        "TARGET_NAME": application, "EXECUTABLE_NAME": application,
      ],
    ]
  }

  /// Resolves variables in a text; `${NAME}` only with `readsBraces`. `$$(` stands for `$(`. Throws
  /// a diagnostic with a clause.
  func resolve(_ text: String, readsBraces: Bool) throws(ManifestDiagnostic) -> String {
    var resolved = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      let open = rest.index(after: dollar)
      guard open < rest.endIndex, let bracket = Self.brackets[rest[open]],
        readsBraces || bracket.end == ")"
      else {
        // A second dollar keeps the first one and its bracket.
        if let next = rest[open...].dropFirst().first, rest[open...].first == "$",
          let bracket = Self.brackets[next], readsBraces || bracket.end == ")"
        {
          resolved += rest[...dollar] + String(next)
          rest = rest[rest.index(open, offsetBy: 2)...]
          continue
        }
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

  /// Whether a text is a build setting that Xcode always defines, and no source has its value.
  func isXcodeSetting(_ node: ManifestNode) -> Bool {
    guard case .string(let text) = node.value else { return false }
    return Self.xcodeSettings.contains { name in
      ["$(\(name))", "${\(name)}"].contains(text) && !sources.contains { $0[name] != nil }
    }
  }

  private static let xcodeSettings = [
    "MARKETING_VERSION", "CURRENT_PROJECT_VERSION", "PRODUCT_BUNDLE_IDENTIFIER",
    "DEVELOPMENT_LANGUAGE", "INFOPLIST_KEY_CFBundleDisplayName",
  ]

  /// Xcode accepts both.
  private static let brackets: [Character: (end: Character, name: String)] = [
    "(": (")", "parenthesis"), "{": ("}", "brace"),
  ]

  /// The value of a name with operators, as in `$(PRODUCT_NAME:rfc1034identifier)`.
  private func value(of name: String, written: Substring) throws(ManifestDiagnostic) -> String {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard !parts[0].isEmpty else {
      throw ManifestDiagnostic(
        "",
        "\(written) is not a variable; expected a name, as in $(NAME), or $$( for a literal "
          + "text")
    }
    for source in sources {
      guard var value = source[parts[0]] else { continue }
      for part in parts.dropFirst() {
        guard let changed = Self.apply(part, to: value) else {
          throw ManifestDiagnostic(
            "", "unknown operator \"\(part)\" in \(written); expected one of \(Self.operators)")
        }
        value = changed
      }
      return value
    }
    let isSetting = parts[0].wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
    throw ManifestDiagnostic(
      "",
      isSetting
        ? "\(written) has no value; give it one with --define \(parts[0])=VALUE or in the "
          + "environment, or write $\(written) for a literal text"
        : "\(written) is not a variable; expected a name, as in $(NAME), or write $\(written) for "
          + "a literal text")
  }

  private static let operators = "c99extidentifier, identifier, rfc1034identifier, lower, upper"

  /// Xcode's operators on the value of a build setting; nil for an unknown one.
  private static func apply(_ name: String, to value: String) -> String? {
    func replaced(_ other: Character) -> String {
      String(value.map { $0.isLetter || $0.isNumber ? $0 : other })
    }
    return switch name {
    case "c99extidentifier", "identifier": replaced("_")
    case "rfc1034identifier": replaced("-")
    case "lower": value.lowercased()
    case "upper": value.uppercased()
    default: nil
    }
  }
}
