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
    guard manifest.policies.reclaim.hasLimit, !isShuttingDown else { return }
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

/// Decides which scenes at rest leave the background.
struct Reclaimer {
  let policy: ReclaimPolicy

  /// The scenes that the policy reclaims, in the order in which they entered the background. The
  /// order of use would put a scene that has just left the foreground before older ones.
  func due(of scenes: [SceneStateMachine], at now: Int64) -> [SessionIdentifier] {
    let excess = policy.count.map { max(0, scenes.count - $0) } ?? 0
    let oldestFirst = scenes.withoutAssertion.sorted {
      ($0.backgroundOrder, $0.session) < ($1.backgroundOrder, $1.session)
    }
    return oldestFirst.enumerated().filter { index, scene in
      index < excess || isTooOld(scene, at: now)
    }
    .map(\.element.session)
  }

  /// The time until the next of these scenes is too old.
  func nextCheck(of scenes: [SceneStateMachine], at now: Int64) -> Interval? {
    guard let age = policy.age,
      let oldest = scenes.withoutAssertion.compactMap(\.backgroundSince).min()
    else { return nil }
    return Interval(nanoseconds: max(0, oldest + age.nanoseconds - now))
  }

  private func isTooOld(_ scene: SceneStateMachine, at now: Int64) -> Bool {
    guard let age = policy.age, let since = scene.backgroundSince else { return false }
    return now - since >= age.nanoseconds
  }
}

/// `application/reclaim`: a request to disconnect scenes in the background.
extension Broker {
  mutating func reclaim(_ message: Reclaim, _ requester: Requester) throws(BrokerError) {
    for identifier in message.sessions ?? [] where store.listed(identifier) == nil {
      throw absence(of: identifier)
    }
    let chosen = reclaimable(message.sessions)
    let reply = Reclaim.Reply(sessions: chosen)
    guard !message.dryRun else { return replyAboutAll(requester, reply) }
    reclaim(chosen, for: requester, BrokerReply(reply))
  }

  /// Disconnects scenes in the background. The reply comes when they are unattached.
  mutating func reclaim(
    _ chosen: [SessionIdentifier], for requester: Requester, _ reply: BrokerReply
  ) {
    for identifier in chosen {
      setTarget(
        of: identifier, to: .unattached, intent: DisconnectIntent(reason: .reclaimed), by: requester
      )
    }
    let awaited = chosen.filter { scenes.isAwaited($0, by: requester) }
    if !addBatch(requester, reply, to: awaited) { replyAboutAll(requester, reply.content) }
    for identifier in chosen { advanceLifecycle(of: identifier) }
  }

  /// The scenes that a request reclaims, no more than a reply can name: by a policy in the policy's
  /// order, else the least recently used first.
  private func reclaimable(_ requested: [SessionIdentifier]?) -> [SessionIdentifier] {
    // An identifier has 36 characters, between quotes and behind a comma.
    let bytesOfOne = 36 + 3
    let most = replyBytes / bytesOfOne
    guard requested == nil, manifest.policies.reclaim.hasLimit else {
      let all = withoutAssertion(scenes.background)
      let wanted = requested.map(Set.init)
      return Array(all.filter { wanted?.contains($0) ?? true }.prefix(most))
    }
    return Array(beyondReclaimPolicy.prefix(most))
  }

  /// The scenes without an assertion, the least recently used first.
  func withoutAssertion(_ scenes: [SceneStateMachine]) -> [SessionIdentifier] {
    store.inOrderOfUse(scenes.withoutAssertion.map(\.session))
  }
}

extension [SceneStateMachine] {
  /// The scenes that no assertion keeps.
  fileprivate var withoutAssertion: Self { filter(\.assertions.isEmpty) }
}
