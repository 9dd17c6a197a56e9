import SceneJSON

private typealias NaturalValue = UserInfoValue & Codable

/// The Swift type that fits a JSON value best.
enum NaturalType {
  static func value(of raw: RawJSON) -> (any UserInfoValue)? {
    let document = JSONDocument()
    guard (try? document.read(raw.bytes.span)) != nil else { return nil }
    return type(of: document.root)?.init(jsonText: raw.description)
  }

  /// Nil for null, and for an array without a common type.
  private static func type(of value: JSONValue) -> (any NaturalValue.Type)? {
    switch value.kind {
    case .null: nil
    case .bool: Bool.self
    case .string: String.self
    case .number: numberType(value.raw.description)
    case .array: commonType(of: value.elements.map(\.self)).map { array(of: $0) }
    case .object:
      commonType(of: value.members.map(\.value)).map { dictionary(of: $0) } ?? UserInfo.self
    }
  }

  private static func numberType(_ text: String) -> any NaturalValue.Type {
    if Int(text) != nil { return Int.self }
    return UInt64(text) != nil ? UInt64.self : Double.self
  }

  /// The type of all values. A cast of an empty collection to any element type succeeds.
  private static func commonType(of values: [JSONValue]) -> (any NaturalValue.Type)? {
    guard let first = values.first else { return String.self }
    guard var common = type(of: first) else { return nil }
    for value in values.dropFirst() {
      guard let type = type(of: value) else { return nil }
      if type == common { continue }
      switch (first.kind, value.kind) {
      case (.number, .number): common = Double.self
      case (.object, .object): common = UserInfo.self
      default: return nil
      }
    }
    return common
  }

  private static func array<Element: NaturalValue>(
    of _: Element.Type
  ) -> any NaturalValue.Type { [Element].self }

  private static func dictionary<Value: NaturalValue>(
    of _: Value.Type
  ) -> any NaturalValue.Type { [String: Value].self }
}
