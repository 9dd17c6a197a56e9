package import SceneJSON

/// An object whose members one function describes. Reading, writing and describing use that
/// function.
package protocol JSONStructure: JSONCodable {
  /// A value to read into. Reading replaces every required member.
  init()
  mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure)
}

/// Visits the members of a structure in order.
package protocol MemberVisitor {
  associatedtype Failure: Error

  /// Always present.
  mutating func required<Value: JSONCodable>(
    _ name: StaticString, _ value: inout Value) throws(Failure)

  /// Absent if nil. A reader takes null as absent.
  mutating func optional<Value: JSONCodable>(
    _ name: StaticString, _ value: inout Value?) throws(Failure)

  /// Always present; null if nil.
  mutating func required<Value: JSONCodable>(
    _ name: StaticString, _ value: inout Value?) throws(Failure)

  /// Absent if it equals `standard`.
  mutating func optional<Value: JSONCodable & Equatable>(
    _ name: StaticString, _ value: inout Value, otherwise standard: Value) throws(Failure)

  /// Distinguishes null from absent.
  mutating func optional<Value: JSONCodable>(
    _ name: StaticString, _ value: inout Patch<Value>) throws(Failure)
}

/// The change of an optional member: absent keeps the value, null removes it.
package enum Patch<Value> {
  case absent
  case null
  case value(Value)

  /// Null if the value is nil.
  package static func orNull(_ value: Value?) -> Patch {
    value.map { .value($0) } ?? .null
  }
}

extension Patch<String> {
  package var text: String? {
    switch self {
    case .absent, .null: nil
    case .value(let text): text
    }
  }
}

extension Patch: Equatable where Value: Equatable {}
extension Patch: Hashable where Value: Hashable {}
extension Patch: Sendable where Value: Sendable {}

extension JSONStructure {
  package static var expectation: String { "an object" }

  package init(reading value: JSONValue) throws(MemberError) {
    guard value.kind == .object else { throw .expected(Self.self, found: value) }
    if let name = value.firstDuplicateName {
      throw MemberError(path: name, problem: "given twice")
    }
    var reader = MemberReader(object: value)
    self.init()
    try visitMembers(&reader)
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(to: &writer)
    writer.endObject()
  }

  package mutating func writeInPlace(to writer: inout JSONWriter) {
    writer.beginObject()
    unsafe withUnsafeMutablePointer(to: &writer) { writer in
      var visitor = unsafe MemberWriter(writer)
      visitMembers(&visitor)
    }
    writer.endObject()
  }

  /// Writes only the members, for an object that has more.
  package func writeMembers(to writer: inout JSONWriter) {
    unsafe withUnsafeMutablePointer(to: &writer) { writer in
      unsafe withUnsafePointer(to: self) { structure in
        // A writer does not change the members. A copy would retain and release all strings and
        // arrays. So `visitMembers` must not pass a computed property, which would be set. The
        // test `RoundTripTests/readOnly` writes every sample in memory that allows no store.
        var visitor = unsafe MemberWriter(writer)
        unsafe UnsafeMutablePointer(mutating: structure).pointee.visitMembers(&visitor)
      }
    }
  }
}

extension JSONStructure {
  /// Reads a whole document.
  package init(parsing bytes: ContiguousArray<UInt8>) throws(MemberError) {
    let document = JSONDocument()
    try document.parse(bytes.span)
    try self.init(reading: document.root)
  }

  package var json: RawJSON {
    var writer = JSONWriter()
    write(to: &writer)
    return RawJSON(unchecked: writer.bytes)
  }
}

