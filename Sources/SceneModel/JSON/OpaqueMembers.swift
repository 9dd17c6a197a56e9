package import SceneJSON

/// An object of a client with some known members. The known members are checked on input. The
/// object keeps all bytes.
package protocol OpaqueMembers: JSONCodable, Hashable, Sendable {
  var json: RawJSON { get }
  /// For bytes that were checked before.
  init(unchecked json: RawJSON)
  /// Checks the known members.
  static func check(_ object: JSONValue) throws(MemberError)
}

extension OpaqueMembers {
  package init(reading value: JSONValue) throws(MemberError) {
    guard value.kind == .object else { throw .expected(Self.self, found: value) }
    if let name = value.firstDuplicateName {
      throw MemberError(path: name, problem: "given twice")
    }
    try Self.check(value)
    try value.checkCarried()
    self.init(unchecked: value.raw)
  }

  package func write(to writer: inout JSONWriter) { writer.raw(json) }

  package var byteCount: Int { json.bytes.count }

  /// From members that the caller writes, which are checked as well.
  package init(
    writing members: (inout JSONWriter) -> Void
  ) throws(MemberError) {
    let document = JSONDocument()
    try document.parse(RawJSON(members: members).bytes.span)
    try self.init(reading: document.root)
  }
}

extension JSONValue {
  /// Throws if the member has another type.
  func check<Value: JSONCodable>(
    _ name: StaticString, _ type: Value.Type, isRequired: Bool = false
  ) throws(MemberError) {
    guard let member = self[name], isRequired || !member.isNull else {
      guard isRequired else { return }
      throw MemberError(problem: "missing; expected \(Value.expectation)").inside(name)
    }
    _ = try MemberError.inside(name, Value(reading: member))
  }
}
