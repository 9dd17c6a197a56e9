import SceneModel
import Testing

@testable import SceneBroker

struct ForegroundLimiterTests {
  private func candidate(_ number: UInt64, _ order: UInt64) -> ForegroundLimiter.Candidate {
    .init(session: SessionIdentifier(high: 0, low: number), order: order)
  }

  @Test("the least recently activated scenes beyond the limit leave, in that order")
  func excess() {
    let scenes = [candidate(1, 9), candidate(2, 3), candidate(3, 5), candidate(4, 3)]
    func excess(_ limit: Int) -> [UInt64] {
      ForegroundLimiter.excess(of: scenes, limit: limit).map(\.low)
    }
    #expect(excess(5).isEmpty && excess(4).isEmpty)
    #expect(excess(3) == [2] && excess(1) == [2, 4, 3])
  }
}
