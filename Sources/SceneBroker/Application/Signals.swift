import SceneModel

/// `scene/signal`: the broker sends the signal itself. So it knows the sender before it learns of
/// the end, and it traces only signals that were sent.
extension Broker {
  mutating func signal(_ message: SceneSignal, _ requester: Requester) throws(BrokerError) {
    guard store.listed(message.session) != nil else {
      throw absence(of: message.session)
    }
    guard let holder = scenes[message.session]?.holder,
      let process = clients[holder]?.process,
      let sender = reference(to: requester)
    else { throw BrokerError.unattached(label(of: message.session)) }
    guard message.pid ?? process.pid == process.pid else {
      throw BrokerError.held(label(of: message.session), by: clients[holder]?.shown)
    }
    // 0 and less are process groups, and 1 is the system's init process.
    guard process.pid > 1, process.pid != identity.pid else {
      throw BrokerError(
        .requestDenied,
        "the broker does not send signals to process \(process.pid) of \(label(of: message.session))"
      )
    }
    conditionWaiters.add(
      PendingSignal(
        session: message.session, process: process, signal: message.signal, sender: sender,
        requester: requester))
    effects.commands.append(.signal(message.signal, process))
  }

  /// Handles the outcome of the oldest pending signal.
  mutating func signalled(_ outcome: SignalOutcome) {
    guard let pending = conditionWaiters.completeSignal() else { return }
    switch outcome {
    case .sent(let name):
      let sent = SentSignal(name, by: pending.sender)
      for session in clients.sent(sent, to: pending.process, at: now.monotonic) {
        trace(.signalled, session) { ($0.reason, $0.by) = (sent.signal, sent.by) }
      }
      reply(pending.requester, .empty, about: pending.session)
    case .gone:
      reply(pending.requester, .empty, about: pending.session)
    case .unknown:
      refuse(
        pending.requester,
        BrokerError(
          .invalidParams, "signal: no signal is called \(pending.signal.clipped(to: 100))"))
    case .refused(let problem):
      refuse(
        pending.requester, BrokerError(.notPermitted, "process \(pending.process.pid): \(problem)"))
    }
  }
}
