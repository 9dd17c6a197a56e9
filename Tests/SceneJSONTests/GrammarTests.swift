import SceneJSON
import Testing

struct GrammarTests {
  @Test(
    "every value that RFC 8259 allows is accepted",
    arguments: [
      "null", "true", "false", "0", "-0", "1", "-1", "10", "0.0", "-0.5", "1.25", "1e5", "1E5",
      "1e+5", "1e-5", "1.5e10", "0e0", "0E+00", "123456789012345678901234567890",
      "\"\"", "\"a\"", "\"/\"", "\"\u{7F}\"", "\"a'b\"",
      "[]", "[ ]", "[1]", "[1,2]", "[[]]", "[[],[]]", "[[[]],[]]", "[null,true,false,\"x\",{}]",
      "{}", "{ }", "{\"a\":1}", "{\"a\":1,\"b\":2}", "{\"\":{}}", "{\"a\":{\"b\":[{}]}}",
      "{\"a\":1,\"a\":2}",
      " 1", "1 ", "\t\n\r 1 \t\n\r", " [ 1 , 2 ] ", "\n{ \"a\" : 1 , \"b\" : [ ] }\r\n",
      "[1]\n", "\"[{\"", "\"//\"", "\"\\\\\"", "\"\\\"\"",
    ])
  func accepts(text: String) {
    #expect(errorReading(text) == nil)
  }

  @Test(
    "a text without a value is refused",
    arguments: [
      RemoteError("", .unexpectedEnd, at: 0),
      RemoteError(" \n", .unexpectedEnd, at: 2),
      RemoteError("nul", .invalidLiteral, at: 0),
      RemoteError("nil", .invalidLiteral, at: 0),
      RemoteError("[truE]", .invalidLiteral, at: 1),
      RemoteError("fals", .invalidLiteral, at: 0),
      RemoteError("True", .expectedValue, at: 0),
      RemoteError("NaN", .invalidLiteral, at: 0),
      RemoteError("Infinity", .invalidLiteral, at: 0),
      RemoteError("nulll", .textAfterValue, at: 4),
      RemoteError("'a'", .expectedValue, at: 0),
      RemoteError("a", .expectedValue, at: 0),
      RemoteError(":", .expectedValue, at: 0),
      RemoteError("\u{A0}1", .expectedValue, at: 0),
      RemoteError("\u{0B}1", .expectedValue, at: 0),
      RemoteError("\u{0}", .expectedValue, at: 0),
      RemoteError("1\u{0}", .textAfterValue, at: 1),
      RemoteError("\u{FEFF}1", .byteOrderMark, at: 0),
      RemoteError(" \u{FEFF}1", .expectedValue, at: 1),
      RemoteError("1 2", .textAfterValue, at: 2),
      RemoteError("{}{}", .textAfterValue, at: 2),
      RemoteError("[]]", .textAfterValue, at: 2),
      RemoteError("1,", .textAfterValue, at: 1),
      RemoteError("/* */ 1", .comment, at: 0),
      RemoteError("1 // one", .comment, at: 2),
      RemoteError("[1, /* */ 2]", .comment, at: 4),
      RemoteError("# 1", .expectedValue, at: 0),
    ])
  func refusesValue(_ refusal: RemoteError) {
    refusal.check()
  }

  @Test(
    "arrays and objects that are not well-formed are refused",
    arguments: [
      RemoteError("[", .unexpectedEnd, at: 1),
      RemoteError("[1", .unexpectedEnd, at: 2),
      RemoteError("[1,", .unexpectedEnd, at: 3),
      RemoteError("[1,]", .trailingComma, at: 3),
      RemoteError("[,1]", .expectedValue, at: 1),
      RemoteError("[1,,2]", .expectedValue, at: 3),
      RemoteError("[1 2]", .expectedCommaOrBracket, at: 3),
      RemoteError("[1}", .expectedCommaOrBracket, at: 2),
      RemoteError("[1:2]", .expectedCommaOrBracket, at: 2),
      RemoteError("]", .expectedValue, at: 0),
      RemoteError("{", .unexpectedEnd, at: 1),
      RemoteError("{]", .expectedName, at: 1),
      RemoteError("{\"a\"", .unexpectedEnd, at: 4),
      RemoteError("{\"a\":", .unexpectedEnd, at: 5),
      RemoteError("{\"a\":1", .unexpectedEnd, at: 6),
      RemoteError("{\"a\":1,", .unexpectedEnd, at: 7),
      RemoteError("{\"a\":1,}", .trailingComma, at: 7),
      RemoteError("{\"a\":}", .expectedValue, at: 5),
      RemoteError("{\"a\"}", .expectedColon, at: 4),
      RemoteError("{\"a\" 1}", .expectedColon, at: 5),
      RemoteError("{\"a\",1}", .expectedColon, at: 4),
      RemoteError("{a:1}", .expectedName, at: 1),
      RemoteError("{1:1}", .expectedName, at: 1),
      RemoteError("{,}", .expectedName, at: 1),
      RemoteError("{\"a\":1 \"b\":2}", .expectedCommaOrBrace, at: 7),
      RemoteError("{\"a\":1]", .expectedCommaOrBrace, at: 6),
      RemoteError("{\"a\":1,2}", .expectedName, at: 7),
      RemoteError("{\"a\":[}]", .expectedValue, at: 6),
      RemoteError("{\"a\":1, // b\n\"b\":2}", .comment, at: 8),
      RemoteError("}", .expectedValue, at: 0),
    ])
  func refusesContainer(_ refusal: RemoteError) {
    refusal.check()
  }

