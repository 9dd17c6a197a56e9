import SceneModel
import Testing

@testable import SceneBroker

struct RoutingScoreTests {
  private func score(
    _ number: UInt64, can: String? = nil, prefers: String? = nil, isActive: Bool = false,
    order: Int64 = 0, for target: String? = "a"
  ) throws -> RoutingScore {
    var attributes = SessionAttributes(
      identifier: SessionIdentifier(high: 0, low: number), configuration: SceneConfiguration())
    attributes.activationConditions = ActivationConditions(
      canActivate: try can.map { try ActivationPredicate($0) },
      prefersToActivate: try prefers.map { try ActivationPredicate($0) })
    var hold = Hold(session: attributes.identifier)
    hold.order = order
    return RoutingScore(
      StoredSession(attributes: attributes, hold: hold), for: target, isActive: isActive)
  }

  @Test("a session that prefers the content wins, then one that is active, then the recent one")
  func ranking() throws {
    let never = try score(1, can: "FALSEPREDICATE", isActive: true, order: 9)
    let old = try score(2, order: 1)
    let recent = try score(3, order: 2)
    let active = try score(4, isActive: true)
    let preferring = try score(5, can: "FALSEPREDICATE", prefers: "self == 'a'")
    #expect(
      [preferring, recent, never, active, old].sorted() == [never, old, recent, active, preferring])
    #expect(!never.isAllowed && preferring.isAllowed && old.isAllowed)
  }

  @Test("without a target every session can show the content")
  func noTarget() throws {
    let any = try score(1, can: "FALSEPREDICATE", prefers: "TRUEPREDICATE", for: nil)
    #expect(any.can && !any.prefers)
  }
}
