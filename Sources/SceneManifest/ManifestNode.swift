import JSON

/// A value of a manifest, whatever kind of file it stood in.
indirect enum ManifestNode {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([ManifestNode])
  /// In the file's order, where it has one.
  case object([(name: String, value: ManifestNode)])
  /// What only property lists have, and no manifest: a date, data.
  case other(String)

  /// What a sentence calls it.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer: "an integer"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    case .other(let kind): kind
    }
  }

  func member(_ name: String) -> ManifestNode? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }
}

extension ManifestNode {
  /// A JSON value, whose depth its document has bounded.
  init(_ value: JSONValue) {
    self =
      switch value.kind {
      case .null: .null
      case .bool: .bool(value.bool ?? false)
      case .number: value.integer.map { .integer($0) } ?? .number(value.double ?? .nan)
      case .string: .string(value.string ?? "")
      case .array: .array(value.elements.map { ManifestNode($0) })
      case .object:
        .object(value.members.map { ($0.name.string ?? "", ManifestNode($0.value)) })
      }
  }
}
