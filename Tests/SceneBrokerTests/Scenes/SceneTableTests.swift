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
    SceneStateMachine(Self.packing, holder: Self.one, hold: 1, target: target, isNew: true)
  }

  private mutating func resume(
    _ session: SessionIdentifier, in state: ActivationState, at time: Int64 = 0
  ) {
    scenes.insert(
      SceneStateMachine(session, holder: Self.one, hold: 1, resumedIn: state, target: state),
      at: time)
  }

  private mutating func setTarget(_ session: SessionIdentifier, _ target: ActivationState) {
    _ = scenes[session]?.setTarget(target, intent: nil)
  }

  /// Performs the next step, and acknowledges it.
  private mutating func step(_ session: SessionIdentifier, at time: Int64 = 0) {
    guard let scene = scenes[session], case .step(let kind) = scene.next(&pending) else {
      Issue.record("no step is next")
      return
    }
    scene.sent(PendingCallback(number: 1, kind: kind))
    _ = scenes.replied(scene, hasFailed: false, at: time)
  }

  @Test("the highest state follows every step and every end")
  mutating func highest() {
    #expect(scenes.highestState == .unattached && scenes.all.isEmpty)
    scenes.insert(scene(target: .foregroundActive), at: 0)
    resume(Self.list, in: .background)
    #expect(scenes.highestState == .background && scenes.all.count == 2)
    for expected: ActivationState in [.background, .foregroundInactive, .foregroundActive] {
      step(Self.packing)
      #expect(scenes[Self.packing]?.state == expected && scenes.highestState == expected)
      #expect(scenes.flaws.isEmpty)
    }
    scenes.remove(Self.packing)
    #expect(scenes.highestState == .background && scenes[Self.packing] == nil)
    scenes.remove(Self.list)
    #expect(scenes.highestState == .unattached && scenes.flaws.isEmpty)
  }

  @Test("each scene that enters the background gets the time and the next order")
  mutating func background() {
    scenes.insert(scene(), at: 3)
    #expect(scenes.background.isEmpty)
    resume(Self.list, in: .background, at: 5)
    step(Self.packing, at: 7)
    let found = scenes.background.sorted { $0.backgroundOrder < $1.backgroundOrder }
    #expect(found.map(\.session) == [Self.list, Self.packing])
    #expect(found.map(\.backgroundSince) == [5, 7])
    setTarget(Self.packing, .foregroundActive)
    #expect(scenes.background.map(\.session) == [Self.list])
  }

  @Test("the foreground has the scenes with such a target, in the order of their activation")
  mutating func foreground() throws {
    resume(Self.packing, in: .background)
    resume(Self.list, in: .foregroundActive)
    #expect(scenes.foregroundExcess(limit: 0) == [Self.list])
    setTarget(Self.packing, .foregroundInactive)
    for session in [Self.list, Self.packing, Self.list] {
      scenes.stampForeground(try #require(scenes[session]))
    }
    #expect(scenes.foregroundExcess(limit: 0) == [Self.packing, Self.list])
    #expect(scenes.foregroundExcess(limit: 1) == [Self.packing] && scenes.flaws.isEmpty)
    scenes.remove(Self.list)
    #expect(scenes.foregroundExcess(limit: 0) == [Self.packing] && scenes.flaws.isEmpty)
  }

  @Test("an assertion is found by its number and keeps its scene until it is removed")
  mutating func assertions() throws {
    resume(Self.packing, in: .background)
    let scene = try #require(scenes[Self.packing])
    let assertion = scenes.addAssertion(named: "export", to: scene)
    #expect(scenes.session(with: assertion) == Self.packing && !scenes.needsReclaimCheck)
    scenes.removeAssertion(assertion, of: Self.packing)
    #expect(scenes.session(with: assertion) == nil && scenes.needsReclaimCheck)
    #expect(scene.assertions.isEmpty)
  }
}
