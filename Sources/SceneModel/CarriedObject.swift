package import JSON

/// How deep a value may be nested that is only carried: it must still fit below what carries it.
package let carriedDepth = 48

/// A JSON object of a peer: checked when it comes in, then kept and given back byte for
/// byte.
package struct CarriedObject: Hashable, Sendable {
  package let json: RawJSON

  package static let empty = CarriedObject(unchecked: .emptyObject)

  /// For bytes that were read as an object before.
  package init(unchecked json: RawJSON) { self.json = json }

  package var byteCount: Int { json.bytes.count }
}

extension CarriedObject: JSONCodable {
  package static var expectation: String { "an object" }

  package init(reading value: JSONValue) throws(MemberError) {
    guard value.kind == .object else { throw .expected(Self.self, found: value) }
    try value.checkCarried()
    json = value.raw
  }

  package func write(to writer: inout JSONWriter) { writer.raw(json) }
}

/// A scene's activity: a type, a userInfo object, and whatever else the client put in, all carried
/// as they came.
package struct Activity: Hashable, Sendable {
  package let json: RawJSON

  /// For bytes that were read as an activity before.
  package init(unchecked json: RawJSON) { self.json = json }

  package static let none = Activity(unchecked: .emptyObject)

  package var byteCount: Int { json.bytes.count }
}

extension Activity: JSONCodable {
  package static var expectation: String { "an activity (an object)" }

  package init(reading value: JSONValue) throws(MemberError) {
    guard value.kind == .object else { throw .expected(Self.self, found: value) }
    if let name = value.firstDuplicateName {
      throw MemberError(path: name, problem: "given twice")
    }
    guard let type = value["activityType"] else {
      throw MemberError(path: "activityType", problem: "missing; expected a string")
    }
    guard type.kind == .string else {
      throw MemberError.expected(String.self, found: type).inside("activityType")
    }
    guard !type.equals("") else {
      throw MemberError(
        path: "activityType", problem: "must not be empty; use a name such as com.example.note")
    }
    guard let userInfo = value["userInfo"] else {
      throw MemberError(path: "userInfo", problem: "missing; expected an object (empty is fine)")
    }
    guard userInfo.kind == .object else {
      throw MemberError.expected(CarriedObject.self, found: userInfo).inside("userInfo")
    }
    try value.checkCarried()
    json = value.raw
  }

  package func write(to writer: inout JSONWriter) { writer.raw(json) }
}

extension JSONValue {
  /// Refuses what is nested too deeply to be carried.
  func checkCarried() throws(MemberError) {
    guard depth <= carriedDepth else {
      throw MemberError(
        problem: "nested \(depth) levels deep; the limit is \(carriedDepth)")
    }
  }
}

extension Activity {
  /// The `activityType`; it was checked to be there when the activity came in.
  package var type: String { json.text("activityType") ?? "" }

  /// The identifier of its content, for the choice of a session.
  package var targetContentIdentifier: String? { json.text("targetContentIdentifier") }
}

extension RawJSON {
  /// A member of an object that is carried, if it is there and a string.
  func text(_ member: StaticString) -> String? {
    let document = JSONDocument()
    do throws(JSONError) {
      try document.read(bytes.span)
    } catch {
      return nil
    }
    return document.root[member]?.string
  }

  /// The same of any kind; nil if it is not there, or another.
  func member<Value: JSONCodable>(_ member: StaticString, _ type: Value.Type) -> Value? {
    let document = JSONDocument()
    guard (try? document.read(bytes.span)) != nil, let value = document.root[member] else {
      return nil
    }
    return try? Value(reading: value)
  }

  /// The same as it stands there.
  func value(_ member: StaticString) -> RawJSON? {
    let document = JSONDocument()
    guard (try? document.read(bytes.span)) != nil else { return nil }
    return document.root[member]?.raw
  }
}

extension Activity {
  /// The activity of a prompt or a script: its type is shown, compared and completed there,
  /// so that it must be more than blanks, and have nothing in it that a terminal would obey.
  package init(readingGiven value: JSONValue) throws(MemberError) {
    let activity = try Activity(reading: value)
    let scalars = activity.type.unicodeScalars
    if scalars.allSatisfy(\.properties.isWhitespace) {
      throw MemberError(
        path: "activityType", problem: "must not be blank; use a name such as com.example.note")
    }
    if scalars.contains(where: { $0.properties.generalCategory == .control }) {
      throw MemberError(path: "activityType", problem: "must not contain a control character")
    }
    self = activity
  }
}
