import SceneModel

/// Disconnects scenes in the background: by request, by the reclaim policy and on a memory warning.
extension Broker {
  mutating func reclaim(_ message: Reclaim, _ requester: Requester) {
    for identifier in message.sessions ?? [] where store.listed(identifier) == nil {
      return refuse(requester, .noSession(identifier))
    }
    let chosen = reclaimable(message.sessions)
    let reply = BrokerReply.reclaimed(Reclaim.Reply(sessions: chosen))
    guard !message.dryRun else { return replyAboutAll(requester, reply) }
    disconnect(chosen, for: requester, reply)
  }

  /// Disconnects scenes in the background; answered when they are unattached.
  mutating func disconnect(
    _ chosen: [SessionIdentifier], for requester: Requester, _ reply: BrokerReply
  ) {
    let awaited = chosen.filter { isAwaited($0, by: requester) }
    let batch = awaited.isEmpty ? nil : pending.openBatch(requester, reply, count: awaited.count)
    for identifier in chosen {
      setTarget(
        of: identifier, to: .unattached, intent: DisconnectIntent(reason: .reclaimed), by: requester
      )
    }
    if let batch {
      for identifier in awaited {
        addWaiter(ActivationWaiter(requester: requester, kind: .batch(batch)), to: identifier)
      }
    } else {
      replyAboutAll(requester, reply)
    }
    for identifier in chosen { advanceLifecycle(of: identifier) }
  }

  /// The scenes that a request reclaims, no more than a reply can name: by a policy in the policy's
  /// order, else the least recently used first.
  private func reclaimable(_ requested: [SessionIdentifier]?) -> [SessionIdentifier] {
    // An identifier has 36 characters, between quotes and behind a comma.
    let bytesOfOne = 36 + 3
    let most = replyBytes / bytesOfOne
    guard requested == nil, manifest.policies.reclaim != ReclaimPolicy() else {
      let all = inOrderOfUse(scenes.background)
      let wanted = requested.map(Set.init)
      return Array(all.filter { wanted?.contains($0) ?? true }.prefix(most))
    }
    return Array(beyondReclaimPolicy.prefix(most))
  }

  mutating func warnOfMemory(_ requester: Requester) {
    notifyAll(.memoryWarning)
    disconnect(inOrderOfUse(restingInBackground), for: requester, .empty)
  }

  // MARK: - The policy

  /// Disconnects the scenes that the policy reclaims, if a scene in the background has changed.
  mutating func reclaimByPolicy() {
    guard scenes.takeReclaimCheck(), manifest.policies.reclaim != ReclaimPolicy(), !isShuttingDown
    else { return }
    for identifier in beyondReclaimPolicy {
      setTarget(
        of: identifier, to: .unattached, intent: DisconnectIntent(reason: .reclaimed), by: nil)
      advanceLifecycle(of: identifier)
    }
    let reclaimer = Reclaimer(policy: manifest.policies.reclaim)
    guard reclaimer.policy.age != nil else { return }
    if let delay = reclaimer.nextCheck(of: restingInBackground, at: now.monotonic) {
      effects.timers.append(.set(.reclaim, delay))
    } else {
      effects.timers.append(.cancel(.reclaim))
    }
  }

  private var beyondReclaimPolicy: [SessionIdentifier] {
    Reclaimer(policy: manifest.policies.reclaim).due(of: restingInBackground, at: now.monotonic)
  }

  private var restingInBackground: [Reclaimer.Candidate] {
    scenes.background.filter { isAtRest($0.session) }
  }

  /// The scenes without an assertion, the least recently used first.
  private func inOrderOfUse(_ scenes: [Reclaimer.Candidate]) -> [SessionIdentifier] {
    store.inOrderOfUse(scenes.lazy.filter { !$0.hasAssertion }.map(\.session))
  }

  // MARK: - Assertions

  mutating func beginAssertion(_ message: BeginAssertion, _ requester: Requester) {
    do throws(BrokerError) {
      try checkMayChange(message.session, requester)
      guard let scene = scenes[message.session] else {
        throw BrokerError.unattached(label(of: message.session))
      }
      try limits.check(text: message.name, "name")
      guard !message.name.isEmpty else {
        throw BrokerError(
          .invalidParams, "name: must not be empty; give the purpose of the assertion")
      }
      guard let time = Interval(seconds: message.seconds), time <= Assertion.longest else {
        throw BrokerError(.invalidParams, "seconds: expected a number from 0 to 86400")
      }
      guard scene.assertions.count < Assertion.most else {
        throw BrokerError(
          .tooMany, "\(label(of: message.session)) already has \(Assertion.most) assertions")
      }
      let assertion = scenes.addAssertion(named: message.name, to: message.session)
      effects.timers.append(.set(.assertion(message.session, assertion), time))
      reply(
        requester, .asserted(BeginAssertion.Reply(assertion: assertion)), about: message.session)
    } catch {
      refuse(requester, error)
    }
  }

  mutating func endAssertion(_ message: EndAssertion, _ requester: Requester) {
    do throws(BrokerError) {
      guard let identifier = scenes.session(with: message.assertion) else {
        throw BrokerError(
          .requestDenied, "there is no assertion \(message.assertion); it may have expired")
      }
      try checkMayChange(identifier, requester)
      effects.timers.append(.cancel(.assertion(identifier, message.assertion)))
      scenes.removeAssertion(message.assertion, of: identifier)
      reply(requester, .empty, about: identifier)
    } catch {
      refuse(requester, error)
    }
  }
}
