import SceneModel
import Testing

@testable import SceneBroker

/// The steps between the states of a scene.
final class LifecycleTests: BrokerSuite {
  /// The callbacks from one state to another, in order.
  static let ways: [(ActivationState, ActivationState, [String])] = [
    (.unattached, .unattached, []),
    (.unattached, .background, ["willConnect"]),
    (.unattached, .foregroundInactive, ["willConnect", "willEnterForeground"]),
    (
      .unattached, .foregroundActive, ["willConnect", "willEnterForeground", "didBecomeActive"]
    ),
    (.background, .unattached, ["didDisconnect"]),
    (.background, .background, []),
    (.background, .foregroundInactive, ["willEnterForeground"]),
    (.background, .foregroundActive, ["willEnterForeground", "didBecomeActive"]),
    (
      .foregroundInactive, .unattached,
      ["didEnterBackground", "stateRestorationActivity", "didDisconnect"]
    ),
    (.foregroundInactive, .background, ["didEnterBackground", "stateRestorationActivity"]),
    (.foregroundInactive, .foregroundInactive, []),
    (.foregroundInactive, .foregroundActive, ["didBecomeActive"]),
    (
      .foregroundActive, .unattached,
      ["willResignActive", "didEnterBackground", "stateRestorationActivity", "didDisconnect"]
    ),
    (
      .foregroundActive, .background,
      ["willResignActive", "didEnterBackground", "stateRestorationActivity"]
    ),
    (.foregroundActive, .foregroundInactive, ["willResignActive"]),
    (.foregroundActive, .foregroundActive, []),
  ]

  @Test(
    "R1: there is one path between two states, and each step is one callback", arguments: ways
  )
  func way(from: ActivationState, to: ActivationState, expected: [String]) {
    let session = prepare(scene, at: from)
    var called: [String] = []
    if from == .unattached, to != .unattached {
      scene.ask(SceneConnect(session: session))
      control.move(session, to)
    } else {
      control.move(session, to)
    }
    while let next = scene.callbacks.first {
      called.append("\(next.callback.kind)")
      #expect(control.unanswered.count == 1, "answered before it arrived")
      scene.acknowledge()
    }
    #expect(called == expected)
    #expect(fixture.state(session) == to)
    #expect(control.lastReply == BrokerReply(SceneTransition.Reply(state: to)))
    #expect(control.unanswered.isEmpty)
  }

  private func prepare(_ scene: Client, at state: ActivationState) -> SessionIdentifier {
    let session = scene.become("packing", background: state <= .background)
    if state != .foregroundActive { scene.move(session, state) }
    scene.acknowledgeAll()
    scene.forget()
    return session
  }

  @Test(
    "R2: the broker sends the next callback of a scene after the client answers the previous one")
  func oneAtATime() {
    scene.ask(SceneConnect(name: "packing"))
    for kind in [CallbackKind.willConnect, .willEnterForeground, .didBecomeActive] {
      #expect(scene.callbacks.map(\.callback.kind) == [kind])
      scene.acknowledge()
    }
    #expect(scene.callbacks.isEmpty)
  }

  @Test("each step moves the state by one")
  func stepsAreOne() throws {
    for from in ActivationState.allCases {
      for to in ActivationState.allCases {
        let step = LifecycleTransitions.next(from: from, toward: to)
        #expect((step == nil) == (from == to))
        guard let step else { continue }
        let arrival = try #require(step.arrival)
        #expect(arrival.rank == from.rank + (to > from ? 1 : -1))
      }
    }
  }

  @Test("R3: a new target applies from the next step")
  func turnsRound() {
    let session = scene.become("packing")
    control.move(session, .background)
    #expect(scene.heard == ["willResignActive S1"])
    control.move(session, .foregroundActive)
    // The waiter for the old target gets the current state at once.
    #expect(control.heard == ["2 foregroundActive"])
    scene.acknowledge()
    #expect(scene.heard == ["didBecomeActive S1"])
    scene.acknowledge()
    #expect(scene.heard == [])
    #expect(control.heard == ["3 foregroundActive"])
  }

  @Test("the request for the activity follows each didEnterBackground, even with a new target")
  func asksAfterTurning() {
    let session = scene.become("packing")
    control.move(session, .background)
    scene.acknowledge()
    control.move(session, .foregroundActive)
    scene.forget()
    scene.acknowledge()
    #expect(scene.heard == ["stateRestorationActivity S1"])
    scene.acknowledge()
    #expect(scene.heard == ["willEnterForeground S1"])
  }

  @Test("R4: a role can limit the state of its scenes")
  func ceiling() {
    let fixture = BrokerFixture(Manifest(supportsMultipleScenes: true, roles: [.screen]))
    let (scene, control) = (fixture.client(), fixture.control())
    let session = scene.become(SceneConnect(name: "screen", role: .windowExternalDisplay))
    #expect(fixture.state(session) == .foregroundInactive)
    #expect(
      control.hears(SceneTransition(session: session, to: .foregroundActive))
        == ["2 foregroundInactive"])
    control.move(session, .background)
    scene.acknowledgeAll()
    scene.forget()
    control.ask(RequestActivation(session: session))
    scene.acknowledgeAll()
    #expect(scene.heard == ["willEnterForeground S1"])
  }

  @Test("a scene's client that moves its own scene gets the current state at once")
  func movesItself() {
    let session = scene.become("packing")
    #expect(
      scene.hears(SceneTransition(session: session, to: .background))
        == ["3 foregroundActive", "willResignActive S1"])
    scene.acknowledgeAll()
    #expect(fixture.state(session) == .background)
  }

  @Test("a connecting scene goes to the background if the request says so")
  func connectsInBackground() {
    #expect(
      scene.hears(SceneConnect(name: "packing", background: true))
        == ["2 S1 new launch 1", "willConnect S1 new launch 1"])
    scene.acknowledge()
    #expect(scene.heard == [])
  }
}
