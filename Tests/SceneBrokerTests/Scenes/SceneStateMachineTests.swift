import SceneModel
import Testing

@testable import SceneBroker

struct SceneStateMachineTests {
  private static let session = SessionIdentifier(high: 0, low: 1)
  private var pending = PendingActivations()
  private var lastNumber: Int64 = 0
  private var machine = SceneStateMachine(
    session, holder: ConnectionIdentifier(1), hold: 1, target: .foregroundActive, isNew: true,
    restoredGeneration: 3)

  /// The next action as a word. A callback is sent.
  private mutating func next() -> String {
    let (word, callback): (String, CallbackKind?) =
      switch machine.next(&pending) {
      case .wait: ("wait", nil)
      case .requestActivity: ("requestActivity", .stateRestorationActivity)
      case .updateActivity: ("updateActivity", .didUpdateUserActivity)
      case .deliver(let callback, _): ("deliver", callback.kind)
      case .step(let kind): ("\(kind)", kind)
      case .refresh: ("refresh", .refresh)
      case .rest: ("rest", nil)
      }
    if let callback {
      lastNumber += 1
      machine.sent(PendingCallback(number: lastNumber, kind: callback))
    }
    return word
  }

  /// The next actions until the scene rests. The client replies to each callback.
  private mutating func actions() -> [String] {
    var actions: [String] = []
    while true {
      let action = next()
      if action == "rest" { return actions }
      actions.append(action)
      _ = machine.replied(hasFailed: false)
    }
  }

  @Test(
    "R2: the broker sends the next callback of a scene after the client answers the previous one")
  mutating func steps() {
    #expect(next() == "willConnect")
    #expect(next() == "wait")
    #expect(machine.state == .unattached)
    #expect(machine.replied(hasFailed: false) == .entered(.background, from: .unattached))
    #expect(actions() == ["willEnterForeground", "didBecomeActive"])
    #expect(machine.state == .foregroundActive && machine.isAtTarget)
    #expect(machine.replied(hasFailed: false) == nil)
  }

