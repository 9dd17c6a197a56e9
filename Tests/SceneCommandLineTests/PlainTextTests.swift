import SceneCommandLine
import Testing

@Suite("Escaping foreign text")
struct PlainTextTests {
  @Test(
    "an invisible word gets quotes",
    arguments: [
      ("packing", "packing"), ("", #""""#), (" ", #"" ""#), ("a b", #""a b""#),
      ("a\n", #"a\n"#),
    ])
  func word(text: String, shown: String) {
    #expect(PlainText.word(text) == shown)
  }

  @Test(
    "control characters are escaped",
    arguments: [
      ("plain ünïcödé 旅", "plain ünïcödé 旅"), ("a\u{1B}[31mb", "a\\u001b[31mb"),
      ("a\nb\tc\rd", "a\\nb\\tc\\rd"), ("\u{0}\u{7F}\u{9B}", "\\u0000\\u007f\\u009b"),
      ("\u{202E}evil\u{2066}", "\\u202eevil\\u2066"), ("\r\n", "\\r\\n"), ("", ""),
    ])
  func escapes(text: String, shown: String) {
    #expect(PlainText.escaped(text) == shown)
  }

  @Test(
    "the width of a text counts terminal columns",
    arguments: [("abc", 3), ("", 0), ("äö", 2), ("e\u{301}", 1), ("旅行", 4), ("한", 2), ("🚗", 2)])
  func width(text: String, columns: Int) {
    #expect(PlainText.width(text) == columns)
  }

  @Test(
    "a wide text is cut with an ellipsis",
    arguments: [
      ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("旅行旅行", 6, "旅行…"), ("旅行旅行", 7, "旅行旅…"),
    ])
  func cut(text: String, columns: Int, shown: String) {
    #expect(PlainText.cut(text, to: columns) == shown)
  }

  @Test(
    "a wide text continues in the next line",
    arguments: [
      ("one two", 7, ["one two"]), ("one two three", 7, ["one two", "three"]),
      ("one twothreefour five", 6, ["one", "twothr", "eefour", "five"]),
      ("旅行旅行", 5, ["旅行", "旅行"]), ("", 5, [""]), ("旅", 1, ["旅"]),
    ])
  func wrapped(text: String, columns: Int, lines: [String]) {
    #expect(PlainText.wrapped(text, to: columns) == lines)
  }
}
