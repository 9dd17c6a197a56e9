import SceneJSON
import SceneModel

/// Decodes values from JSON, as ``ValueEncoder`` encodes them.
struct ValueDecoder: Decoder {
  /// A user's type can keep a decoder or a container, which keeps the document of its value alive.
  let document: JSONDocument
  let value: JSONValue
  let codingPath: [any CodingKey]

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Decodes a checked JSON text.
  ///
  /// - Throws: ``SceneError/Code/invalidParams`` with the path to the error.
  static func decode<Value: Decodable>(
    _ type: Value.Type, from json: RawJSON
  ) throws(SceneError) -> Value {
    let document = JSONDocument()
    do {
      try document.read(json.bytes.span)
      return try decode(type, from: document.root, of: document, at: [], isRoot: true)
    } catch {
      throw SceneError(coding: "decode \(type)", error)
    }
  }

  /// The root is decoded by the type itself: a ``UserInfoValue`` can read its text with this
  /// decoder.
  fileprivate static func decode<Value: Decodable>(
    _ type: Value.Type, from value: JSONValue, of document: JSONDocument,
    at path: [any CodingKey], isRoot: Bool = false
  ) throws -> Value {
    let result: Any?
    switch type {
    case is String.Type: result = value.string
    case is Bool.Type: result = value.bool
    case is Double.Type: result = value.double
    case is Float.Type: result = value.double.map { Float($0) }.flatMap { $0.isFinite ? $0 : nil }
    case let integer as any FixedWidthInteger.Type:
      result = integer.init(value.raw.description, radix: 10)
    case let known as any UserInfoValue.Type
    where !isRoot && !(type is any CodableCollection.Type):
      result = known.init(jsonText: value.raw.description)
    default: return try Value(from: Self(document: document, value: value, codingPath: path))
    }
    guard let result = result as? Value else { throw mismatch(type, value, at: path) }
    return result
  }

  private static func mismatch(
    _ type: Any.Type, _ value: JSONValue, at path: [any CodingKey]
  ) -> DecodingError {
    let found = value.kind == .number ? "the number \(value.raw)" : value.kind.withArticle
    return DecodingError.typeMismatch(
      type, .init(codingPath: path, debugDescription: "expected \(type), found \(found)"))
  }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard value.kind == .object else {
      throw Self.mismatch(UserInfo.self, value, at: codingPath)
    }
    return KeyedDecodingContainer(
      Members<Key>(document: document, value: value, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard value.kind == .array else { throw Self.mismatch([Any].self, value, at: codingPath) }
    return Elements(
      document: document, elements: Array(value.elements), codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    Single(document: document, value: value, codingPath: codingPath)
  }

  private struct Single: SingleValueDecodingContainer {
    let document: JSONDocument
    let value: JSONValue
    let codingPath: [any CodingKey]

    func decodeNil() -> Bool { value.isNull }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try ValueDecoder.decode(type, from: value, of: document, at: codingPath)
    }
  }

  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let document: JSONDocument
    let value: JSONValue
    let codingPath: [any CodingKey]

    var allKeys: [Key] { value.members.compactMap { Key(stringValue: $0.name.string ?? "") } }

    func contains(_ key: Key) -> Bool { value.member(named: key.stringValue) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try member(key).isNull }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try ValueDecoder.decode(
        type, from: try member(key), of: document, at: codingPath + [key])
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { try decoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoder(CodingName("super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: any CodingKey) throws -> ValueDecoder {
      ValueDecoder(
        document: document, value: try member(key), codingPath: codingPath + [key])
    }

    private func member(_ key: any CodingKey) throws -> JSONValue {
      guard let member = value.member(named: key.stringValue) else {
        throw DecodingError.keyNotFound(
          key, .init(codingPath: codingPath + [key], debugDescription: "missing"))
      }
      return member
    }
  }

  private struct Elements: UnkeyedDecodingContainer {
    let document: JSONDocument
    let elements: [JSONValue]
    let codingPath: [any CodingKey]
    var currentIndex = 0

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
      guard try current().isNull else { return false }
      currentIndex += 1
      return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      let path = codingPath + [CodingName(currentIndex)]
      let value = try ValueDecoder.decode(type, from: try current(), of: document, at: path)
      currentIndex += 1
      return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> { try decoder().container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try decoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try decoder() }

    private mutating func decoder() throws -> ValueDecoder {
      let path = codingPath + [CodingName(currentIndex)]
      let decoder = ValueDecoder(document: document, value: try current(), codingPath: path)
      currentIndex += 1
      return decoder
    }

    private func current() throws -> JSONValue {
      guard !isAtEnd else {
        throw DecodingError.valueNotFound(
          Any.self,
          .init(
            codingPath: codingPath + [CodingName(currentIndex)], debugDescription: "missing"))
      }
      return elements[currentIndex]
    }
  }
}

/// The name of a member, or the index of an element.
struct CodingName: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ name: String) { (stringValue, intValue) = (name, nil) }
  init(_ index: Int) { (stringValue, intValue) = ("\(index)", index) }
  init(stringValue: String) { self.init(stringValue) }
  init(intValue: Int) { self.init(intValue) }
}

extension SceneError {
  /// The error of an encoder or a decoder, with the path to it: `a.b[2]`.
  init(coding action: String, _ error: any Error) {
    let context: (path: [any CodingKey], problem: String) =
      switch error {
      case EncodingError.invalidValue(_, let context):
        (context.codingPath, context.debugDescription)
      case DecodingError.typeMismatch(_, let context), DecodingError.keyNotFound(_, let context),
        DecodingError.valueNotFound(_, let context), DecodingError.dataCorrupted(let context):
        (context.codingPath, context.debugDescription)
      default: ([], SceneError.message(of: error))
      }
    var path = ""
    for key in context.path {
      if let index = key.intValue {
        path += "[\(index)]"
      } else {
        path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
    self.init(
      .invalidParams, "cannot \(action): \(path.isEmpty ? "" : "\(path): ")\(context.problem)")
  }
}
