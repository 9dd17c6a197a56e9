import SceneJSON

/// A type whose values can be members of a ``UserInfo``: the integers, `Double`, `Float`, `Bool`,
/// `String`, arrays and dictionaries of them, and ``UserInfo`` itself.
///
/// A type that is `Codable`, such as an enumeration with raw values, needs only the conformance.
/// The module SceneFoundation adds `Date`, `Data` and `URL`.
public protocol UserInfoValue {
  /// Reads the text of one JSON value; nil for a value of another type.
  ///
  /// - Parameter jsonText: one valid JSON value, such as `"text"` or `12`.
  init?(jsonText: String)
  /// The value as JSON text. Invalid JSON is an error of the type and ends the program.
  var jsonText: String { get }
}

extension UserInfoValue where Self: Codable {
  /// Decodes the value.
  ///
  /// - Parameter jsonText: the encoded value.
  public init?(jsonText: String) {
    guard let json = try? RawJSON(validating: jsonText.utf8),
      let value = try? ValueDecoder.decode(Self.self, from: json)
    else { return nil }
    self = value
  }

  /// The encoded value. A value that JSON cannot represent, such as infinity, is null.
  public var jsonText: String { (try? ValueEncoder.json(of: self))?.description ?? "null" }
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
extension Double: UserInfoValue {}
extension Float: UserInfoValue {}
extension Bool: UserInfoValue {}
extension String: UserInfoValue {}
extension Array: UserInfoValue where Element: UserInfoValue & Codable {}
extension Dictionary: UserInfoValue where Key == String, Value: UserInfoValue & Codable {}
