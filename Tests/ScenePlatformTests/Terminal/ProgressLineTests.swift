import ScenePlatform
import Testing

@Suite("The progress line")
struct ProgressLineTests {
  /// A terminal and a clock that a test controls.
  private final class Screen: Sendable {
    struct State: Sendable {
      var now: Int64 = 0
      var columns: Int? = 40
      var written = ""
    }

    let state = ConditionMutex(State())

    func line(delay: Int64 = 500, interval: Int64 = 100) -> ProgressLine {
      ProgressLine(
        delay: delay, interval: interval, clock: { self.state.withLock { $0.now } },
        columns: { self.state.withLock { $0.columns } },
        write: { text in self.state.withLock { $0.written += text } })
    }

    func setTime(_ now: Int64) { state.withLock { $0.now = now } }
    func setColumns(_ columns: Int?) { state.withLock { $0.columns = columns } }

    func takeWritten() -> String {
      state.withLock { state in
        defer { state.written = "" }
        return state.written
      }
    }
  }

  private let screen = Screen()
  private let erased = "\r\u{1B}[K"

  @Test("a short operation draws nothing")
  func delay() {
    let line = screen.line()
    line.show { _ in "1%" }
    screen.setTime(499)
    line.show { _ in "99%" }
    line.end()
    #expect(screen.takeWritten() == "")
  }

  @Test("a draw rewrites the line and erases the rest of the old text")
  func rewriting() {
    let line = screen.line()
    screen.setTime(500)
    line.show { _ in "9 of 40" }
    screen.setTime(600)
    line.show { _ in "10" }
    #expect(screen.takeWritten() == "\r9 of 40\u{1B}[K\r10\u{1B}[K")
  }

  @Test("an early or unchanged text is not drawn")
  func throttling() {
    let line = screen.line()
    screen.setTime(500)
    line.show { _ in "1%" }
    _ = screen.takeWritten()
    screen.setTime(599)
    line.show { _ in
      Issue.record("the line requested a text too early")
      return "2%"
    }
    screen.setTime(600)
    line.show { _ in "1%" }
    #expect(screen.takeWritten() == "")
    screen.setTime(700)
    line.show { _ in "3%" }
    #expect(screen.takeWritten() == "\r3%\u{1B}[K")
  }

  @Test("the last column stays free, so that the line never wraps")
  func width() {
    let line = screen.line()
    for (time, columns) in [(500, 40), (600, 10), (700, 1)] {
      screen.setTime(Int64(time))
      screen.setColumns(columns)
      line.show { "\($0)" }
    }
    #expect(screen.takeWritten() == "\r39\u{1B}[K\r9\u{1B}[K\r1\u{1B}[K")
  }

  @Test("a process in the background draws nothing")
  func background() {
    let line = screen.line()
    screen.setTime(500)
    screen.setColumns(nil)
    line.show { _ in "1%" }
    #expect(screen.takeWritten() == "")
    screen.setColumns(40)
    line.show { _ in "1%" }
    #expect(screen.takeWritten() == "\r1%\u{1B}[K")
  }

  @Test("an erased line is drawn again, and a line that ended is not")
  func erasing() {
    let line = screen.line()
    line.erase()
    #expect(screen.takeWritten() == "")
    screen.setTime(500)
    line.show { _ in "1%" }
    line.erase()
    line.erase()
    #expect(screen.takeWritten() == "\r1%\u{1B}[K" + erased)
    screen.setTime(600)
    line.show { _ in "1%" }
    line.end()
    screen.setTime(700)
    line.show { _ in "2%" }
    line.end()
    #expect(screen.takeWritten() == "\r1%\u{1B}[K" + erased)
  }

  @Test("a pipe, a dumb terminal and a terminal without a name have no line")
  func noTerminal() {
    // A test run can have a terminal.
    #expect(ProgressLine.onStandardError(terminal: "dumb") == nil)
    #expect(ProgressLine.onStandardError(terminal: nil) == nil)
    if !StandardStream.error.isTerminal {
      #expect(ProgressLine.onStandardError(terminal: "xterm") == nil)
    }
  }
}
