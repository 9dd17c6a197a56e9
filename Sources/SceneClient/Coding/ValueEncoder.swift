import SceneJSON

/// Encodes values as JSON, so that the library needs no Foundation.
///
/// A ``UserInfoValue`` has the same JSON here as in a ``UserInfo``, except that infinity and NaN
/// are errors.
struct ValueEncoder: Encoder, SingleValueEncodingContainer {
  let node: EncodedNode
  let codingPath: [any CodingKey]

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The JSON of a value. The members of dictionaries and sets are sorted, so that equal values
  /// have one text.
  ///
  /// - Throws: ``SceneError/Code/invalidParams`` with the path to the error.
  static func json(of value: some Encodable) throws(SceneError) -> RawJSON {
    let node = EncodedNode()
    do {
      try ValueEncoder(node: node, codingPath: []).encode(value, isRoot: true)
    } catch {
      throw SceneError(coding: "encode \(type(of: value))", error)
    }
    var writer = JSONWriter()
    node.write(to: &writer)
    do throws(JSONError) {
      // The text can be nested too deeply.
      return try RawJSON(validating: writer.bytes)
    } catch {
      throw SceneError(.invalidParams, "cannot encode \(type(of: value)): \(error)")
    }
  }

  func encodeNil() { node.set(.null) }

  func encode<Value: Encodable>(_ value: Value) throws { try encode(value, isRoot: false) }

  /// The root encodes itself: a ``UserInfoValue`` can make its text with this encoder.
  private func encode(_ value: some Encodable, isRoot: Bool) throws {
    if let number = value as? any FloatingPoint, !number.isFinite {
      throw EncodingError.invalidValue(
        value, .init(codingPath: codingPath, debugDescription: "JSON has no number for \(number)"))
    }
    switch value {
    case let text as String: node.set(RawJSON(string: text))
    case let flag as Bool: node.set(RawJSON(literal: "\(flag)"))
    case let number as Double: node.set(RawJSON(literal: "\(number)"))
    case let number as Float: node.set(RawJSON(literal: "\(number)"))
    case let number as any FixedWidthInteger: node.set(RawJSON(literal: "\(number)"))
    case let value as any UserInfoValue where !isRoot && !(value is any CodableCollection):
      node.set(RawJSON(of: value))
    default:
      try value.encode(to: self)
      if let type = type(of: value) as? any Unordered.Type {
        node.sort(elementsPerMember: type.elementsPerMember)
      }
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.beginObject()
    return KeyedEncodingContainer(Members<Key>(object: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.beginArray()
    return Elements(array: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let object: ValueEncoder

    var codingPath: [any CodingKey] { object.codingPath }

    func encodeNil(forKey key: Key) { encoder(key).encodeNil() }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
      try encoder(key).encode(value)
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> { encoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      encoder(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder(CodingName("super")) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

    private func encoder(_ key: any CodingKey) -> ValueEncoder {
      ValueEncoder(node: object.node.member(key.stringValue), codingPath: codingPath + [key])
    }
  }

  private struct Elements: UnkeyedEncodingContainer {
    let array: ValueEncoder

    var codingPath: [any CodingKey] { array.codingPath }
    var count: Int { array.node.elementCount }

    func encodeNil() { encoder().encodeNil() }

    func encode<Value: Encodable>(_ value: Value) throws { try encoder().encode(value) }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> { encoder().container(keyedBy: type) }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder() }

    private func encoder() -> ValueEncoder {
      let path = codingPath + [CodingName(count)]
      return ValueEncoder(node: array.node.append(), codingPath: path)
    }
  }
}

/// A value that is being encoded. A reference, because a nested container can be filled after its
/// parent was encoded.
final class EncodedNode {
  private enum Kind {
    /// Nothing was encoded yet; written as an object.
    case none
    case value(RawJSON)
    case array
    case object
  }

  private var kind = Kind.none
  /// The elements of an array, or the values of an object's members.
  private var nodes: [EncodedNode] = []
  /// The places of the members in `nodes`.
  private var places: [String: Int] = [:]

  func set(_ json: RawJSON) { kind = .value(json) }

  func beginObject() { kind = .object }

  func beginArray() { kind = .array }

  var elementCount: Int { nodes.count }

  func append() -> EncodedNode {
    let node = EncodedNode()
    nodes.append(node)
    return node
  }

  /// The member of this name; a second value for a name replaces the first one.
  func member(_ name: String) -> EncodedNode {
    if let place = places[name] { return nodes[place] }
    places[name] = nodes.count
    return append()
  }

  /// Sorts the members by name or by the text of their first elements.
  func sort(elementsPerMember count: Int) {
    guard case .array = kind else {
      let sorted = places.sorted { $0.key < $1.key }
      nodes = sorted.map { nodes[$0.value] }
      for (place, member) in sorted.enumerated() { places[member.key] = place }
      return
    }
    let members = stride(from: 0, to: nodes.count, by: count).map { nodes[$0..<$0 + count] }
    nodes = members.map { ($0[$0.startIndex].text, $0) }.sorted { $0.0 < $1.0 }.flatMap(\.1)
  }

  private var text: String {
    var writer = JSONWriter()
    write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  func write(to writer: inout JSONWriter) {
    switch kind {
    case .value(let json): writer.raw(json)
    case .array:
      writer.beginArray()
      for element in nodes { element.write(to: &writer) }
      writer.endArray()
    case .none, .object:
      writer.beginObject()
      for (name, place) in places.sorted(by: { $0.value < $1.value }) {
        writer.name(name)
        nodes[place].write(to: &writer)
      }
      writer.endObject()
    }
  }
}

extension RawJSON {
  /// A number, `true` or `false`.
  fileprivate init(literal: String) { self.init(unchecked: ContiguousArray(literal.utf8)) }
}

/// A collection whose elements are coded one by one, so that errors have a path.
protocol CodableCollection {}
extension Array: CodableCollection {}
extension Dictionary: CodableCollection {}

/// A collection whose members have no order.
private protocol Unordered {
  /// The elements of a member, if the collection is coded as an array.
  static var elementsPerMember: Int { get }
}
extension Dictionary: Unordered { fileprivate static var elementsPerMember: Int { 2 } }
extension Set: Unordered { fileprivate static var elementsPerMember: Int { 1 } }
