import SceneModel

/// Enforces the policies of the manifest. `SceneTable` and `Reclaimer` choose the scenes.
extension Broker {
  // MARK: - The foreground limit

  /// The scene has a target in the foreground. The least recently activated scenes beyond the limit
  /// go to the background. The scene does not wait for them, so that a hung client keeps no other
  /// scene out.
  mutating func enterForeground(_ identifier: SessionIdentifier) {
    guard let scene = scenes[identifier], scene.target >= .foregroundInactive else { return }
    // An interruption is no activation.
    if scene.target == .foregroundActive { scenes.stampForeground(scene) }
    enforceForegroundPolicy()
  }

  mutating func enforceForegroundPolicy() {
    guard case .atMost(let limit) = manifest.policies.foreground else { return }
    for identifier in scenes.foregroundExcess(limit: limit) {
      setTarget(of: identifier, to: .background, by: nil, reason: "foregroundPolicy")
      advanceLifecycle(of: identifier)
    }
  }

  // MARK: - The reclaim policy

  /// Disconnects the scenes that the policy reclaims, if a scene in the background has changed.
  mutating func enforceReclaimPolicy() {
    guard scenes.needsReclaimCheck else { return }
    scenes.needsReclaimCheck = false
    guard manifest.policies.reclaim != ReclaimPolicy(), !isShuttingDown else { return }
    for identifier in beyondReclaimPolicy {
      setTarget(
        of: identifier, to: .unattached, intent: DisconnectIntent(reason: .reclaimed), by: nil)
      advanceLifecycle(of: identifier)
    }
    let reclaimer = Reclaimer(policy: manifest.policies.reclaim)
    guard reclaimer.policy.age != nil else { return }
    if let delay = reclaimer.nextCheck(of: atRestInBackground, at: now.monotonic) {
      effects.timers.append(.set(.reclaim, delay))
    } else {
      effects.timers.append(.cancel(.reclaim))
    }
  }

  /// The scenes that the reclaim policy disconnects now, in its order.
  var beyondReclaimPolicy: [SessionIdentifier] {
    Reclaimer(policy: manifest.policies.reclaim).due(of: atRestInBackground, at: now.monotonic)
  }

  var atRestInBackground: [SceneStateMachine] {
    scenes.background.filter { isAtRest($0.session) }
  }
}
