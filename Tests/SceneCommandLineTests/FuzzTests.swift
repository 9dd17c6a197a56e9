import SceneCommandLine
import SceneFuzzing
import ScenePlatform
import Testing

@Suite("Fuzzed command lines", .fuzz)
struct FuzzTests {
  @Test("any line is split into words that can be quoted again, and is parsed or refused")
  func commandLines() throws {
    try Fuzz.play("command-lines") { bytes in
      let line = String(decoding: bytes, as: UTF8.self)
      let words: [String]
      do throws(ShellWordsError) {
        words = try ShellWords.split(line)
      } catch {
        #expect(1...line.unicodeScalars.count ~= error.column)
        return
      }
      let again = try ShellWords.split(words.map(\.shellWord).joined(separator: " "))
      #expect(again == words)
      // A completion starts a shell.
      guard words.first != "--complete" else { return }
      do throws(UsageError) {
        _ = try sample.parse(words)
      } catch {
        #expect(!error.message.isEmpty)
      }
    }
  }
}
