import SceneJSON
import Testing

struct DepthTests {
  @Test(
    "a nesting of 64 is accepted, and one of 65 is refused",
    arguments: [
      ("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]"), ("{\"a\":[", "]}"),
    ])
  func limits(opening: String, closing: String) throws {
    let levels = opening.filter { "[{".contains($0) }.count
    let open = String(repeating: opening, count: 64 / levels)
    let close = String(repeating: closing, count: 64 / levels)
    #expect(try parse(open + "1" + close).depth == 64)
    #expect(errorReading(open + "[]" + close) == JSONError(.tooDeep, at: open.utf8.count))
    #expect(errorReading(open + "{}" + close) == JSONError(.tooDeep, at: open.utf8.count))
    #expect(errorReading(open + "\"[[{{\"" + close) == nil)
  }

  @Test("the depth limit does not limit the number of containers")
  func limitsNestingOnly() throws {
    let text = "[" + Array(repeating: "[{}]", count: 1000).joined(separator: ",") + "]"
    #expect(try parse(text, maximumDepth: 3).depth == 3)
    #expect(errorReading(text, maximumDepth: 2) == JSONError(.tooDeep, at: 2))
  }

  @Test("a limit of zero allows only scalars")
  func limitOfZero() {
    #expect(errorReading("1", maximumDepth: 0) == nil)
    #expect(errorReading("[]", maximumDepth: 0) == JSONError(.tooDeep, at: 0))
    #expect(errorReading("{}", maximumDepth: -1) == JSONError(.tooDeep, at: 0))
  }

  @Test("the maximum depth is 65,535")
  func limitsTheLimit() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array(repeating: 0x5B, count: depth) + Array(repeating: 0x5D, count: depth)
    }
    #expect(try parse(nested(65_535), maximumDepth: .max).depth == 65_535)
    #expect(
      errorReading(nested(65_536), maximumDepth: .max) == JSONError(.tooDeep, at: 65_535))
  }

  @Test(
    "the depth of a value counts the containers in it and itself",
    arguments: [
      ("1", 0), ("\"[[\"", 0), ("null", 0), ("[]", 1), ("{}", 1), ("[1,2]", 1), ("{\"a\":1}", 1),
      ("[[]]", 2), ("[[[]],[]]", 3), ("[[],[[]]]", 3), ("{\"a\":[],\"b\":{\"c\":[1]}}", 3),
      ("[1,[2,[3,[4]]],5]", 4), ("[[[[]]],[[]],[]]", 4),
    ])
  func depths(text: String, expected: Int) throws {
    #expect(try parse(text).depth == expected)
    #expect(errorReading(text, maximumDepth: expected) == nil)
    if expected > 0 {
      #expect(errorReading(text, maximumDepth: expected - 1)?.reason == .tooDeep)
    }
  }

  @Test("a member has its own depth")
  func memberDepths() throws {
    let root = try parse(#"{"a":1,"b":[[2]],"c":{"d":[]}}"#)
    #expect(root.members.map(\.value.depth) == [0, 2, 2])
    #expect(root["b"]?.elements.map(\.depth) == [1])
  }
}