/// Reads the members of a structure from an object.
package struct MemberReader: MemberVisitor {
  /// Nil for an object without members.
  private let object: JSONValue?

  package init(object: JSONValue?) { self.object = object }

  package mutating func required<Value: JSONCodable>(
    _ name: StaticString, _ value: inout Value
  ) throws(MemberError) {
    guard let member = object?[name] else {
      throw MemberError(problem: "missing; expected \(Value.expectation)").inside(name)
    }
    value = try read(name, member)
  }

  package mutating func optional<Value: JSONCodable>(
    _ name: StaticString, _ value: inout Value?
  ) throws(MemberError) {
    guard let member = object?[name], !member.isNull else {
      value = nil
      return
    }
    value = try read(name, member)
  }

  package mutating func required<Value: JSONCodable>(
    _ name: StaticString, _ value: inout Value?
  ) throws(MemberError) {
    guard let member = object?[name] else {
      throw MemberError(problem: "missing; expected \(Value.expectation) or null").inside(name)
    }
    value = member.isNull ? nil : try read(name, member)
  }

  package mutating func optional<Value: JSONCodable & Equatable>(
    _ name: StaticString, _ value: inout Value, otherwise standard: Value
  ) throws(MemberError) {
    guard let member = object?[name], !member.isNull else {
      value = standard
      return
    }
    value = try read(name, member)
  }

  package mutating func optional<Value: JSONCodable>(
    _ name: StaticString, _ value: inout Patch<Value>
  ) throws(MemberError) {
    guard let member = object?[name] else {
      value = .absent
      return
    }
    value = member.isNull ? .null : .value(try read(name, member))
  }

  func read<Value: JSONCodable>(
    _ name: StaticString, _ member: JSONValue
  ) throws(MemberError) -> Value {
    do throws(MemberError) {
      return try Value(reading: member)
    } catch {
      throw error.inside(name)
    }
  }
}

/// Writes the members of a structure. The writer outlives the visitor.
@safe
package struct MemberWriter: MemberVisitor {
  private let writer: UnsafeMutablePointer<JSONWriter>

  @unsafe
  fileprivate init(_ writer: UnsafeMutablePointer<JSONWriter>) { unsafe self.writer = writer }

  @inline(__always)
  package mutating func required<Value: JSONCodable>(_ name: StaticString, _ value: inout Value) {
    unsafe writer.pointee.name(name)
    unsafe value.writeInPlace(to: &writer.pointee)
  }

  @inline(__always)
  package mutating func optional<Value: JSONCodable>(_ name: StaticString, _ value: inout Value?) {
    if case .some = value { required(name, &value) }
  }

  @inline(__always)
  package mutating func required<Value: JSONCodable>(_ name: StaticString, _ value: inout Value?) {
    unsafe writer.pointee.name(name)
    if unsafe value?.writeInPlace(to: &writer.pointee) == nil { unsafe writer.pointee.null() }
  }

  package mutating func optional<Value: JSONCodable & Equatable>(
    _ name: StaticString, _ value: inout Value, otherwise standard: Value
  ) {
    guard value != standard else { return }
    required(name, &value)
  }

  package mutating func optional<Value: JSONCodable>(
    _ name: StaticString, _ value: inout Patch<Value>
  ) {
    switch value {
    case .absent: return
    case .null:
      unsafe writer.pointee.name(name)
      unsafe writer.pointee.null()
    case .value(var present): required(name, &present)
    }
  }
}

/// Collects the names and expected values of a structure's members, for people.
package struct MemberDescriber: MemberVisitor {
  package struct Member: Equatable {
    package var name: String
    package var expectation: String
    package var isOptional: Bool
  }

  package private(set) var described: [Member] = []

  package init() {}

  package static func members<Structure: JSONStructure>(of type: Structure.Type) -> [Member] {
    var describer = MemberDescriber()
    var value = Structure()
    value.visitMembers(&describer)
    return describer.described
  }

  package mutating func required<Value: JSONCodable>(_ name: StaticString, _ value: inout Value) {
    add(name, Value.expectation, isOptional: false)
  }

  package mutating func optional<Value: JSONCodable>(_ name: StaticString, _ value: inout Value?) {
    add(name, Value.expectation, isOptional: true)
  }

  package mutating func required<Value: JSONCodable>(_ name: StaticString, _ value: inout Value?) {
    add(name, "\(Value.expectation) or null", isOptional: false)
  }

  package mutating func optional<Value: JSONCodable & Equatable>(
    _ name: StaticString, _ value: inout Value, otherwise standard: Value
  ) {
    add(name, Value.expectation, isOptional: true)
  }

  package mutating func optional<Value: JSONCodable>(
    _ name: StaticString, _ value: inout Patch<Value>
  ) {
    add(name, "\(Value.expectation) or null", isOptional: true)
  }

  private mutating func add(_ name: StaticString, _ expectation: String, isOptional: Bool) {
    described.append(
      Member(
        name: String(describing: name), expectation: expectation, isOptional: isOptional))
  }
}