  @Test("a callback that the state does not allow is a fault")
  func forbidden() async {
    await #expect(processExitsWith: .failure) {
      let machine = SceneStateMachine(
        Self.session, holder: ConnectionIdentifier(1), hold: 1, resumedIn: .background,
        target: .foregroundActive)
      machine.sent(PendingCallback(number: 1, kind: .didBecomeActive))
    }
  }

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

  @Test("a client that fails willConnect refuses the scene, which stays unattached")
  mutating func refused() {
    _ = next()
    #expect(machine.replied(hasFailed: true) == .refused)
    #expect(machine.state == .unattached)
  }

  @Test("a client that fails willConnect because it ends the scene has not refused it")
  mutating func ended() {
    _ = next()
    _ = machine.setTarget(.unattached, intent: DisconnectIntent(reason: .clientRequest))
    #expect(
      machine.replied(hasFailed: true) == .disconnected(DisconnectIntent(reason: .clientRequest)))
  }

  @Test("a failed reply to another step counts as a reply")
  mutating func failed() {
    _ = next()
    _ = machine.replied(hasFailed: false)
    _ = next()
    #expect(machine.replied(hasFailed: true) == .entered(.foregroundInactive, from: .background))
  }

  @Test("the activity is requested in the background, before the scene goes on")
  mutating func activity() {
    _ = actions()
    #expect(
      machine.setTarget(.unattached, intent: DisconnectIntent(reason: .reclaimed)) == true)
    #expect(next() == "willResignActive")
    _ = machine.replied(hasFailed: false)
    #expect(next() == "didEnterBackground")
    _ = machine.replied(hasFailed: false)
    #expect(next() == "requestActivity")
    #expect(machine.replied(hasFailed: false) == .activity)
    #expect(next() == "didDisconnect")
    #expect(machine.isLeaving)
    #expect(
      machine.replied(hasFailed: false) == .disconnected(DisconnectIntent(reason: .reclaimed)))
  }

  @Test("a session that is not restored skips the request for the activity")
  mutating func skipped() {
    _ = actions()
    _ = machine.setTarget(.background, intent: nil)
    _ = next()
    _ = machine.replied(hasFailed: false)
    _ = next()
    _ = machine.replied(hasFailed: false)
    machine.needsActivitySave = false
    #expect(actions() == [])
  }

  @Test("a timeout ends the scene, unless the activity was requested")
  mutating func timeout() {
    _ = next()
    #expect(machine.timedOut() == .fatal)
    #expect(machine.pendingCallback != nil)
    _ = machine.replied(hasFailed: false)
    var earlier: Int64?
    for _ in 0..<2 {
      _ = actions()
      _ = machine.setTarget(.background, intent: nil)
      while next() != "requestActivity" { _ = machine.replied(hasFailed: false) }
      #expect(machine.timedOut() == .late(obsolete: earlier))
      #expect(machine.lateActivityRequest == lastNumber)
      earlier = lastNumber
      _ = machine.setTarget(.foregroundActive, intent: nil)
    }
  }

  @Test("a new target turns the scene at its next step")
  mutating func turn() {
    _ = actions()
    #expect(machine.setTarget(.background, intent: nil) == true)
    #expect(machine.setTarget(.background, intent: nil) == false)
    #expect(next() == "willResignActive")
    #expect(machine.setTarget(.foregroundActive, intent: nil) == true)
    _ = machine.replied(hasFailed: false)
    #expect(actions() == ["didBecomeActive"])
  }

  @Test("a discard stays a discard, and the client's last reason stays")
  mutating func intent() {
    _ = actions()
    _ = machine.setTarget(.unattached, intent: DisconnectIntent(reason: .discarded))
    _ = machine.setTarget(.unattached, intent: DisconnectIntent(reason: .shutdown))
    #expect(machine.intent?.reason == .discarded)
  }

  @Test("deliveries and a refresh come when the scene is at its target")
  mutating func callbacks() {
    _ = pending.deliver(
      [
        Callback(
          .openURLContexts,
          OpenURLContexts(session: Self.session, urlContexts: [url("note:1")]))
      ], to: Self.session)
    pending.mustRefresh(Self.session)
    #expect(next() == "willConnect")
    _ = machine.replied(hasFailed: false)
    #expect(next() == "willEnterForeground")
    _ = machine.replied(hasFailed: false)
    #expect(next() == "didBecomeActive")
    _ = machine.replied(hasFailed: false)
    #expect(next() == "deliver")
    #expect(machine.replied(hasFailed: false) == .acknowledged)
    #expect(next() == "refresh")
    pending.beganRefresh(of: Self.session)
    _ = machine.replied(hasFailed: false)
    machine.activityUpdates.append(note(1))
    #expect(!machine.isAtTarget)
    #expect(actions() == ["updateActivity"])
  }

  @Test("a client tries the generation that it got until its scene reaches the target")
  mutating func trying() {
    #expect(machine.isRestoring(3) && !machine.isRestoring(4))
    machine.restoredGeneration = 4
    #expect(machine.isRestoring(4))
    _ = actions()
    #expect(!machine.isRestoring(4))
  }

  @Test("a resumed scene has no callback but those to its target")
  mutating func resumed() {
    machine = SceneStateMachine(
      Self.session, holder: ConnectionIdentifier(1), hold: 1, resumedIn: .foregroundInactive,
      target: .foregroundActive)
    #expect(actions() == ["didBecomeActive"])
  }

  @Test("a scene is in the foreground until didEnterBackground is sent")
  mutating func foreground() {
    _ = actions()
    #expect(machine.isInForeground)
    _ = machine.setTarget(.background, intent: nil)
    _ = next()
    _ = machine.replied(hasFailed: false)
    #expect(machine.isInForeground)
    _ = next()
    #expect(!machine.isInForeground, "didEnterBackground is pending")
  }
}
