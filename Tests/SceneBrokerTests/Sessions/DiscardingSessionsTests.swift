import SceneModel
import Testing

@testable import SceneBroker

struct DiscardingSessionsTests {
  private let packing = SessionIdentifier(high: 0, low: 1)
  private let unnamed = SessionIdentifier(high: 0, low: 2)
  private var discarding = DiscardingSessions()

  private mutating func insert(_ session: SessionIdentifier, name: String? = nil) {
    discarding.insert(
      StoredSession(
        attributes: SessionAttributes(
          identifier: session, name: name, configuration: .standard)))
  }

  private mutating func remove(_ session: SessionIdentifier) -> Bool { discarding.remove(session) }

  @Test("a session is removed once, together with its name and no other")
  mutating func remove() {
    insert(packing, name: "packing")
    insert(unnamed)
    #expect(discarding.count == 2 && discarding.names == ["packing": packing])
    #expect(remove(unnamed))
    #expect(discarding.names == ["packing": packing] && discarding.contains(packing))
    #expect(remove(packing))
    #expect(discarding.names.isEmpty && discarding.count == 0)
    #expect(!remove(packing))
  }
}
