import SceneCommandLine
import SceneTestSupport
import Testing

@Suite("Splitting a line into words")
struct GoldenShellWordsTests {
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

  @Test("an unclosed bracket or quote is reported with its column")
  func golden() throws {
    try GoldenFile.expectAnswers("messages/words.txt") { line in
      #expect(throws: ShellWordsError.self) { try ShellWords.split(line) }?.description ?? ""
    }
  }
}
