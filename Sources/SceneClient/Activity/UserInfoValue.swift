import JSON

/// A type whose values can stand in a ``UserInfo``: the integers, `Double`, `Bool`, `String`,
/// arrays and dictionaries of such, and a ``UserInfo`` itself.
///
/// A type of your own needs nothing but its JSON text.
public protocol UserInfoValue {
  /// Reads the text of one JSON value; nil if it is not one of this type.
  init?(jsonText: String)
  /// The value as JSON. A text that is none is a mistake of the type, and ends the program.
  var jsonText: String { get }
}

extension UserInfoValue where Self: FixedWidthInteger {
  /// An integer without fraction and exponent, if it fits.
  public init?(jsonText: String) {
    guard jsonText.first != "+" else { return nil }
    self.init(jsonText, radix: 10)
  }

  public var jsonText: String { String(self) }
}

extension Int: UserInfoValue {}
extension Int32: UserInfoValue {}
extension Int64: UserInfoValue {}
extension UInt: UserInfoValue {}
extension UInt32: UserInfoValue {}
extension UInt64: UserInfoValue {}

extension Double: UserInfoValue {
  /// Any number, rounded to the nearest.
  public init?(jsonText: String) {
    guard let value = withValue(of: jsonText, { $0.double }) else { return nil }
    self = value
  }

  /// What is not finite is written as null: JSON has no number for it.
  public var jsonText: String { isFinite ? description : "null" }
}

extension Bool: UserInfoValue {
  public init?(jsonText: String) { self.init(jsonText) }

  public var jsonText: String { description }
}

extension String: UserInfoValue {
  public init?(jsonText: String) {
    guard let text = withValue(of: jsonText, { $0.string }) else { return nil }
    self = text
  }

  public var jsonText: String { RawJSON(string: self).description }
}

extension Array: UserInfoValue where Element: UserInfoValue {
  /// Nil if any of the elements is not of the right type.
  public init?(jsonText: String) {
    let elements = withValue(of: jsonText) { value in
      value.kind == .array ? value.elements.map { Element(jsonText: $0.raw.description) } : nil
    }
    guard let elements, !elements.contains(where: { $0 == nil }) else { return nil }
    self = elements.compactMap { $0 }
  }

  public var jsonText: String { "[" + map(\.jsonText).joined(separator: ",") + "]" }
}

extension Dictionary: UserInfoValue where Key == String, Value: UserInfoValue {
  /// Nil if any of the values is not of the right type.
  public init?(jsonText: String) {
    let members = withValue(of: jsonText) { value in
      value.kind == .object
        ? value.members.map { ($0.name.string ?? "", Value(jsonText: $0.value.raw.description)) }
        : nil
    }
    guard let members else { return nil }
    self = [:]
    for (name, value) in members {
      guard let value else { return nil }
      self[name] = value
    }
  }

  /// The members in the order of their names, so that the same values make the same text.
  public var jsonText: String {
    let members = sorted { $0.key < $1.key }
    return "{" + members.map { $0.key.jsonText + ":" + $0.value.jsonText }.joined(separator: ",")
      + "}"
  }
}

private func withValue<Result>(of text: String, _ body: (JSONValue) -> Result?) -> Result? {
  let document = JSONDocument()
  do throws(JSONError) {
    try document.read(text.utf8)
  } catch {
    return nil
  }
  return body(document.root)
}
