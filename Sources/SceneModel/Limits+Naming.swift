import JSON

extension Limits {
  /// Every limit's name with its value, in the order in which they are declared.
  package var named: [(name: String, value: Int)] {
    var reader = LimitVisitor()
    var copy = self
    copy.members(&reader)
    return reader.seen
  }

  /// Sets the limit of this name; false if there is none.
  package mutating func set(_ name: String, to value: Int) -> Bool {
    var setter = LimitVisitor(wanted: name, value: value)
    members(&setter)
    return setter.seen.contains { $0.name == name }
  }
}

/// Reads all limits, and writes one.
private struct LimitVisitor: MemberVisitor {
  var wanted: String?
  var value = 0
  var seen: [(name: String, value: Int)] = []

  mutating func required<Value: JSONCodable>(_ name: StaticString, _ value: inout Value) {
    if name.description == wanted, let wish = self.value as? Value { value = wish }
    if let number = value as? Int { seen.append((name.description, number)) }
  }

  // Every limit is a plain number that is always there.
  mutating func required<Value: JSONCodable>(_ name: StaticString, _ value: inout Value?) {}
  mutating func optional<Value: JSONCodable>(_ name: StaticString, _ value: inout Value?) {}
  mutating func optional<Value: JSONCodable & Equatable>(
    _ name: StaticString, _ value: inout Value, otherwise standard: Value
  ) {}
  mutating func optional<Value: JSONCodable>(
    _ name: StaticString, _ value: inout Presence<Value>
  ) {}
}
