package import SceneJSON

/// The arguments of `activity` that a person typed: `TYPE JSON`, `TYPE`, or `null` for none.
package struct TypedActivity: Equatable, Sendable {
  /// Nil clears the activity.
  package let activity: Activity?

  package init(_ text: String) throws(MemberError) {
    if let whole = try Self.whole(text) {
      activity = whole
      return
    }
    let (type, json) = Self.parts(of: text)
    guard let first = type.first else {
      throw MemberError(problem: "expected the activity's type, or null for none")
    }
    if first.beginsJSON {
      throw MemberError(problem: "expected the activity's type before its JSON, found \(type)")
    }
    if type == "null", json == nil {
      activity = nil
      return
    }
    activity = try Activity(givenType: type, json: json ?? "{}")
  }

  /// The type, and the text of the `userInfo` after a blank or `=`.
  package static func parts(of text: String) -> (type: String, json: String?) {
    let text = text.drop(while: \.isWhitespace)
    guard let end = text.firstIndex(where: { $0.isWhitespace || $0 == "=" }),
      text.first?.beginsJSON == false
    else { return (String(text.prefix { !$0.isWhitespace }), nil) }
    let rest = text[end...].dropFirst().drop(while: \.isWhitespace)
    return (String(text[..<end]), rest.isEmpty && text[end] != "=" ? nil : String(rest))
  }

  /// An activity in one word of a command line: `TYPE=JSON`, `TYPE JSON`, or the whole activity as
  /// JSON; nil for other text.
  package static func word(_ text: String) throws(MemberError) -> Activity? {
    if let whole = try whole(text) { return whole }
    var (type, json) = parts(of: text)
    // A `=` before the JSON ends the type.
    if let sign = text.firstIndex(of: "="), !text[..<sign].contains(where: \.beginsJSON) {
      (type, json) = (String(text[..<sign]), String(text[text.index(after: sign)...]))
    }
    guard let json, !json.isEmpty else { return nil }
    return try Activity(givenType: type, json: json)
  }

  /// The arguments that ``word(_:)`` accepts, for an error message.
  package static let expectation =
    "expected TYPE=JSON, such as 'com.example.note={\"line\": 42}'"

  /// An object with an `activityType`; nil for other text.
  private static func whole(_ text: String) throws(MemberError) -> Activity? {
    let document = JSONDocument()
    guard (try? document.read(text.utf8)) != nil, document.root["activityType"] != nil else {
      return nil
    }
    return try Activity(readingGiven: document.root)
  }
}

extension Character {
  /// Whether the text begins like an object, an array or a string of JSON.
  package var beginsJSON: Bool { "{[\"".contains(self) }
}

extension Activity {
  /// From a type and the text of an object.
  package init(givenType type: String, json: String) throws(MemberError) {
    try self.init(
      givenType: type, userInfo: MemberError.inside("userInfo", RawJSON(parsing: json.utf8)))
  }

  /// From a type and an object, which stays byte for byte.
  package init(givenType type: String, userInfo: RawJSON) throws(MemberError) {
    try self.init(given: { writer in
      writer.member("activityType", type)
      writer.name("userInfo")
      writer.raw(userInfo)
    })
  }

  /// From members that the caller writes.
  package init(given members: (inout JSONWriter) -> Void) throws(MemberError) {
    let document = JSONDocument()
    try MemberError.inside("activity", document.parse(RawJSON(members: members).bytes.span))
    try self.init(readingGiven: document.root)
  }
}
