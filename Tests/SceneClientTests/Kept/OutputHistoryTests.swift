import SceneTestSupport
import Testing

@testable import SceneTool

@Suite("The output and the modes for a new window")
struct OutputHistoryTests {
  private func history(_ text: String) -> OutputHistory {
    var history = OutputHistory()
    history.take(Array(text.utf8))
    return history
  }

  private func replay(_ text: String) -> String {
    String(decoding: history(text).replay, as: UTF8.self)
  }

  @Test("the normal screen is shown by its output")
  func normal() {
    #expect(replay("one\r\n\u{1B}[31mtwo\u{1B}[0m") == "one\r\n\u{1B}[31mtwo\u{1B}[0m")
  }

  @Test("the output begins at a line if its start is lost")
  func cut() {
    let lines = (0..<30_000).map { "line \($0)\r\n" }.joined()
    let shown = replay(lines)
    #expect(shown.utf8.count <= OutputHistory.limit)
    #expect(shown.utf8.count > OutputHistory.limit - 20)
    #expect(lines.hasSuffix("\r\n" + shown))
  }

  @Test("output without lines is shown from inside a line")
  func longLine() {
    let line = String(repeating: "x", count: 3 * OutputHistory.limit) + "\r\n"
    #expect(replay(line).utf8.count == OutputHistory.limit)
  }

  @Test("a mode that the program has set is set in a new window, and no other mode")
  func modes() {
    let set = "\u{1B}[?2004;1000h\u{1B}[?25l\u{1B}[?1000l\u{1B}=\u{1B}[>4;2m\u{1B}[>5u\u{1B}[?12h"
    let modes = "\u{1B}[?25l\u{1B}[?2004h\u{1B}=\u{1B}[>4;2m\u{1B}[>5u"
    #expect(replay(set) == modes + set)
    for reset in ["\u{1B}c", "\u{1B}[?25h\u{1B}[?2004l\u{1B}>\u{1B}[>4m\u{1B}[<u"] {
      #expect(history(set + reset).modes == TerminalModes(), "\(reset.debugDescription)")
    }
  }

  @Test("of the alternate screen, only its modes are shown, and afterwards nothing")
  func alternate() {
    let edit = "\u{1B}[?1049h\u{1B}[?1htext\u{1B}[2J"
    #expect(replay("$ vim\r\n" + edit) == "\u{1B}[?1049h\u{1B}[?1h")
    #expect(replay("$ vim\r\n" + edit + "\u{1B}[?1l\u{1B}[?1049l$ ") == "$ vim\r\n$ ")
  }

  @Test(
    "no sequence is shown again that the terminal would answer",
    arguments: [
      "[c", "[>0c", "[6n", "[?6n", "[?2026$p", "[>q", "[?u", "[?4m", "[?2;1S", "[1$w", "[1$u",
      "[1*y", "[14t", "Z", "]11;?\u{07}",
      "]4;1;?\u{1B}\\", "P$qm\u{1B}\\", "P+q544e\u{1B}\\",
    ])
  func queries(query: String) {
    #expect(replay("a\u{1B}\(query)b") == "ab")
  }

  @Test("strings of a sequence set no mode, also long ones and strings without an end")
  func strings() {
    for text in [
      "\u{1B}]0;[?25l\u{07}", "\u{1B}P[?25h\u{1B}\\",
      "\u{1B}]0;\(String(repeating: "[?25l", count: 300))\u{07}",
      "\u{1B}]0;title\u{1B}[1mbold",
    ] {
      #expect(replay(text) == text)
      #expect(history(text).modes == TerminalModes())
    }
  }

  @Test("a window that opens inside a sequence gets its begin")
  func partial() {
    for text in ["a\u{1B}", "a\u{1B}[?10", "a\u{1B}]0;x"] { #expect(replay(text) == text) }
  }

  @Test("the echo of the key that stops the program is not shown again")
  func stopKey() {
    var history = history("one\r\n^Z")
    history.removeStopKey()
    history.removeStopKey()
    for part in ["^", "Z", "two ^Z"] { history.take(Array(part.utf8)) }
    #expect(String(decoding: history.replay, as: UTF8.self) == "one\r\ntwo ^Z")
  }

  @Test("splits of the output change nothing", arguments: 0..<50)
  func splits(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let parts = [
      "text\r\n", "\u{1B}", "[", "]0;", "?1049", "?1049h", "?1049l", "?25l", "4m", "\u{07}", "\\",
      "P", "q", "é", ";", "$p", "?", "6n", "\u{18}", "(B", "c", "\u{1B}[?1000h", "\u{1B}[?1049l",
    ]
    let text = (0..<2000).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
    let whole = history(text)
    var split = OutputHistory()
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...7, using: &random)
      split.take(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    #expect(split.replay == whole.replay)
    #expect(split.modes == whole.modes)
  }
}
