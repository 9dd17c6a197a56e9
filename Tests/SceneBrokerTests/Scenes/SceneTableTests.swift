import SceneModel
import Testing

@testable import SceneBroker

struct SceneTableTests {
  private static let packing = SessionIdentifier(high: 0, low: 1)
  private static let list = SessionIdentifier(high: 0, low: 2)
  private static let one = ConnectionIdentifier(1)

  private var scenes = SceneTable()
  private var pending = PendingActivations()

  /// A scene that connects.
  private func scene(target: ActivationState = .background) -> SceneStateMachine {
    SceneStateMachine(
      holder: Self.one, hold: 1, target: target, isNew: true, reason: .launch, options: .none,
      missingConfiguration: nil, restoredGeneration: nil)
  }

  private mutating func resume(
    _ session: SessionIdentifier, in state: ActivationState, at time: Int64 = 0
  ) {
    scenes.insert(
      SceneStateMachine(resumedBy: Self.one, hold: 1, in: state, target: state), for: session,
      at: time)
  }

  private mutating func setTarget(_ session: SessionIdentifier, _ target: ActivationState) {
    scenes.modify(session) { _ = $0.setTarget(target, intent: nil) }
  }

  /// Performs the next step, and acknowledges it.
  private mutating func step(_ session: SessionIdentifier, at time: Int64 = 0) {
    guard case .step(let kind) = scenes.next(session, &pending) else {
      Issue.record("no step is next")
      return
    }
    scenes.modify(session) { $0.sent(PendingCallback(number: 1, kind: kind)) }
    _ = scenes.replied(session, hasFailed: false, at: time)
  }

  @Test("the highest state follows every step and every end")
  mutating func highest() {
    #expect(scenes.highestState == .unattached && scenes.isEmpty)
    scenes.insert(scene(target: .foregroundActive), for: Self.packing, at: 0)
    resume(Self.list, in: .background)
    #expect(scenes.highestState == .background && scenes.count == 2)
    for expected: ActivationState in [.background, .foregroundInactive, .foregroundActive] {
      step(Self.packing)
      #expect(scenes.state(of: Self.packing) == expected && scenes.highestState == expected)
      #expect(scenes.flaws.isEmpty)
    }
    scenes.remove(Self.packing)
    #expect(scenes.highestState == .background && !scenes.contains(Self.packing))
    scenes.remove(Self.list)
    #expect(scenes.highestState == .unattached && scenes.flaws.isEmpty)
  }

  @Test("each scene that enters the background gets the time and the next order")
  mutating func background() {
    scenes.insert(scene(), for: Self.packing, at: 3)
    #expect(scenes.background.isEmpty)
    resume(Self.list, in: .background, at: 5)
    step(Self.packing, at: 7)
    let found = scenes.background.sorted { $0.order < $1.order }
    #expect(found.map(\.session) == [Self.list, Self.packing])
    #expect(found.map(\.since) == [5, 7] && found.allSatisfy { !$0.hasAssertion })
    setTarget(Self.packing, .foregroundActive)
    #expect(scenes.background.map(\.session) == [Self.list])
  }

  @Test("the foreground has the scenes with such a target, in the order of their activation")
  mutating func foreground() {
    resume(Self.packing, in: .background)
    resume(Self.list, in: .foregroundActive)
    #expect(scenes.foregroundExcess(limit: 0) == [Self.list])
    setTarget(Self.packing, .foregroundInactive)
    scenes.stampForeground(Self.list)
    scenes.stampForeground(Self.packing)
    scenes.stampForeground(Self.list)
    #expect(scenes.foregroundExcess(limit: 0) == [Self.packing, Self.list])
    #expect(scenes.foregroundExcess(limit: 1) == [Self.packing] && scenes.flaws.isEmpty)
    scenes.remove(Self.list)
    #expect(scenes.foregroundExcess(limit: 0) == [Self.packing] && scenes.flaws.isEmpty)
  }

  @Test("an assertion is found by its number and keeps its scene until it is removed")
  mutating func assertions() {
    resume(Self.packing, in: .background)
    let assertion = scenes.addAssertion(named: "export", to: Self.packing)
    #expect(scenes.session(with: assertion) == Self.packing)
    #expect(scenes.background.map(\.hasAssertion) == [true])
    let isRequested = scenes.takeReclaimCheck()
    scenes.removeAssertion(assertion, of: Self.packing)
    let checks = [scenes.takeReclaimCheck(), scenes.takeReclaimCheck()]
    #expect(!isRequested && checks == [true, false])
    #expect(scenes.session(with: assertion) == nil)
    #expect(scenes.background.map(\.hasAssertion) == [false])
  }

  @Test("a client is awaited while its callback has no reply")
  mutating func awaited() {
    scenes.insert(scene(), for: Self.packing, at: 0)
    #expect(scenes.awaitedClients.isEmpty)
    scenes.modify(Self.packing) { $0.sent(PendingCallback(number: 1, kind: .willConnect)) }
    #expect(scenes.awaitedClients == [Self.one] && scenes.holder(of: Self.packing) == Self.one)
    #expect(!scenes.isAtTarget(Self.packing) && !scenes.isLeaving(Self.packing))
    _ = scenes.replied(Self.packing, hasFailed: false, at: 0)
    #expect(scenes.awaitedClients.isEmpty && scenes.isAtTarget(Self.packing))
  }
}
