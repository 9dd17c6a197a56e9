package import JSON

/// A type that has one JSON form, read and written without anything in between.
package protocol JSONCodable {
  /// Reads the value; the error says what was expected and what stood there.
  init(reading value: JSONValue) throws(MemberError)
  func write(to writer: inout JSONWriter)
  /// Writes a value from where it lies, which does not change it. To go through a copy would mean
  /// to retain and release every string and array of every message.
  mutating func writeInPlace(to writer: inout JSONWriter)
  /// What a person is told is expected here: `string`, `identifier`, `object`.
  static var expectation: String { get }
}

/// Why a member of an object could not be read: which one, and what is wrong with it.
package struct MemberError: Error, Equatable {
  /// From the outside in, joined by dots; empty for the value itself.
  package private(set) var path: String
  package let problem: String

  package init(path: String = "", problem: String) {
    self.path = path
    self.problem = problem
  }

  /// The same error seen from the object that has the failing value as a member.
  package func inside(_ member: StaticString) -> MemberError {
    inside(String(describing: member))
  }

  package func inside(_ member: String) -> MemberError {
    var outer = self
    outer.path =
      path.isEmpty ? member : path.hasPrefix("[") ? "\(member)\(path)" : "\(member).\(path)"
    return outer
  }

  package static func expected<T: JSONCodable>(_ type: T.Type, found value: JSONValue) -> Self {
    MemberError(problem: "expected \(T.expectation), found \(value.kind.withArticle)")
  }

  /// For a type that has some strings only: another string is shown, as far as it tells something.
  package static func expected<T: JSONCodable>(
    oneOf type: T.Type, found value: JSONValue
  ) -> Self {
    guard let string = value.string else { return expected(type, found: value) }
    let text = string.clipped(to: 40)
    return MemberError(problem: "expected \(T.expectation), found \"\(text)\"")
  }
}

extension MemberError: CustomStringConvertible {
  package var description: String { path.isEmpty ? problem : "\(path): \(problem)" }
}

extension JSONKind {
  /// As a sentence names it: "a number", "an object", "null".
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
