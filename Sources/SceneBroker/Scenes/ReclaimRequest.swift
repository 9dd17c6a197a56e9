import SceneModel

/// `application/reclaim`: a request to disconnect scenes in the background.
extension Broker {
  mutating func reclaim(_ message: Reclaim, _ requester: Requester) throws(BrokerError) {
    for identifier in message.sessions ?? [] where store.listed(identifier) == nil {
      throw BrokerError.noSession(identifier)
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
    guard requested == nil, manifest.policies.reclaim != ReclaimPolicy() else {
      let all = withoutAssertion(scenes.background)
      let wanted = requested.map(Set.init)
      return Array(all.filter { wanted?.contains($0) ?? true }.prefix(most))
    }
    return Array(beyondReclaimPolicy.prefix(most))
  }

  /// The scenes without an assertion, the least recently used first.
  func withoutAssertion(_ scenes: [SceneStateMachine]) -> [SessionIdentifier] {
    store.inOrderOfUse(scenes.lazy.filter(\.assertions.isEmpty).map(\.session))
  }
}
