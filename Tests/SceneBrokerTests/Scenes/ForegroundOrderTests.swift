import SceneModel
import Testing

@testable import SceneBroker

struct ForegroundOrderTests {
  private func entry(_ number: UInt64, _ order: UInt64) -> ForegroundOrder.Entry {
    .init(order: order, session: SessionIdentifier(high: 0, low: number))
  }

  @Test("the least recently activated scenes beyond the limit leave, in that order")
  func excess() {
    let scenes = ForegroundOrder([entry(1, 9), entry(2, 3), entry(3, 5), entry(4, 3)])
    func excess(_ limit: Int) -> [UInt64] { scenes.excess(limit: limit).map(\.low) }
    #expect(excess(5).isEmpty && excess(4).isEmpty)
    #expect(excess(3) == [2] && excess(1) == [2, 4, 3])
  }

  @Test("a scene moves to the end with its activation, and to its old place without one")
  func changes() {
    var scenes = ForegroundOrder([entry(1, 1), entry(2, 2), entry(3, 3)])
    scenes.replace(entry(1, 1), by: entry(1, 4))
    #expect(scenes == ForegroundOrder([entry(2, 2), entry(3, 3), entry(1, 4)]))
    scenes.replace(entry(3, 3), by: nil)
    scenes.replace(entry(2, 2), by: nil)
    scenes.replace(nil, by: entry(3, 3))
    scenes.replace(nil, by: entry(5, 0))
    #expect(scenes.excess(limit: 0).map(\.low) == [5, 3, 1])
  }
}
