import SceneCommandLine
import Testing

@Suite("Splitting a line into words")
struct ShellWordsTests {
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

  @Test("words are split as in a shell, and JSON needs no quotes", arguments: lines)
  func splits(line: String, words: [String]) throws {
    #expect(try ShellWords.split(line) == words)
  }

  @Test("each word has its column")
  func columns() throws {
    let words = try ShellWords.located("  a 'b c' é={ \"x\": 1 } d")
    #expect(words.map(\.text) == ["a", "b c", "é={ \"x\": 1 }", "d"])
    #expect(words.map(\.column) == [3, 5, 11, 24])
  }

  private static let mistakes: [(String, ShellWordsError, String)] = [
    ("a 'b", ShellWordsError(.unclosed("'"), column: 3), "unclosed ' at column 3"),
    ("\"b", ShellWordsError(.unclosed("\""), column: 1), "unclosed \" at column 1"),
    ("\"b\\\"", ShellWordsError(.unclosed("\""), column: 1), "unclosed \" at column 1"),
    (
      "a b\\", ShellWordsError(.nothingQuoted, column: 4), "no character follows the \\ at column 4"
    ),
    (
      "x {\"a\": [1, 2}", ShellWordsError(.mismatched("}"), column: 14),
      "the } at column 14 matches no open bracket"
    ),
    ("x {\"a\": 1", ShellWordsError(.unclosed("{"), column: 3), "unclosed { at column 3"),
    ("x {\"a\": [1", ShellWordsError(.unclosed("["), column: 9), "unclosed [ at column 9"),
    ("x {\"a", ShellWordsError(.unclosed("\""), column: 4), "unclosed \" at column 4"),
    ("x {\"a\\", ShellWordsError(.unclosed("\""), column: 4), "unclosed \" at column 4"),
    ("x {\"a\\\"", ShellWordsError(.unclosed("\""), column: 4), "unclosed \" at column 4"),
    (
      "é=[}", ShellWordsError(.mismatched("}"), column: 4),
      "the } at column 4 matches no open bracket"
    ),
  ]

  @Test("an unclosed bracket is reported with its column", arguments: mistakes)
  func refuses(line: String, error: ShellWordsError, message: String) {
    #expect(throws: error) { try ShellWords.split(line) }
    #expect(error.description == message)
  }
}
