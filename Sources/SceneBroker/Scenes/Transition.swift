import SceneModel

/// `scene/transition`: a request for another state.
extension Broker {
  mutating func transition(_ message: SceneTransition, _ attempt: Attempt) throws(BrokerError) {
    let (identifier, requester) = (message.session, attempt.requester)
    if message.cause == .windowClosed { return try noteClosedWindow(message, requester) }
    try validateReason(message, requester)
    guard store.isListed(identifier) else { throw absence(of: identifier) }
    if let holder = clients.reservations[identifier],
      holder != clients[requester.connection]?.process
    {
      // The scene runs without the broker: it resumes, or its process ends.
      try checkMayChange(identifier, requester)
      guard !isShuttingDown else { throw BrokerError.shuttingDown }
      try deferRequest(.transition(message), attempt, until: .session(identifier))
      return startPoll()
    }
    guard let scene = scenes[identifier] else {
      guard message.to == .unattached else {
        try checkPresent(identifier)
        throw BrokerError.unattached(label(of: identifier))
      }
      if message.reason != .reclaimed, message.cause == nil { try close(identifier, requester) }
      return reply(
        requester, SceneTransition.Reply(state: .unattached), about: identifier)
    }
    try checkMayChange(identifier, requester)
    guard !store.isDiscarding(identifier) else { throw absence(of: identifier) }
    guard !isShuttingDown else { throw BrokerError.shuttingDown }
    guard !scene.isLeaving || message.to == .unattached else {
      throw BrokerError.disconnecting(label(of: identifier))
    }
    let intent =
      message.to == .unattached
      ? DisconnectIntent(
        reason: message.reason ?? .clientRequest, cause: message.cause, host: message.host) : nil
    setTarget(of: identifier, to: message.to, intent: intent, by: requester)
    addWaiter(ActivationWaiter(requester: requester, kind: .transition), to: identifier)
    advanceLifecycle(of: identifier)
  }

  /// The user closes a window that is not open any more, so that it does not open again.
  private mutating func close(
    _ identifier: SessionIdentifier, _ requester: Requester
  ) throws(BrokerError) {
    // Only a control's request outlives its connection.
    guard isControl(requester) || requester == .disconnected, let session = store[identifier],
      session.isPresent,
      session.hold.end?.isByUser == false
    else { return }
    var hold = session.hold
    if let error = store.admission(of: .bounded) { throw error }
    hold.end = DisconnectOutcome(reason: .clientRequest)
    record(.held(hold))
    markChanged(identifier)
  }

  /// The user closed the terminal of the last scene, as its client has found out. A session with a
  /// newer scene does not change.
  private mutating func noteClosedWindow(
    _ message: SceneTransition, _ requester: Requester
  ) throws(BrokerError) {
    let identifier = message.session
    guard message.to == .unattached, message.reason ?? .clientRequest == .clientRequest else {
      throw BrokerError(.invalidParams, "cause: windowClosed is allowed only with unattached")
    }
    guard store.isListed(identifier) else { throw absence(of: identifier) }
    if scenes[identifier] == nil, store[identifier]?.isPresent == true,
      var hold = store[identifier]?.hold, hold.number == message.hold, let end = hold.end,
      end.cause == .hangup || end.reason == .reclaimed
    {
      if let error = store.admission(of: .bounded) { throw error }
      hold.end = DisconnectOutcome(reason: .clientRequest, cause: .windowClosed)
      record(.held(hold))
      markChanged(identifier)
      trace(.reported, identifier, by: requester) {
        $0.reason = DisconnectCause.windowClosed.rawValue
        $0.detail = DisconnectCause.windowClosed.words
      }
    }
    let state = scenes[identifier]?.state ?? .unattached
    reply(requester, SceneTransition.Reply(state: state), about: identifier)
  }

  /// A discard has a request of its own, and only the broker knows the other reasons.
  private func validateReason(
    _ message: SceneTransition, _ requester: Requester
  ) throws(BrokerError) {
    let isRequested = message.to == .unattached && message.reason != .reclaimed
    if message.cause != .handedOff || !isControl(requester) || !isRequested {
      try checkCause(message.cause, isAllowed: isRequested)
      guard message.host == nil else {
        throw BrokerError(.invalidParams, "host: allowed only with the cause handedOff")
      }
    }
    if let host = message.host { try check(host: host, "host") }
    guard message.to == .unattached, let reason = message.reason else { return }
    guard reason == .clientRequest || reason == .reclaimed else {
      throw BrokerError(
        .invalidParams,
        "reason: expected clientRequest or reclaimed, "
          + "found \"\(reason.rawValue.clipped(to: 100))\"")
    }
  }

  /// A client states a cause only with `clientRequest`.
  func checkCause(_ cause: DisconnectCause?, isAllowed: Bool = true) throws(BrokerError) {
    guard let cause, !isAllowed || !cause.isOfClient else { return }
    throw BrokerError(
      .invalidParams,
      "cause: expected hangup or terminated, with the reason clientRequest, "
        + "found \"\(cause.rawValue.clipped(to: 100))\"")
  }
}
