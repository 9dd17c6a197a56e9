import SceneModel

/// Performs the actions that the state machines of the scenes decide.
extension Broker {
  /// Sets the target of a scene, which turns at its next step.
  mutating func setTarget(
    of identifier: SessionIdentifier, to target: ActivationState, intent: DisconnectIntent? = nil,
    by requester: Requester?, reason: String? = nil
  ) {
    guard let state = scenes.state(of: identifier), let session = store.listed(identifier) else {
      return
    }
    let target = min(target, session.attributes.role.ceiling)
    let hasChanged =
      scenes.modify(identifier) { $0.setTarget(target, intent: intent) } == true
    if intent?.isIrrevocable == true {
      let isDiscard = intent?.reason == .discarded
      let error = isDiscard ? BrokerError.noSession(identifier) : .shuttingDown
      for requester in pending.removeActivations(of: identifier) { refuse(requester, error) }
    }
    guard hasChanged else { return }
    trace(
      .aimed, identifier, reason: reason ?? intent?.reason.rawValue, state: target,
      by: requester)
    send(pending.superseded(identifier, in: state), about: identifier)
    markChanged(identifier)
    enterForeground(identifier)
  }

  /// Whether the scene is at its target and has nothing left to do.
  func isAtRest(_ identifier: SessionIdentifier) -> Bool {
    scenes.isAtTarget(identifier) && !pending.hasCallbacks(for: identifier)
  }

  /// Lets a request wait until the scene is at rest at its target, has another target, or ends. A
  /// session without a scene may have a launch.
  mutating func addWaiter(_ waiter: ActivationWaiter, to identifier: SessionIdentifier) {
    let scene = scenes[identifier]
    guard waiter.requester.request != nil, scene != nil || launches.contains(identifier) else {
      return
    }
    if pending.mustSweep(identifier) {
      pending.removeWaiters(of: identifier) { [clients] in clients.isConnected($0) }
    }
    send(pending.add(waiter, to: identifier, scene), about: identifier)
  }

  /// Lets a request wait for several scenes. Returns false if there are none.
  mutating func addBatch(
    _ requester: Requester, _ reply: BrokerReply, to sessions: [SessionIdentifier],
    _ kind: (UInt64) -> ActivationWaiter.Kind = ActivationWaiter.Kind.batch
  ) -> Bool {
    guard !sessions.isEmpty else { return false }
    let batch = pending.openBatch(requester, reply, count: sessions.count)
    for identifier in sessions {
      addWaiter(ActivationWaiter(requester: requester, kind: kind(batch)), to: identifier)
    }
    return true
  }

  /// Performs the next action of a scene.
  mutating func advanceLifecycle(of identifier: SessionIdentifier) {
    switch scenes.next(identifier, &pending) {
    case .wait, nil: break
    case .requestActivity:
      // A discarded session needs no activity.
      guard let session = store[identifier], manifest.restores(session) else {
        scenes.modify(identifier) { $0.skipActivity() }
        return advanceLifecycle(of: identifier)
      }
      sendCallback(Callback(.stateRestorationActivity, of: identifier), identifier)
    case .updateActivity(let activity):
      let update = DidUpdateUserActivity(session: identifier, userActivity: activity)
      sendCallback(Callback(.didUpdateUserActivity, update), identifier)
    case .deliver(let callback, let delivery):
      sendCallback(callback, identifier, completing: delivery)
    case .step(let step):
      guard let scene = scenes[identifier] else { return }
      guard let session = store.listed(identifier) else {
        preconditionFailure("a scene without a session")
      }
      var callback = Callback.step(step, scene, of: session, manifest)
      if step == .willConnect { addEnvironment(to: &callback, session) }
      sendCallback(callback, identifier)
    case .refresh: sendCallback(beginRefresh(of: identifier), identifier)
    case .rest:
      guard let state = scenes.state(of: identifier) else { return }
      if state == .background { scenes.requestReclaimCheck() }
      send(pending.completed(identifier, in: state), about: identifier)
    }
  }

  private mutating func sendCallback(
    _ callback: Callback, _ identifier: SessionIdentifier, completing delivery: Int64? = nil
  ) {
    guard let holder = scenes.holder(of: identifier),
      let number = clients.beginCallback(callback.kind, of: identifier, on: holder)
    else { return }
    let pendingCallback = PendingCallback(number: number, kind: callback.kind, completes: delivery)
    scenes.modify(identifier) { $0.sent(pendingCallback) }
    send(
      .callback(number, callback, budget: manifest.budgets.budget(for: callback.kind)),
      to: holder, about: identifier)
    trace(
      .callback, identifier, callback: callback.kind, reason: callback.message.tracedReason,
      hold: callback.message.tracedHold)
  }

