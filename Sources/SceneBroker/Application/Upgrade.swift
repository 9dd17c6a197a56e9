import SceneModel

/// `broker/upgrade`: another program takes this one's place in the same process. The event loop
/// checks that program first.
extension Broker {
  mutating func upgrade(_ message: BrokerUpgrade, _ requester: Requester) {
    guard !isShuttingDown else { return refuse(requester, .shuttingDown) }
    conditionWaiters.wait(for: .upgrade, requester)
    effects.commands.append(.upgrade(dryRun: message.dryRun))
  }

  mutating func upgradeChecked(_ problem: BrokerError?) {
    for requester in conditionWaiters.complete(.upgrade) {
      if let problem {
        refuse(requester, problem)
      } else {
        replyAboutAll(
          requester,
          BrokerUpgrade.Reply(version: identity.version, instance: identity.instance))
      }
    }
  }

  /// The event loop takes no more input before it replaces this program. Refuses each request that
  /// still waits, so that its client sends it to the next program. An activation that waits for a
  /// client gets no reply, because it must not happen twice.
  mutating func inputEnded() {
    endResumption()
    refuseWaiting(.upgrading)
    for identifier in pending.sessions.sorted() {
      send(pending.interrupt(identifier), about: identifier, failure: .upgrading)
    }
    for identifier in scenes.all.keys.sorted() {
      if let scene = scenes[identifier] { endPings(of: scene, .upgrading) }
    }
  }

  /// Traces the start as the successor of another program.
  mutating func traceUpgrade() {
    guard let previous = environment.previous else { return }
    let detail = previous.problem ?? "\(previous.version) to \(identity.version)"
    trace(.upgraded, nil) {
      ($0.reason, $0.detail) = (previous.problem.map { _ in "failed" }, detail)
    }
  }

  /// Whether no client has a callback without a reply, and no launched program is to connect.
  package mutating func isAtRest() -> Bool { busyHolders.isEmpty && launches.sessions.isEmpty }
}
