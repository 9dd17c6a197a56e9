import SceneCommandLine
import ScenePlatform
import Testing

@testable import SceneServer

/// The log of a launched program's output. The program can neither fill the log nor block the
/// loop.
final class ProgramOutputTests {
  private final class Lines {
    var lines: [String] = []
  }

  private let lines = Lines()
  private let input = InputBuffer()
  private let writing: FileDescriptor
  private let output: ProgramOutput

  init() throws {
    var pipe = try FileDescriptor.pipe()
    writing = pipe.takeSecond()
    try writing.setNonblocking()
    let lines = lines
    let reading = pipe.takeFirst()
    try reading.setNonblocking()
    output = ProgramOutput(
      reading, label: "notes 7",
      log: Log { line, _ in
        lines.lines.append(line)
        return true
      })
  }

  private func write(_ text: String) { try? writing.write(text) }

  @Test(
    "the log has the program's name and each line that is not empty, also an incomplete last line")
  func lineByLine() throws {
    write("one\n\ntwo\u{1B}[2J\nhal")
    #expect(output.read(into: input, isLast: false) == .more)
    write("f\nthe rest")
    #expect(output.read(into: input, isLast: false) == .more)
    #expect(
      lines.lines == [
        "scened: notes 7: one\n", "scened: notes 7: two\\u001b[2J\n", "scened: notes 7: half\n",
      ])
    #expect(output.read(into: input, isLast: true) == .end)
    #expect(lines.lines.last == "scened: notes 7: the rest\n")
  }

  @Test("a long line is cut, and invalid UTF-8 is repaired")
  func longLine() throws {
    write(String(repeating: "x", count: 5000) + "\n")
    #expect(output.read(into: input, isLast: false) == .more)
    #expect(
      lines.lines
        == ["scened: notes 7: \(String(repeating: "x", count: ProgramOutput.longestLine))…\n"])
  }

  @Test("the log has the first lines of each second, and the number of the others")
  func manyLines() throws {
    write(String(repeating: "again\n", count: 250))
    #expect(output.read(into: input, isLast: true) == .end)
    #expect(lines.lines.count == ProgramOutput.linesPerSecond + 1)
    #expect(
      lines.lines.last
        == "scened: notes 7: omitted 150 more lines within one second\n")
  }

  @Test("a program that writes too much in a second is not read before the next second")
  func flood() throws {
    let flood = String(repeating: "y", count: 32 << 10)
    var outcome = ProgramOutput.Outcome.more
    var reads = 0
    while outcome == .more {
      write(flood)
      outcome = output.read(into: input, isLast: false)
      reads += 1
      guard reads < 1000 else { break }
    }
    #expect(outcome == .tooMuch)
    let pauseEnd = try #require(output.pauseEnd)
    #expect(pauseEnd > SystemClock.monotonic() - 1_000_000_000)
    output.resume(at: pauseEnd)
    #expect(output.pauseEnd == nil)
    #expect(output.read(into: input, isLast: false) == .more)
  }
}
