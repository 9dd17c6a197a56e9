import SceneModel
import Testing

@testable import SceneBroker

struct LifecycleCallbackTests {
  private static let identifier = SessionIdentifier(high: 0, low: 1)

  private func session(kind: ConfigurationKind = .group) -> StoredSession {
    let configuration = SceneConfiguration(name: "Note", delegateClass: "Note", kind: kind)
    return StoredSession(
      attributes: SessionAttributes(
        identifier: Self.identifier, configuration: configuration),
      generations: [
        Generation(session: Self.identifier, number: 1, activity: note(7), saved: 0)
      ])
  }

  private let scene = SceneStateMachine(
    identifier, holder: ConnectionIdentifier(1), hold: 4, target: .background, isNew: true,
    reason: .recover, missingConfiguration: "Lost", restoredGeneration: 1)

  private func willConnect(_ session: StoredSession, _ manifest: Manifest) -> WillConnect? {
    let callback = Callback.step(.willConnect, scene, of: session, manifest)
    #expect(callback.message.tracedHold == 4 && callback.message.tracedReason == "recover")
    return callback.message as? WillConnect
  }

  @Test("willConnect has the hold, the reason, the missing configuration and the activity")
  func connect() throws {
    let message = try #require(willConnect(session(), .hosting("Note")))
    #expect(message.session == Self.identifier && message.isNew && message.hold == 4)
    #expect(message.missingConfiguration == "Lost" && message.withheld == nil)
    #expect(message.sceneSession.stateRestorationActivity == note(7))
  }

  @Test("settings start without their activity")
  func settings() throws {
    let manifest = Manifest.hosting("Note", kind: .settings)
    #expect(!manifest.restores(session(kind: .settings)))
    let message = try #require(willConnect(session(kind: .settings), manifest))
    #expect(message.sceneSession.stateRestorationActivity == nil)
  }

  @Test("the other steps name the session, and only the last one has a reason")
  func steps() {
    for kind in [
      CallbackKind.willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground,
    ] {
      let callback = Callback.step(kind, scene, of: session(), .builtIn)
      #expect(callback.kind == kind && callback.session == Self.identifier)
      #expect(callback.message.tracedReason == nil && callback.message.tracedHold == nil)
    }
    let last = Callback.step(.didDisconnect, scene, of: session(), .builtIn)
    #expect(last.message.tracedReason == DisconnectReason.clientRequest.rawValue)
  }
}
