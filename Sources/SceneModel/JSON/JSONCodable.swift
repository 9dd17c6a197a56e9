package import SceneJSON

/// A type with one JSON form.
package protocol JSONCodable {
  /// Reads the value. The error states the expected type and the found one.
  init(reading value: JSONValue) throws(MemberError)
  func write(to writer: inout JSONWriter)
  /// Writes the value in place and does not change it. A copy would retain and release all its
  /// strings and arrays.
  mutating func writeInPlace(to writer: inout JSONWriter)
  /// The expected value in error messages, such as `a string`.
  static var expectation: String { get }
}

extension JSONKind {
  /// The kind with its article, such as "a number".
  package var withArticle: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONCodable {
  /// The length of the JSON form.
  package var jsonByteCount: Int {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.output.count
  }

  @inline(__always)
  package mutating func writeInPlace(to writer: inout JSONWriter) { write(to: &writer) }
}

extension Bool: JSONCodable {
  package static var expectation: String { "a boolean" }

  package init(reading value: JSONValue) throws(MemberError) {
    guard let bool = value.bool else { throw .expected(Self.self, found: value) }
    self = bool
  }

  package func write(to writer: inout JSONWriter) { writer.bool(self) }
}

extension Int64: JSONCodable {
  package static var expectation: String { "an integer" }

  package init(reading value: JSONValue) throws(MemberError) {
    guard let integer = value.integer else { throw .expected(Self.self, found: value) }
    self = integer
  }

  package func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension UInt64: JSONCodable {
  package static var expectation: String { "an integer that is not negative" }

  package init(reading value: JSONValue) throws(MemberError) {
    guard let integer = value.integer, let number = UInt64(exactly: integer) else {
      throw .expected(Self.self, found: value)
    }
    self = number
  }

  package func write(to writer: inout JSONWriter) { writer.integer(Int64(clamping: self)) }
}

extension Int: JSONCodable {
  package static var expectation: String { "an integer" }

  package init(reading value: JSONValue) throws(MemberError) {
    self = Int(try Int64(reading: value))
  }

  package func write(to writer: inout JSONWriter) { writer.integer(Int64(self)) }
}

extension Double: JSONCodable {
  package static var expectation: String { "a number" }

  package init(reading value: JSONValue) throws(MemberError) {
    guard let double = value.double else { throw .expected(Self.self, found: value) }
    self = double
  }

  package func write(to writer: inout JSONWriter) { writer.double(self) }
}

extension String: JSONCodable {
  package static var expectation: String { "a string" }

  package init(reading value: JSONValue) throws(MemberError) {
    guard let string = value.string else { throw .expected(Self.self, found: value) }
    self = string
  }

  package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Array: JSONCodable where Element: JSONCodable {
  package static var expectation: String { "an array" }

  package init(reading value: JSONValue) throws(MemberError) {
    guard value.kind == .array else { throw .expected(Self.self, found: value) }
    self = []
    reserveCapacity(value.count)
    for element in value.elements {
      do throws(MemberError) {
        append(try Element(reading: element))
      } catch {
        throw error.inside("[\(count)]")
      }
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in self { element.write(to: &writer) }
    writer.endArray()
  }
}

extension JSONCodable where Self: RawRepresentable, RawValue == String {
  package func write(to writer: inout JSONWriter) { writer.string(rawValue) }
}

/// A name of a closed set.
extension JSONCodable where Self: RawRepresentable & CaseIterable, RawValue == String {
  package static var expectation: String {
    let names = allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  package init(reading value: JSONValue) throws(MemberError) {
    guard let name = Self(rawValue: try String(reading: value)) else {
      throw .expected(oneOf: Self.self, found: value)
    }
    self = name
  }
}

extension JSONWriter {
  /// Writes a member of an object.
  @_disfavoredOverload
  package mutating func member(_ name: String, _ value: some JSONCodable) {
    self.name(name)
    value.write(to: &self)
  }

  /// Writes a member of an object if there is a value.
  package mutating func member(_ name: String, ifPresent value: (some JSONCodable)?) {
    if let value { member(name, value) }
  }

  /// Writes a member of an object, null without a value.
  package mutating func member(_ name: String, orNull value: (some JSONCodable)?) {
    self.name(name)
    if let value { value.write(to: &self) } else { null() }
  }

  /// Writes an object, as a member if it has a name.
  package mutating func object(_ name: String? = nil, _ members: (inout JSONWriter) -> Void) {
    if let name { self.name(name) }
    beginObject()
    members(&self)
    endObject()
  }

  /// Writes a member that is an array.
  package mutating func array<Element>(
    _ name: String, _ elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
  ) {
    self.name(name)
    beginArray()
    for element in elements { write(&self, element) }
    endArray()
  }
}

extension RawJSON {
  /// An object with the members that the closure writes.
  package init(members: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    writer.object(nil, members)
    self.init(unchecked: writer.bytes)
  }
}
