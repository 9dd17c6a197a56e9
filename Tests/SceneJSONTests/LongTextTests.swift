import Testing

@testable import SceneJSON

/// The work for the longest texts that a peer can send.
struct LongTextTests {
  private static let mebibyte = 1 << 20

  @Test(
    "a long string is read in linear time",
    arguments: ["abcdefgh", "é", "漢", "😀", #"\n"#, #"\ud83d\ude00"#])
  func longStrings(part: String) throws {
    let count = Self.mebibyte / part.utf8.count
    let text = "\"" + String(repeating: part, count: count) + "\""
    let once = try parse("\"" + part + "\"").string ?? ""
    let value = try check(text)
    #expect(value.string == String(repeating: once, count: count))
  }

  @Test(
    "a long row of opening brackets is rejected at the maximum depth", arguments: ["[", "{\"a\":"])
  func openingBrackets(part: String) {
    let text = String(repeating: part, count: Self.mebibyte / part.utf8.count)
    #expect(errorReading(text) == JSONError(.tooDeep, at: 64 * part.utf8.count))
    // Also at the largest maximum depth.
    #expect(errorReading(text, maximumDepth: .max)?.reason == .tooDeep)
  }

  @Test("a long number is read in linear time", arguments: ["1", "0."])
  func longNumbers(beginning: String) throws {
    let text = beginning + String(repeating: "1", count: Self.mebibyte)
    let value = try check(text)
    #expect(value.integer == nil)
    #expect(value.raw.bytes.count == text.utf8.count)
  }

  @Test("many members are read in linear time")
  func manyMembers() throws {
    let count = 300_000
    let members = (0..<count).map { "\"m\($0)\":\($0)" }
    let value = try check("{" + members.joined(separator: ",") + "}")
    #expect(value.count == count)
    #expect(value.member(named: "m\(count - 1)")?.integer == Int64(count - 1))
  }

  @Test(
    "many small values are read in linear time",
    arguments: ["1", "[]", "{}", "\"\"", "[[1]]", " \n "])
  func manyValues(part: String) throws {
    let parts = Array(repeating: part, count: Self.mebibyte / (part.utf8.count + 1))
    if part.allSatisfy(\.isWhitespace) {
      #expect(try check(parts.joined() + "1").integer == 1)
    } else {
      #expect(try check("[" + parts.joined(separator: ",") + "]").count == parts.count)
    }
  }

  @Test("a long text with an error at its end is rejected")
  func breaksAtTheEnd() {
    let text = "[" + String(repeating: "1,", count: Self.mebibyte / 2) + "]"
    #expect(errorReading(text) == JSONError(.trailingComma, at: text.utf8.count - 1))
    let string = "\"" + String(repeating: "x", count: Self.mebibyte)
    #expect(errorReading(string) == JSONError(.unexpectedEnd, at: string.utf8.count))
  }

  /// Reads a text and checks that the number of steps is linear.
  private func check(_ text: String) throws -> JSONValue {
    let document = JSONDocument()
    try document.read(Array(text.utf8))
    #if DEBUG
      #expect(document.steps <= 2 * text.utf8.count + 8)
    #endif
    _ = Unmanaged.passRetained(document)
    return document.root
  }
}
