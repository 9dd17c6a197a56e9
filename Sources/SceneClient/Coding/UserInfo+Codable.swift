package import SceneJSON

extension UserInfo {
  /// Makes an object that encodes a value.
  ///
  /// In a program with the module `SceneFoundation`, a `Date` is the seconds since 1970, and `Data`
  /// is a string in base 64. Without the module they have Foundation's encoding: the seconds since
  /// 2001, and an array of bytes. All programs of an application must agree.
  ///
  /// - Parameter value: a value whose encoding is an object, such as a structure.
  /// - Throws: ``SceneError/Code/invalidParams`` if the encoding is no object, or if JSON cannot
  ///   represent a member; the message has its path.
  public init(encoding value: some Encodable) throws(SceneError) {
    let json = try ValueEncoder.json(of: value)
    guard json.bytes.first == UInt8(ascii: "{") else {
      throw SceneError(
        .invalidParams, "cannot encode \(type(of: value)) as userInfo: \(json) is not an object")
    }
    self.init(unchecked: json)
  }

  /// Decodes a value from the object. Members that the type does not have are ignored.
  ///
  /// - Parameter type: the type of the value.
  /// - Returns: The value.
  /// - Throws: ``SceneError/Code/invalidParams`` with the path of a missing or different member.
  public func decode<Value: Decodable>(_ type: Value.Type) throws(SceneError) -> Value {
    try ValueDecoder.decode(type, from: raw)
  }
}

extension RawJSON {
  /// The JSON of a value, as ``UserInfo/init(encoding:)`` writes it.
  package init(encoding value: some Encodable) throws(SceneError) {
    self = try ValueEncoder.json(of: value)
  }

  /// Decodes a value, as ``UserInfo/decode(_:)``.
  package func decode<Value: Decodable>(_ type: Value.Type) throws(SceneError) -> Value {
    try ValueDecoder.decode(type, from: self)
  }
}