  // MARK: - Replies

  /// A client has replied to a callback.
  mutating func callbackReplied(
    _ callback: Int64, _ answer: CallbackAnswer, from connection: ConnectionIdentifier
  ) {
    guard clients.received(from: connection) != nil else { return }
    guard clients.hasSent(callback, to: connection) else {
      return reportViolation(callback, on: connection)
    }
    if delegate.connection == connection, delegateReplied(to: callback, answer) { return }
    guard let (identifier, kind) = clients.endCallback(callback, on: connection),
      let (holder, state, pendingCallback, lateRequest) = scenes.read(
        identifier, { ($0.holder, $0.state, $0.pendingCallback, $0.lateActivityRequest) }),
      holder == connection
    else { return }
    guard let pendingCallback, pendingCallback.number == callback else {
      guard lateRequest == callback else { return }
      takeActivity(answer, for: identifier)
      return advanceLifecycle(of: identifier)
    }
    effects.timers.append(.cancel(.callback(connection, callback)))
    let outcome = scenes.replied(identifier, hasFailed: answer.isFailure, at: now.monotonic)
    switch answer {
    case .done, .activity, .launched, .configuration:
      trace(.acknowledged, identifier, callback: kind)
    case .failed(let message): trace(.failed, identifier, callback: kind, detail: message)
    }
    if let delivery = pendingCallback.completes {
      send(pending.delivered(delivery, to: identifier, in: state), about: identifier)
    }
    switch outcome {
    case .disconnected(let intent):
      endScene(
        identifier, DisconnectOutcome(reason: intent.reason, cause: intent.cause), answered: true)
    case .refused: refused(identifier)
    case .entered(_, let before):
      didStep(identifier, from: before)
      advanceLifecycle(of: identifier)
    case .activity:
      takeActivity(answer, for: identifier)
      advanceLifecycle(of: identifier)
    case .acknowledged, nil: advanceLifecycle(of: identifier)
    }
  }

  private mutating func didStep(_ identifier: SessionIdentifier, from before: ActivationState) {
    pending.stepped(identifier)
    // The host has accepted the scene, so the search for a host is over.
    if let launch = pending.removeAssignment(of: identifier) { launches.finishStart(launch) }
    markChanged(identifier)
    if before == .background { catchUp(identifier) }
  }

  private mutating func reportViolation(_ callback: Int64, on connection: ConnectionIdentifier) {
    send(
      .error(
        nil,
        BrokerError(
          .invalidRequest,
          "the client replied to request \(callback), which the broker never sent")),
      to: connection, about: nil)
    close(connection)
  }

  /// Closes a connection whose client gets the reason before. Its input is ignored from now on.
  mutating func close(_ connection: ConnectionIdentifier) {
    clients.setClosing(connection)
    topics.ceaseAll(of: connection)
    effects.closes.append(connection)
  }

  // MARK: - Timeouts

  /// A client has not replied to a callback in time.
  mutating func callbackTimedOut(
    _ callback: Int64, on connection: ConnectionIdentifier, debugged: Bool
  ) {
    if delegate.connection == connection, delegate.question?.number == callback {
      return delegateTimedOut(callback, debugged: debugged)
    }
    guard let (identifier, kind) = clients.callback(callback, of: connection),
      let scene = scenes[identifier], scene.pendingCallback?.number == callback
    else { return }
    guard !debugged else {
      let budget = manifest.budgets.budget(for: kind)
      return effects.timers.append(.set(.callback(connection, callback), budget))
    }
    trace(.overran, identifier, callback: kind)
    switch scenes.modify(identifier, { $0.timedOut() }) {
    case .late(let obsolete):
      if let obsolete { clients.endCallback(obsolete, on: connection) }
      advanceLifecycle(of: identifier)
    case .fatal, nil:
      clients.setUnresponsive(connection)
      let outcome = DisconnectOutcome(reason: .watchdog, callback: kind.rawValue)
      sendDisconnected(identifier, outcome)
      tryNextHost(identifier, outcome)
    }
  }

  mutating func extend(_ message: SceneExtend, _ requester: Requester) throws(BrokerError) {
    try checkMayChange(message.session, requester)
    guard let time = Interval(seconds: message.seconds), time <= .seconds(3600) else {
      throw BrokerError(.invalidParams, "seconds: expected a number from 0 to 3600")
    }
    guard let scene = scenes[message.session], let callback = scene.pendingCallback else {
      throw BrokerError(.requestDenied, "no callback of \(label(of: message.session)) is pending")
    }
    effects.timers.append(.extend(.callback(scene.holder, callback.number), time))
    reply(requester, .empty, about: message.session)
  }
}
