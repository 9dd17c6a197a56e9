import SceneCommandLine
import SceneFuzzing
import Testing

@testable import SceneCommands
@testable import SceneScript

@Suite("Fuzzed scripts", .fuzz)
struct FuzzTests {
  @Test("any text is a script, or has errors at places in the text")
  func scripts() throws {
    let verbs = ScriptVerb.table(.scenectl)
    try Fuzz.play("scripts", also: ["Tests/Scripts"]) { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(ScriptErrors) {
        _ = try ScriptPlan(reading: text, path: "a.scene", verbs: verbs, environment: [:])
      } catch {
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        #expect(!error.errors.isEmpty)
        for error in error.errors {
          let place = error.location
          #expect(1...lines.count + 1 ~= place.line && place.column > 0, "\(error)")
          #expect(place.column <= text.unicodeScalars.count + 1, "\(error)")
        }
      }
    }
  }
}
