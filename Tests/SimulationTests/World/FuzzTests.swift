import SceneFuzzing
import Testing

@Suite("Fuzzed simulations", .fuzz)
struct FuzzTests {
  @Test("a simulation whose dice are any bytes settles and loses no promised record")
  func simulation() throws {
    try Fuzz.play("simulation") { bytes in
      _ = World.play(1, bytes: bytes, steps: bytes.count, command: "scripts/fuzz simulation FILE")
    }
  }
}
