extension RawJSON {
  /// The same value, with one line for each member and element, indented by two spaces for each
  /// level.
  package var indented: String {
    let document = JSONDocument()
    // A writer can nest deeper than a reader allows.
    guard (try? document.read(bytes, maximumDepth: .max)) != nil else { return description }
    return document.root.indented(by: "\n")
  }
}

extension JSONValue {
  /// The text with `lineBreak`, a line break and the indentation, before the end of a container.
  fileprivate func indented(by lineBreak: String) -> String {
    let deeper = lineBreak + "  "
    switch kind {
    case .array where count > 0:
      let elements = elements.map { deeper + $0.indented(by: deeper) }
      return "[\(elements.joined(separator: ","))\(lineBreak)]"
    case .object where count > 0:
      let members = members.map { "\(deeper)\($0.raw): \($1.indented(by: deeper))" }
      return "{\(members.joined(separator: ","))\(lineBreak)}"
    case .array: return "[]"
    case .object: return "{}"
    case .null, .bool, .number, .string: return "\(raw)"
    }
  }
}
