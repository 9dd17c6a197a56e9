import SceneFuzzing
import Testing

@Suite("Fuzzed simulations", .fuzz)
struct FuzzTests {
  @Test("a simulation whose dice are any bytes settles and loses no promised record")
  func simulation() throws {
    try Fuzz.play("simulation") { bytes in
      let world = World(seed: 1, bytes: bytes)
      world.live(steps: bytes.count)
      #expect(world.model.complaint == nil)
    }
  }
}
