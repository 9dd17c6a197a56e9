import JSON
import Testing

struct RawJSONTests {
  @Test("keeps the bytes of a value, without the whitespace around it")
  func keeps() throws {
    let raw = try RawJSON(validating: " {\"a\" : 9007199254740993}\n".utf8)
    #expect(raw.description == "{\"a\" : 9007199254740993}")
    #expect(Array(raw.bytes) == Array("{\"a\" : 9007199254740993}".utf8))
  }

  @Test("refuses what is not one JSON text, and what is nested too deeply")
  func refuses() {
    #expect(throws: JSONError(.textAfterValue, at: 2)) { try RawJSON(validating: "1 2".utf8) }
    #expect(throws: JSONError(.unexpectedEnd, at: 0)) { try RawJSON(validating: "".utf8) }
    #expect(throws: JSONError(.tooDeep, at: 1)) {
      try RawJSON(validating: "[[]]".utf8, maximumDepth: 1)
    }
  }

  @Test("two are equal if their bytes are")
  func equality() throws {
    #expect(try RawJSON(validating: "null".utf8) == .null)
    #expect(try RawJSON(validating: "{}".utf8) == .emptyObject)
    #expect(try RawJSON(validating: "1".utf8) != RawJSON(validating: "1.0".utf8))
    #expect(RawJSON(unchecked: [0x31]) == (try RawJSON(validating: " 1".utf8)))
    #expect(Set([RawJSON.null, .emptyObject, .null]).count == 2)
  }
}
