import CommandLine
import Testing

@Suite("Splitting a line into words")
struct WordsTests {
  private static let lines: [(String, [String])] = [
    ("", []), ("   ", []), ("a b\tc", ["a", "b", "c"]), ("  a  ", ["a"]),
    ("'a b' \"c d\" e\\ f", ["a b", "c d", "e f"]), ("a'b'\"c\"d", ["abcd"]),
    ("'' \"\"", ["", ""]), (#""a\"b\\c\n""#, [#"a"b\c\n"#]), (#"'a\b'"#, [#"a\b"#]),
    (#"\{ \""#, ["{", "\""]), ("it\\'s", ["it's"]),
    (
      "activity com.example.note {\"line\": 42}",
      ["activity", "com.example.note", "{\"line\": 42}"]
    ),
    (
      "--activity com.example.note={\"line\": 42}",
      ["--activity", "com.example.note={\"line\": 42}"]
    ),
    ("post T [1, 2, {\"a\": [\"]\"]}] --x", ["post", "T", "[1, 2, {\"a\": [\"]\"]}]", "--x"]),
    (#"{"a": "}\"}", "b": "\\"} c"#, [#"{"a": "}\"}", "b": "\\"}"#, "c"]),
    ("{\"a\": \"it's\"}", ["{\"a\": \"it's\"}"]),
    (
      "{\"e\u{301}\": \"\u{301}x }\"} y",
      ["{\"e\u{301}\": \"\u{301}x }\"}", "y"]
    ),
    ("{\"\": \"\"}", ["{\"\": \"\"}"]), ("a{b c}", ["a{b", "c}"]), ("x=[] y", ["x=[]", "y"]),
    ("a==b", ["a==b"]), ("'{a b'", ["{a b"]), ("[linux] exec ls", ["[linux]", "exec", "ls"]),
    ("trace packing {", ["trace", "packing", "{"]), ("{  ", ["{"]), ("}", ["}"]), ("x={", ["x={"]),
    ("{}{ }", ["{}{", "}"]), ("é 🎭", ["é", "🎭"]), ("# a", ["#", "a"]),
  ]

  @Test("follows the shell, but takes JSON as it is", arguments: lines)
  func splits(line: String, words: [String]) throws {
    #expect(try Words.split(line) == words)
  }

  @Test("tells where each word begins")
  func columns() throws {
    let words = try Words.located("  a 'b c' é={ \"x\": 1 } d")
    #expect(words.map(\.text) == ["a", "b c", "é={ \"x\": 1 }", "d"])
    #expect(words.map(\.column) == [3, 5, 11, 24])
  }

  private static let mistakes: [(String, WordsError, String)] = [
    ("a 'b", WordsError(.unclosed("'"), column: 3), "the ' at column 3 is never closed"),
    ("\"b", WordsError(.unclosed("\""), column: 1), "the \" at column 1 is never closed"),
    ("\"b\\\"", WordsError(.unclosed("\""), column: 1), "the \" at column 1 is never closed"),
    ("a b\\", WordsError(.nothingQuoted, column: 4), "nothing follows the \\ at column 4"),
    (
      "x {\"a\": [1, 2}", WordsError(.mismatched("}"), column: 14),
      "the } at column 14 does not close what is open there"
    ),
    ("x {\"a\": 1", WordsError(.unclosed("{"), column: 3), "the { at column 3 is never closed"),
    ("x {\"a\": [1", WordsError(.unclosed("["), column: 9), "the [ at column 9 is never closed"),
    ("x {\"a", WordsError(.unclosed("\""), column: 4), "the \" at column 4 is never closed"),
    ("x {\"a\\", WordsError(.unclosed("\""), column: 4), "the \" at column 4 is never closed"),
    ("x {\"a\\\"", WordsError(.unclosed("\""), column: 4), "the \" at column 4 is never closed"),
    (
      "é=[}", WordsError(.mismatched("}"), column: 4),
      "the } at column 4 does not close what is open there"
    ),
  ]

  @Test("says what is open, and where", arguments: mistakes)
  func refuses(line: String, error: WordsError, message: String) {
    #expect(throws: error) { try Words.split(line) }
    #expect(error.description == message)
  }
}
