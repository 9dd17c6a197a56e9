import JSON

/// What `activity TYPE JSON` saves when it is typed at a client.
enum TypedActivity {
  /// Nil for a line that saves nothing.
  static func json(_ line: String) -> RawJSON? {
    let words = line.split(maxSplits: 2, whereSeparator: \.isWhitespace)
    guard words.count > 1, words[0] == "activity" else { return nil }
    if words.count == 2, words[1] == "null" { return .null }
    let text = words.count > 2 ? String(words[2]) : "{}"
    guard let userInfo = try? RawJSON(validating: text.utf8) else { return nil }
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("activityType")
    writer.string(String(words[1]))
    writer.name("userInfo")
    writer.raw(userInfo)
    writer.endObject()
    return RawJSON(unchecked: writer.bytes)
  }
}
