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