  @Test(
    "numbers that are not well-formed are refused",
    arguments: [
      RemoteError("01", .leadingZero, at: 0),
      RemoteError("-01", .leadingZero, at: 1),
      RemoteError("00", .leadingZero, at: 0),
      RemoteError("+1", .leadingPlus, at: 0),
      RemoteError("-", .unexpectedEnd, at: 1),
      RemoteError("[-]", .missingDigits, at: 2),
      RemoteError("--1", .missingDigits, at: 1),
      RemoteError("-+1", .missingDigits, at: 1),
      RemoteError("-Infinity", .missingDigits, at: 1),
      RemoteError("1.", .unexpectedEnd, at: 2),
      RemoteError("[1.]", .missingDigits, at: 3),
      RemoteError(".5", .missingDigits, at: 0),
      RemoteError("-.5", .missingDigits, at: 1),
      RemoteError("1.e5", .missingDigits, at: 2),
      RemoteError("1e", .unexpectedEnd, at: 2),
      RemoteError("[1e]", .missingDigits, at: 3),
      RemoteError("1e+", .unexpectedEnd, at: 3),
      RemoteError("[1e-]", .missingDigits, at: 4),
      RemoteError("1e5.0", .textAfterValue, at: 3),
      RemoteError("1.5.0", .textAfterValue, at: 3),
      RemoteError("0x10", .textAfterValue, at: 1),
      RemoteError("1_000", .textAfterValue, at: 1),
      RemoteError("1a", .textAfterValue, at: 1),
      RemoteError("1\u{0661}", .textAfterValue, at: 1),
      RemoteError("[1f]", .expectedCommaOrBracket, at: 2),
    ])
  func refusesNumber(_ refusal: RemoteError) {
    refusal.check()
  }

  @Test("every truncated text is rejected")
  func refusesCutTexts() {
    let text = Array(#"{"a":[1.5e3,true,null,"x\u00e9\ud83d\ude00é😀"],"b":{"c":-0.1}}"#.utf8)
    #expect(errorReading(text) == nil)
    for length in 0..<text.count {
      let error = errorReading(Array(text[..<length]))
      #expect(error != nil, "accepted the first \(length) bytes")
      #expect((error?.offset ?? 0) <= length)
    }
  }

  @Test("an error states the fault and its position")
  func describesErrors() {
    #expect(JSONError(.trailingComma, at: 3).description == "a trailing comma at byte 3")
    let descriptions = Set(JSONError.Reason.allCases.map(\.description))
    #expect(descriptions.count == JSONError.Reason.allCases.count)
  }

  @Test(
    "the error for a text that is not JSON shows its first word",
    arguments: [
      ("hello", "expected a JSON value, found \"hello\" at byte 0"),
      ("note 5", "expected a JSON value, found \"note\" at byte 0"),
      (#"{"a": trueish}"#, "expected ',' or '}' at byte 10"),
      (#"{"a": nil}"#, "expected a JSON value, found \"nil\" at byte 6"),
      ("}", "expected a JSON value at byte 0"),
    ])
  func showsWhatIsFound(_ text: String, _ description: String) {
    let error = errorReading(text)
    #expect(error?.description == description)
    #expect(error?.withoutText.description.contains("found") == false)
  }
}

/// A text with its expected error.
struct RemoteError: Sendable, CustomTestStringConvertible {
  let bytes: [UInt8]
  let expected: JSONError

  init(_ text: String, _ reason: JSONError.Reason, at offset: Int) {
    self.init(Array(text.utf8), reason, at: offset)
  }

  init(_ bytes: [UInt8], _ reason: JSONError.Reason, at offset: Int) {
    self.bytes = bytes
    expected = JSONError(reason, at: offset)
  }

  var testDescription: String { String(decoding: bytes, as: UTF8.self).debugDescription }

  func check() {
    #expect(errorReading(bytes) == expected)
  }
}
