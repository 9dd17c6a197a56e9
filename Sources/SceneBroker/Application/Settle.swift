import SceneModel

/// `broker/settle`: the reply comes when the application is settled.
extension Broker {
  mutating func settle(_ message: Settle, _ requester: Requester) throws(BrokerError) {
    guard requester.request != nil else { return }
    guard !isShuttingDown else { throw BrokerError.shuttingDown }
    conditionWaiters.wait(for: .settled, requester, ignoring: Set(message.except ?? []))
  }

  mutating func answerSettleWaiters() {
    let waiters = conditionWaiters[.settled]
    guard !waiters.isEmpty else { return }
    // `except` does not apply to these. A launched process is not awaited: it may never connect.
    guard !deferred.awaitsProcesses, topics.areSynced else { return }
    let busy = busyHolders
    let due = waiters.filter { waiter in !busy.contains { counts($0, waiter) } }
    if !due.isEmpty { publishAllChanges() }
    for requester in conditionWaiters.complete(.settled, where: due.contains) {
      replyAboutAll(requester, .empty)
    }
  }

  /// The connections with a scene that is not at rest, and the application delegate while it has a
  /// question. Each waiting request waits for one of these connections or for a timer.
  var busyHolders: Set<ConnectionIdentifier> {
    var busy = Set(scenes.all.filter { !isAtRest($0.key) }.map(\.value.holder))
    if let connection = delegate.connection, delegate.question != nil { busy.insert(connection) }
    return busy
  }

  private func counts(_ holder: ConnectionIdentifier, _ waiter: ConditionWaiters.Waiter) -> Bool {
    guard holder != waiter.requester.connection else { return false }
    guard !waiter.ignoredProcesses.isEmpty, let pid = clients[holder]?.client?.pid else {
      return true
    }
    return !waiter.ignoredProcesses.contains(pid)
  }
}

/// A virtual clock advances only by request, so that a test waits for no timeout.
extension Broker {
  mutating func advanceClock(_ message: AdvanceClock, _ requester: Requester) throws(BrokerError) {
    guard environment.clock == .virtual else {
      throw BrokerError(
        .notPermitted, "this broker uses the real clock; start a broker with --clock virtual")
    }
    guard let time = Interval(seconds: message.seconds) else {
      throw BrokerError(.invalidParams, "seconds: expected a number from 0 to 31536000")
    }
    guard !isShuttingDown else { throw BrokerError.shuttingDown }
    conditionWaiters.wait(for: .clock, requester)
    effects.commands.append(.advance(time))
  }

  /// The clock has reached the time of the first request.
  mutating func clockAdvanced() {
    if let requester = conditionWaiters.completeFirst(.clock) { replyAboutAll(requester, .empty) }
  }

  /// The clients with a callback without a reply.
  package var awaitedClients: Set<ConnectionIdentifier> {
    Set(
      scenes.all.values.lazy.filter { $0.pendingCallback != nil || $0.pings.isAwaited }
        .map(\.holder))
  }
}
