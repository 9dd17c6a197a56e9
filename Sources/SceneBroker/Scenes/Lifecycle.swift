import SceneModel

/// Performs the actions that the state machines of the scenes decide.
extension Broker {
  /// Sets the target of a scene, which turns at its next step.
  mutating func setTarget(
    of identifier: SessionIdentifier, to target: ActivationState, intent: DisconnectIntent? = nil,
    by requester: Requester?, reason: String? = nil
  ) {
    guard let scene = scenes[identifier] else { return }
    let target = min(target, scene.ceiling)
    let hasChanged = scene.setTarget(target, intent: intent)
    if intent?.isIrrevocable == true {
      let isDiscard = intent?.reason == .discarded
      let error = isDiscard ? BrokerError.noSession(identifier) : .shuttingDown
      for requester in pending.removeActivations(of: identifier) { refuse(requester, error) }
    }
    guard hasChanged else { return }
    trace(.aimed, identifier, by: requester) {
      ($0.reason, $0.state) = (reason ?? intent?.reason.rawValue, target)
    }
    send(pending.superseded(identifier, in: scene.state), about: identifier)
    markChanged(identifier)
    enterForeground(identifier)
  }

  /// Whether the scene is at its target and has nothing left to do.
  func isAtRest(_ identifier: SessionIdentifier) -> Bool {
    scenes[identifier]?.isAtTarget == true && !pending.hasCallbacks(for: identifier)
  }

  /// Lets a request wait until the scene is at rest at its target, has another target, or ends. A
  /// session without a scene may have a launch.
  mutating func addWaiter(_ waiter: ActivationWaiter, to identifier: SessionIdentifier) {
    let scene = scenes[identifier]
    guard waiter.requester.request != nil, scene != nil || launches.contains(identifier) else {
      return
    }
    if pending.mustSweep(identifier) {
      pending.removeWaiters(of: identifier) { [clients] in clients[$0] != nil }
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
    guard let scene = scenes[identifier] else { return }
    switch scene.next(&pending, at: now.monotonic) {
    case .wait: break
    case .requestActivity:
      // A discarded session needs no activity.
      guard let session = store[identifier], manifest.restores(session) else {
        scene.needsActivitySave = false
        return advanceLifecycle(of: identifier)
      }
      sendCallback(Callback(.stateRestorationActivity, of: identifier), scene)
    case .updateActivity(let activity):
      let update = UserActivityMessage(session: identifier, userActivity: activity)
      sendCallback(Callback(.didUpdateUserActivity, update), scene)
    case .deliver(let callback, let delivery):
      sendCallback(callback, scene, completing: delivery)
    case .step(let step):
      guard let session = store.listed(identifier) else {
        preconditionFailure("a scene without a session")
      }
      var callback = Callback.step(step, scene, of: session, manifest)
      if step == .willConnect { addEnvironment(to: &callback, session) }
      sendCallback(callback, scene)
    case .refresh: sendCallback(beginRefresh(of: identifier), scene)
    case .rest:
      if scene.state == .background { scenes.needsReclaimCheck = true }
      send(pending.completed(identifier, in: scene.state), about: identifier)
    }
  }

  private mutating func sendCallback(
    _ callback: Callback, _ scene: SceneStateMachine, completing delivery: Int64? = nil
  ) {
    guard let number = clients[scene.holder]?.beginCallback(callback.kind, of: scene.session)
    else { return }
    scene.sent(PendingCallback(number: number, kind: callback.kind, completes: delivery))
    send(
      .callback(number, callback, budget: manifest.budgets.budget(for: callback.kind)),
      to: scene.holder, about: scene.session)
    trace(.callback, scene.session) {
      $0.callback = callback.kind.rawValue
      $0.reason = callback.message.tracedReason
      $0.hold = callback.message.tracedHold
      if let content = callback.content { $0.show(content.options) }
    }
  }

  // MARK: - Replies

  /// A client has replied to a callback.
  mutating func callbackReplied(
    _ callback: Int64, _ answer: CallbackAnswer, from connection: ConnectionIdentifier
  ) {
    guard let client = clients[connection], client.received() else { return }
    guard client.hasSent(callback) else {
      return reportViolation(callback, on: connection)
    }
    let ended = client.endCallback(callback)
    // An answer to a ping tells nothing about the other scenes of the client, also a late one.
    if let kind = ended?.kind, kind != .ping { noteInput(of: client) }
    if delegate.connection == connection, delegateReplied(to: callback, answer) { return }
    guard let (identifier, kind) = ended, let scene = scenes[identifier],
      scene.holder == connection
    else { return }
    if kind == .ping { return pingAnswered(callback, of: scene) }
    guard let pendingCallback = scene.pendingCallback, pendingCallback.number == callback else {
      guard scene.lateActivityRequest == callback else { return }
      takeActivity(answer, for: identifier)
      return advanceLifecycle(of: identifier)
    }
    effects.timers.append(.cancel(.callback(connection, callback)))
    let state = scene.state
    let outcome = scenes.replied(scene, hasFailed: answer.isFailure, at: now.monotonic)
    trace(answer.isFailure ? .failed : .acknowledged, identifier) {
      $0.callback = kind.rawValue
      if case .failed(let message) = answer { $0.detail = message }
    }
    if let delivery = pendingCallback.completes {
      send(pending.delivered(delivery, to: identifier, in: state), about: identifier)
    }
    switch outcome {
    case .disconnected(let intent):
      endScene(
        identifier, DisconnectOutcome(reason: intent.reason, cause: intent.cause), answered: true)
    case .refused: refused(identifier)
    case .entered(let state, let before):
      didStep(identifier, from: before)
      if state == .foregroundActive { watchSilence(of: scene) }
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
    clients[connection]?.isClosing = true
    topics.ceaseAll(of: connection)
    effects.commands.append(.close(connection))
  }

  // MARK: - Timeouts

  /// A client has not replied to a callback in time.
  mutating func callbackTimedOut(
    _ callback: Int64, on connection: ConnectionIdentifier, halt: ProcessHalt?
  ) {
    if delegate.connection == connection, delegate.question?.number == callback {
      return delegateTimedOut(callback, halt: halt)
    }
    guard let (identifier, kind) = clients[connection]?.outstandingCallbacks[callback],
      let scene = scenes[identifier]
    else { return }
    if kind == .ping { return pingTimedOut(callback, of: scene, halt: halt) }
    guard scene.pendingCallback?.number == callback else { return }
    guard halt != .debugged else {
      let budget = manifest.budgets.budget(for: kind)
      return effects.timers.append(.set(.callback(connection, callback), budget))
    }
    trace(.overran, identifier) { $0.callback = kind.rawValue }
    switch scene.timedOut() {
    case .late(let obsolete):
      if let obsolete { clients[connection]?.endCallback(obsolete) }
      advanceLifecycle(of: identifier)
    case .fatal:
      clients[connection]?.isOverdue = true
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
