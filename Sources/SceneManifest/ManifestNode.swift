import SceneJSON

/// A value of a manifest, independent of the file format.
struct ManifestNode {
  var value: Value
  /// The offset of the value in the file; nil in a binary property list.
  var offset: Int?

  indirect enum Value {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([ManifestNode])
    /// The members, in the order of the file if it has one.
    case object([(name: String, value: ManifestNode)])
    /// A date or data of a property list, which no manifest has.
    case other(String)
  }

  /// The name of the kind in messages.
  var kind: String {
    switch value {
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
    guard case .object(let members) = value else { return nil }
    return members.first { $0.name == name }?.value
  }
}

extension ManifestNode {
  /// Converts a JSON value. The document bounds the recursion.
  init(_ json: JSONValue) {
    let value: Value =
      switch json.kind {
      case .null: .null
      case .bool: .bool(json.bool ?? false)
      case .number: json.integer.map { .integer($0) } ?? .number(json.double ?? .nan)
      case .string: .string(json.string ?? "")
      case .array: .array(json.elements.map { ManifestNode($0) })
      case .object:
        .object(json.members.map { ($0.name.string ?? "", ManifestNode($0.value)) })
      }
    self.init(value: value, offset: json.rawRange.lowerBound)
  }

  /// The same value with the offsets in the text of its property list.
  func located(at place: PropertyListLocation) -> ManifestNode {
    let value: Value =
      switch self.value {
      case .array(let elements) where elements.count == place.elements.count:
        .array(zip(elements, place.elements).map { $0.located(at: $1) })
      case .object(let members):
        .object(
          members.map { name, value in
            (name, place.members[name].map { value.located(at: $0) } ?? value)
          })
      default: self.value
      }
    return ManifestNode(value: value, offset: place.offset)
  }
}
