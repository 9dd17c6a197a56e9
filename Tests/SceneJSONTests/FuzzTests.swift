import SceneFuzzing
import SceneJSON
import Testing

@Suite("Fuzzed JSON", .fuzz)
struct FuzzTests {
  @Test("any bytes are refused as other parsers refuse them, or are read as they are written")
  func json() throws {
    let document = JSONDocument()
    try Fuzz.play("json") { bytes in try checkReading(bytes, in: document) }
  }
}
