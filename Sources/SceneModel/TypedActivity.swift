package import JSON

/// What a person types behind `activity`: `TYPE JSON`, `TYPE`, or `null` for none.
package struct TypedActivity: Equatable, Sendable {
  /// Nil clears.
  package let activity: Activity?

  package init(_ text: String) throws(MemberError) {
    let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
    guard let type = words.first else {
      throw MemberError(problem: "expected the activity's type, or null for none")
    }
    if let first = type.first, "{[\"".contains(first) {
      throw MemberError(problem: "expected the activity's type before its JSON, found \(type)")
    }
    let json = words.count > 1 ? words[1].drop { $0.isWhitespace } : ""
    if type == "null", json.isEmpty {
      activity = nil
      return
    }
    activity = try Activity(givenType: type, json: json.isEmpty ? "{}" : String(json))
  }
}

extension Activity {
  /// Of a type and the text of an object, as somebody gave them.
  package init(givenType type: String, json: String) throws(MemberError) {
    let userInfo: RawJSON
    do throws(JSONError) {
      userInfo = try RawJSON(validating: json.utf8)
    } catch {
      throw MemberError(path: "userInfo", problem: "\(error)")
    }
    try self.init(givenType: type, userInfo: userInfo)
  }

  /// Of a type that somebody gave, and an object that is kept as it is.
  package init(givenType type: String, userInfo: RawJSON) throws(MemberError) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("activityType")
    writer.string(type)
    writer.name("userInfo")
    writer.raw(userInfo)
    writer.endObject()
    let document = JSONDocument()
    do throws(JSONError) {
      try document.read(writer.bytes.span)
    } catch {
      throw MemberError(path: "activity", problem: "\(error)")
    }
    try self.init(readingGiven: document.root)
  }
}
