import SceneJSON

/// A type whose values can be members of a ``UserInfo``: the integers, `Double`, `Float`, `Bool`,
/// `String`, arrays and dictionaries of them, and ``UserInfo`` itself.
///
/// An enumeration with raw values needs only the conformance. Another type needs its JSON text. The
/// module SceneFoundation adds `Date`, `Data` and `URL`.
public protocol UserInfoValue {
  /// Reads the text of one JSON value; nil for a value of another type.
  ///
  /// - Parameter jsonText: one valid JSON value, such as `"text"` or `12`.
  init?(jsonText: String)
  /// The value as JSON text. Invalid JSON is an error of the type and ends the program.
  var jsonText: String { get }
}

extension UserInfoValue where Self: FixedWidthInteger {
  /// Reads an integer; nil for a number with a fraction or an exponent, or out of range.
  ///
  /// - Parameter jsonText: a JSON number.
  public init?(jsonText: String) {
    guard jsonText.first != "+" else { return nil }
    self.init(jsonText, radix: 10)
  }

  public var jsonText: String { String(self) }
}

extension Int: UserInfoValue {}
extension Int8: UserInfoValue {}
extension Int16: UserInfoValue {}
extension Int32: UserInfoValue {}
extension Int64: UserInfoValue {}
extension Int128: UserInfoValue {}
extension UInt: UserInfoValue {}
extension UInt8: UserInfoValue {}
extension UInt16: UserInfoValue {}
extension UInt32: UserInfoValue {}
extension UInt64: UserInfoValue {}
extension UInt128: UserInfoValue {}

extension UserInfoValue where Self: RawRepresentable, RawValue: UserInfoValue {
  /// Reads the raw value; nil if no value has it.
  ///
  /// - Parameter jsonText: the raw value as JSON.
  public init?(jsonText: String) {
    guard let rawValue = RawValue(jsonText: jsonText) else { return nil }
    self.init(rawValue: rawValue)
  }

  public var jsonText: String { rawValue.jsonText }
}

extension Double: UserInfoValue {
  /// Reads any number, rounded to the nearest value; nil for another value.
  ///
  /// - Parameter jsonText: a JSON number.
  public init?(jsonText: String) {
    guard let value = withValue(of: jsonText, { $0.double }) else { return nil }
    self = value
  }

  /// The number as JSON. Infinity and NaN become null, because JSON has no number for them.
  public var jsonText: String { isFinite ? description : "null" }
}

extension Float: UserInfoValue {
  /// Reads any number, rounded to the nearest value; nil if the number is too large.
  ///
  /// - Parameter jsonText: a JSON number.
  public init?(jsonText: String) {
    guard let value = Double(jsonText: jsonText), Float(value).isFinite else { return nil }
    self.init(value)
  }

  /// The number as JSON. Infinity and NaN become null, because JSON has no number for them.
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
  /// Reads an array; nil if an element has another type.
  ///
  /// - Parameter jsonText: a JSON array.
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
  /// Reads an object; nil if a member has another type. The last of two equal names counts.
  ///
  /// - Parameter jsonText: a JSON object.
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

  /// The object as JSON, sorted by name, so that equal values have equal text.
  public var jsonText: String {
    let members = sorted { $0.key < $1.key }
    return "{" + members.map { $0.key.jsonText + ":" + $0.value.jsonText }.joined(separator: ",")
      + "}"
  }
}

private func withValue<Result>(of text: String, _ body: (JSONValue) -> Result?) -> Result? {
  let document = JSONDocument()
  guard (try? document.read(text.utf8)) != nil else { return nil }
  return body(document.root)
}
