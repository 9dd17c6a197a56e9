package import SceneJSON

/// The greatest nesting of a value that the broker stores unread. The messages around it add more
/// levels.
package let carriedDepth = 48

/// A JSON object of a client, checked on input, then stored and returned byte for byte.
package struct OpaqueObject: Hashable, Sendable {
  package let json: RawJSON

  package static let empty = OpaqueObject(unchecked: .emptyObject)

  /// For bytes that were checked before.
  package init(unchecked json: RawJSON) { self.json = json }

  package var byteCount: Int { json.bytes.count }
}

extension OpaqueObject: JSONCodable {
  package static var expectation: String { "an object" }

  package init(reading value: JSONValue) throws(MemberError) {
    guard value.kind == .object else { throw .expected(Self.self, found: value) }
    try value.checkCarried()
    json = value.raw
  }

  package func write(to writer: inout JSONWriter) { writer.raw(json) }
}

/// A scene's activity: a type, a `userInfo` object and other members of the client, byte for byte.
package struct Activity: OpaqueMembers {
  package let json: RawJSON

  package init(unchecked json: RawJSON) { self.json = json }

  package static let none = Activity(unchecked: .emptyObject)
  package static var expectation: String { "an activity (an object)" }

  package static func check(_ object: JSONValue) throws(MemberError) {
    guard let type = object["activityType"] else {
      throw MemberError(path: "activityType", problem: "missing; expected a string")
    }
    guard type.kind == .string else {
      throw MemberError.expected(String.self, found: type).inside("activityType")
    }
    guard !type.equals("") else {
      throw MemberError(
        path: "activityType", problem: "must not be empty; use a name such as com.example.note")
    }
    guard let userInfo = object["userInfo"] else {
      throw MemberError(path: "userInfo", problem: "missing; expected an object (empty is fine)")
    }
    guard userInfo.kind == .object else {
      throw MemberError.expected(OpaqueObject.self, found: userInfo).inside("userInfo")
    }
  }
}

extension JSONValue {
  /// Throws if the value is nested too deeply.
  func checkCarried() throws(MemberError) {
    guard depth <= carriedDepth else {
      throw MemberError(
        problem: "nested \(depth) levels deep; the limit is \(carriedDepth)")
    }
  }
}

extension Activity {
  /// The `activityType`, which every activity has.
  package var type: String { json.text("activityType") ?? "" }

  /// The identifier of the activity's content, which selects a session.
  package var targetContentIdentifier: String? { json.text("targetContentIdentifier") }

  /// The type of an activity that continues a web page.
  package static let browsingWeb = "NSUserActivityTypeBrowsingWeb"

  /// The page that shows the activity's content.
  package var webpageURL: String? { json.text("webpageURL") }

  /// Whether another host can continue the activity.
  package var isEligibleForHandoff: Bool {
    json.member("isEligibleForHandoff", Bool.self) ?? true
  }
}

extension RawJSON {
  /// A member of the object, if it is a string.
  func text(_ member: StaticString) -> String? {
    let document = JSONDocument()
    guard (try? document.read(bytes.span)) != nil else { return nil }
    return document.root[member]?.string
  }

  /// A member of the object; nil if it is absent or has another type.
  func member<Value: JSONCodable>(_ member: StaticString, _ type: Value.Type) -> Value? {
    let document = JSONDocument()
    guard (try? document.read(bytes.span)) != nil, let value = document.root[member] else {
      return nil
    }
    return try? Value(reading: value)
  }

  /// A member of the object, byte for byte.
  func value(_ member: StaticString) -> RawJSON? {
    let document = JSONDocument()
    guard (try? document.read(bytes.span)) != nil else { return nil }
    return document.root[member]?.raw
  }
}

extension Activity {
  /// Checks a type that a person typed. Types are shown, compared and completed, so they must have
  /// more than blanks and no control characters.
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
