import SceneModel
import Testing

@testable import SceneBroker

/// Transitions that are refused, and their errors.
final class ForbiddenTransitionTests: BrokerSuite {
  @Test(
    "a transition of an unattached session succeeds only to unattached",
    arguments: [
      (ActivationState.unattached, "2 unattached"), (.background, "2 sessionNotHeld"),
      (.foregroundInactive, "2 sessionNotHeld"), (.foregroundActive, "2 sessionNotHeld"),
    ])
  func unattached(to: ActivationState, expected: String) {
    let session = scene.become("packing")
    scene.close()
    #expect(
      control.hears(SceneTransition(session: session, to: to)) == [expected])
  }

  @Test(
    "a transition of a discarded session is refused",
    arguments: ActivationState.allCases)
  func discarded(to: ActivationState) {
    let session = scene.become("packing")
    control.ask(RequestDestruction(sessions: [session]))
    #expect(
      control.hears(SceneTransition(session: session, to: to))
        == ["3 sessionNotFound"])
    #expect(
      scene.hears(SceneTransition(session: session, to: to))
        == ["3 sessionNotFound"])
  }

  @Test(
    "a transition during a shutdown is refused",
    arguments: ActivationState.allCases)
  func shuttingDown(to: ActivationState) {
    let session = scene.become("packing")
    fixture.terminate()
    #expect(
      control.hears(SceneTransition(session: session, to: to))
        == ["2 shuttingDown later"])
  }

  @Test(
    "after didDisconnect only a transition to unattached is possible",
    arguments: ActivationState.allCases)
  func leaving(to: ActivationState) {
    let session = scene.become("packing", background: true)
    control.move(session, .unattached)
    #expect(scene.heard == ["didDisconnect S1 clientRequest"])
    let heard = control.hears(SceneTransition(session: session, to: to))
    #expect(heard == (to == .unattached ? [] : ["3 sessionNotHeld now"]))
    scene.acknowledge()
    let waited = to == .unattached ? ["3 unattached"] : []
    #expect(control.heard == ["2 unattached"] + waited)
  }

  @Test(
    "a client cannot move a scene of another client",
    arguments: ActivationState.allCases)
  func notHeld(to: ActivationState) {
    let session = scene.become("packing")
    #expect(
      other.hears(SceneTransition(session: session, to: to)) == ["2 sessionNotHeld"])
  }

  @Test("a transition of an unknown session is refused", arguments: ActivationState.allCases)
  func notThere(to: ActivationState) {
    let asker = fixture.control()
    let session = SessionIdentifier(high: 1, low: 1)
    #expect(
      asker.hears(SceneTransition(session: session, to: to))
        == ["2 sessionNotFound"])
  }

  @Test(
    "a transition to unattached is for these reasons only",
    arguments: [
      (DisconnectReason?.none, DisconnectReason?.some(.clientRequest)),
      (.clientRequest, .clientRequest), (.reclaimed, .reclaimed), (.discarded, nil),
      (.shutdown, nil), (.watchdog, nil), (.replaced, nil), (.connectionLost, nil),
      (DisconnectReason(rawValue: "whim"), nil),
    ])
  func reasons(asked: DisconnectReason?, told: DisconnectReason?) {
    let session = scene.become("packing", background: true)
    let heard = control.hears(
      SceneTransition(session: session, to: .unattached, reason: asked))
    guard let told else {
      #expect(heard == ["2 invalidParams"])
      #expect(control.lastError?.message.hasPrefix("reason: ") == true)
      return
    }
    #expect(scene.heard == ["didDisconnect S1 \(told)"])
    scene.acknowledge()
    #expect(fixture.end(session)?.reason == told)
  }

  @Test("the reason of a sent didDisconnect stays")
  func reasonStays() {
    let session = scene.become("packing", background: true)
    control.move(session, .unattached)
    control.ask(
      SceneTransition(session: session, to: .unattached, reason: .reclaimed))
    fixture.terminate()
    #expect(scene.heard == ["didDisconnect S1 clientRequest"])
    scene.acknowledge()
    #expect(fixture.end(session)?.reason == .clientRequest)
  }
}
