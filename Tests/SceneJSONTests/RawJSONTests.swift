import SceneJSON
import Testing

struct RawSceneJSONTests {
  @Test("a raw value keeps its bytes without surrounding whitespace")
  func keeps() throws {
    let raw = try RawJSON(validating: " {\"a\" : 9007199254740993}\n".utf8)
    #expect(raw.description == "{\"a\" : 9007199254740993}")
    #expect(Array(raw.bytes) == Array("{\"a\" : 9007199254740993}".utf8))
  }

  @Test("a raw value must be one JSON text within the maximum depth")
  func refuses() {
    #expect(throws: JSONError(.textAfterValue, at: 2)) { try RawJSON(validating: "1 2".utf8) }
    #expect(throws: JSONError(.unexpectedEnd, at: 0)) { try RawJSON(validating: "".utf8) }
    #expect(throws: JSONError(.tooDeep, at: 1)) {
      try RawJSON(validating: "[[]]".utf8, maximumDepth: 1)
    }
  }

  @Test("raw values are equal if their bytes are equal")
  func equality() throws {
    #expect(try RawJSON(validating: "null".utf8) == .null)
    #expect(try RawJSON(validating: "{}".utf8) == .emptyObject)
    #expect(try RawJSON(validating: "1".utf8) != RawJSON(validating: "1.0".utf8))
    #expect(RawJSON(unchecked: [0x31]) == (try RawJSON(validating: " 1".utf8)))
    #expect(Set([RawJSON.null, .emptyObject, .null]).count == 2)
  }
}
