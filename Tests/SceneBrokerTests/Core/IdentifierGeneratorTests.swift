import SceneModel
import Testing

@testable import SceneBroker

struct IdentifierGeneratorTests {
  @Test("the same seed gives the same identifiers, and no identifier twice")
  func seeded() {
    var (one, two, other) = (
      IdentifierGenerator(seed: 1), IdentifierGenerator(seed: 1), IdentifierGenerator(seed: 2)
    )
    let identifiers = (0..<1000).map { _ in one.next() }
    #expect(identifiers == (0..<1000).map { _ in two.next() })
    #expect(Set(identifiers).count == 1000)
    #expect(!identifiers.contains(other.next()))
  }

  @Test("an identifier is a random UUID of version 4")
  func version() {
    var generator = IdentifierGenerator()
    for _ in 0..<100 {
      let text = Array("\(generator.next())")
      #expect(text[14] == "4" && "89AB".contains(text[19]))
    }
  }

  @Test("a counting generator continues after its number")
  func counting() {
    var generator = IdentifierGenerator(countingAfter: 4)
    #expect(generator.next() == SessionIdentifier(high: 0, low: 5))
    #expect(generator.next() == SessionIdentifier(high: 0, low: 6))
  }
}
