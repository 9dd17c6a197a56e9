import SceneJSON
import SceneModel

/// Decodes values from JSON, as ``ValueEncoder`` encodes them.
struct ValueDecoder: Decoder, SingleValueDecodingContainer {
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
      let decoder = ValueDecoder(document: document, value: document.root, codingPath: [])
      return try decoder.decode(type, isRoot: true)
    } catch {
      throw SceneError(coding: "decode \(type)", error)
    }
  }

  func decodeNil() -> Bool { value.isNull }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try decode(type, isRoot: false)
  }

  /// The root is decoded by the type itself: a ``UserInfoValue`` can read its text with this
  /// decoder.
  private func decode<Value: Decodable>(_ type: Value.Type, isRoot: Bool) throws -> Value {
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
    default: return try Value(from: self)
    }
    guard let result = result as? Value else { throw mismatch(type) }
    return result
  }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    let found = value.kind == .number ? "the number \(value.raw)" : value.kind.withArticle
    return DecodingError.typeMismatch(
      type, .init(codingPath: codingPath, debugDescription: "expected \(type), found \(found)"))
  }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard value.kind == .object else { throw mismatch(UserInfo.self) }
    return KeyedDecodingContainer(Members<Key>(object: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard value.kind == .array else { throw mismatch([Any].self) }
    return Elements(array: self, elements: Array(value.elements))
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: ValueDecoder

    var codingPath: [any CodingKey] { object.codingPath }

    var allKeys: [Key] {
      object.value.members.compactMap { Key(stringValue: $0.name.string ?? "") }
    }

    func contains(_ key: Key) -> Bool { object.value.member(named: key.stringValue) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try decoder(key).decode(type)
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
      let path = codingPath + [key]
      guard let member = object.value.member(named: key.stringValue) else {
        throw DecodingError.keyNotFound(
          key, .init(codingPath: path, debugDescription: "missing"))
      }
      return ValueDecoder(document: object.document, value: member, codingPath: path)
    }
  }

  private struct Elements: UnkeyedDecodingContainer {
    let array: ValueDecoder
    let elements: [JSONValue]
    var currentIndex = 0

    var codingPath: [any CodingKey] { array.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
      guard try current().decodeNil() else { return false }
      currentIndex += 1
      return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      let value = try current().decode(type)
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
      let decoder = try current()
      currentIndex += 1
      return decoder
    }

    private func current() throws -> ValueDecoder {
      let path = codingPath + [CodingName(currentIndex)]
      guard !isAtEnd else {
        throw DecodingError.valueNotFound(
          Any.self, .init(codingPath: path, debugDescription: "missing"))
      }
      return ValueDecoder(
        document: array.document, value: elements[currentIndex], codingPath: path)
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
