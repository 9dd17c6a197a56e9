import SceneCommandLine
import SceneControlTestSupport
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneCommands

@Suite("Progress on a terminal")
struct ProgressTests {
  /// Everything that a command line wrote, in order: `out(…)` is standard output, `line(…)` is the
  /// progress line.
  private func written(by words: [String]) -> (code: ExitCode, text: String) {
    let text = ConditionMutex("")
    let line = ProgressLine(
      delay: 0, interval: 0, columns: { 200 },
      write: { part in
        text.withLock { $0 += "line(\(part.replacing("\u{1B}[K", with: "").dropFirst()))" }
      })
    let console = Console(makeProgress: { _ in line }) { (stream, bytes) throws(SystemError) in
      let part = String(decoding: bytes, as: UTF8.self).split(separator: " ").first ?? ""
      text.withLock { $0 += stream == .output ? "out(\(part))" : "error(\(part))" }
    }
    let code = Scenectl.run(words, environment: [:], console: console)
    return (code, text.withLock { $0 })
  }

  private func session(_ number: Int) -> Record {
    .session(
      SessionAttributes(identifier: identifier(number), configuration: SceneConfiguration()))
  }

  @Test("journal verify draws how much it has read, and erases the line before it prints")
  func verify() throws {
    let directory = try StateDirectory([session(1)], [session(2)])
    let written = written(by: ["journal", "verify", directory.path])
    #expect(written.code == .success)
    #expect(
      written.text == "line(verifying journal: 100% (64 of 64 KiB))line()out(log-1,)")
  }

  @Test("the line is erased before an error is printed")
  func failure() throws {
    let directory = try StateDirectory([session(1)], [session(2)])
    try directory.flip(byte: 4200, of: "log-1")
    let written = written(by: ["journal", "verify", directory.path])
    #expect(written.code == .badData)
    #expect(written.text.hasSuffix("line()error(scenectl:)"), "\(written.text)")
  }

  @Test("journal salvage draws each of its steps")
  func salvage() throws {
    let directory = try StateDirectory([session(1)], [session(2)], [session(3)])
    try directory.flip(byte: 8192 + 24, of: "log-1")
    let target = directory.path + "-salvaged"
    defer { try? Directory.removeTree(target) }
    let written = written(by: ["journal", "salvage", directory.path, "--into", target])
    #expect(written.code == .success)
    let parts = written.text.split(separator: "line(").map { $0.split(separator: ":")[0] }
    #expect(Set(parts.dropLast()) == ["reading journal", "salvaging journal", "writing \(target)"])
    #expect(written.text.hasSuffix("line()out(Saved)"), "\(written.text)")
  }
}
