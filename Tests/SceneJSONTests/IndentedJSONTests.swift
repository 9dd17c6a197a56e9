import SceneJSON
import Testing

@Suite("Indented JSON")
struct IndentedSceneJSONTests {
  @Test(
    "each member and element has its own line, and strings stay unchanged",
    arguments: [
      (#"{}"#, "{}"), (#"[]"#, "[]"), (#"12"#, "12"), (#""a, {b}""#, #""a, {b}""#),
      (#"{"a":1,"b":[true,null]}"#, "{\n  \"a\": 1,\n  \"b\": [\n    true,\n    null\n  ]\n}"),
      (#"{ "a" : { } , "b\"}":"\\" }"#, "{\n  \"a\": {},\n  \"b\\\"}\": \"\\\\\"\n}"),
    ])
  func layout(text: String, indented: String) throws {
    #expect(try RawJSON(validating: text.utf8).indented == indented)
  }

  @Test("indentation keeps the value")
  func value() throws {
    let text = #"{"a":[1,{"b":"c:,[]{}"},[[]],{}],"d":-1.5e3}"#
    let indented = try RawJSON(validating: text.utf8).indented
    let again = try RawJSON(validating: indented.utf8).indented
    #expect(again == indented)
    #expect(indented.filter { !$0.isWhitespace } == text)
  }
}
