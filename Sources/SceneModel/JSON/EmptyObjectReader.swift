import SceneJSON

/// Reads a structure from a request without parameters, as from `{}`.
struct EmptyObjectReader: MemberVisitor {
  private func missing<Value: JSONCodable>(
    _ name: StaticString, _ type: Value.Type
  ) -> MemberError {
    MemberError(problem: "missing; expected \(Value.expectation)").inside(name)
  }

  mutating func required<Value: JSONCodable>(
    _ name: StaticString, _ value: inout Value
  ) throws(MemberError) {
    throw missing(name, Value.self)
  }

  mutating func required<Value: JSONCodable>(
    _ name: StaticString, _ value: inout Value?
  ) throws(MemberError) {
    throw missing(name, Value.self)
  }

  mutating func optional<Value: JSONCodable>(
    _ name: StaticString, _ value: inout Value?
  ) throws(MemberError) {
    value = nil
  }

  mutating func optional<Value: JSONCodable & Equatable>(
    _ name: StaticString, _ value: inout Value, otherwise standard: Value
  ) throws(MemberError) {
    value = standard
  }

  mutating func optional<Value: JSONCodable>(
    _ name: StaticString, _ value: inout Patch<Value>
  ) throws(MemberError) {
    value = .absent
  }
}
