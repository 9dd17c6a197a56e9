import SceneModel
import Testing

@testable import SceneBroker

struct SceneStateMachineTests {
  private static let session = SessionIdentifier(high: 0, low: 1)

  @Test("a step is allowed only in the state that it leaves", arguments: CallbackKind.ofScenes)
  func allowed(kind: CallbackKind) {
    let expected: [ActivationState] =
      switch kind {
      case .willConnect: [.unattached]
      case .willEnterForeground, .didDisconnect: [.background]
      case .didBecomeActive, .didEnterBackground: [.foregroundInactive]
      case .willResignActive: [.foregroundActive]
      default: [.background, .foregroundInactive, .foregroundActive]
      }
    let allowed = ActivationState.allCases.filter { LifecycleTransitions.allows(kind, in: $0) }
    #expect(allowed == expected)
  }

  @Test("a client that fails willConnect because it ends the scene has not refused it")
  func ended() {
    let machine = SceneStateMachine(
      Self.session, holder: ConnectionIdentifier(1), hold: 1, target: .foregroundActive)
    machine.sent(PendingCallback(number: 1, kind: .willConnect))
    _ = machine.setTarget(.unattached, intent: DisconnectIntent(reason: .clientRequest))
    #expect(
      machine.replied(hasFailed: true) == .disconnected(DisconnectIntent(reason: .clientRequest)))
  }

  @Test("a scene whose client does not know of a save is not at its target")
  func updates() {
    let machine = SceneStateMachine(
      Self.session, holder: ConnectionIdentifier(1), hold: 1, resumedIn: .background,
      target: .background)
    #expect(machine.isAtTarget)
    machine.activityUpdates.append(note(1))
    #expect(!machine.isAtTarget)
  }
}
