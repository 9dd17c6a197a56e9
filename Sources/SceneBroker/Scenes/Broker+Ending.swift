import JSON
import SceneModel

/// How a scene ends: in order, by its client's word, or without one. The session stays, unless it
/// is discarded.
extension Broker {
  /// Ends a scene and answers its waiters. Activations fail with `denial`, if there is one. A session
  /// that is `abandoned` ends with its scene.
  mutating func end(
    _ identifier: SessionIdentifier, _ end: SessionEnd, answered: Bool,
    denial: BrokerError? = nil, abandoned: Bool = false, by requester: Requester? = nil
  ) {
    guard detach(identifier, end, answered: answered, by: requester) else { return }
    // First of all: what is answered speaks of it.
    if store.finishDiscard(identifier) {
      forget(identifier)
    } else if abandoned {
      abandon(identifier, end.reason)
    }
    send(pending.ended(identifier), about: identifier, failure: denial)
    deferred.fulfill(.session(identifier))
    stopIfDone()
  }

  /// Takes a scene away from its client, and records the reason. Returns false without a scene.
  mutating func detach(
    _ identifier: SessionIdentifier, _ end: SessionEnd, answered: Bool,
    by requester: Requester? = nil
  ) -> Bool {
    guard let scene = scenes[identifier] else { return false }
    var end = end
    // An end that another client asked for has not come of a signal.
    if requester == nil, end.reason == .connectionLost || end.reason == .clientRequest {
      end.signal = clients.signal(ending: scene.holder, at: now.monotonic)
    }
    if let callback = scene.pendingCallback {
      clients.endCallback(callback.number, on: scene.holder)
      effects.timers.append(.cancel(.callback(scene.holder, callback.number)))
    }
    if let late = scene.lateActivityRequest { clients.endCallback(late, on: scene.holder) }
    for assertion in scene.assertions {
      effects.timers.append(.cancel(.assertion(identifier, assertion.identifier)))
    }
    topics.ceaseAll(of: identifier, on: scene.holder)
    if let launch = pending.assignment(of: identifier)?.launch { launches.finishStart(launch) }
    scenes[identifier] = nil
    stateCounts.remove(scene.state)
    clients.disconnected(identifier, from: scene.holder, answered: answered)
    recordEnd(of: identifier, end, of: scene, answered: answered)
    tellDelegate(
      .sceneDisconnected(SceneDisconnected(session: identifier, end: end)), about: identifier)
    if let exit = end.exit { tellDelegate(exit, of: identifier) }
    tell(
      .disconnected, identifier, client: scene.holder,
      callback: end.callback.flatMap(CallbackKind.init(rawValue:)), reason: end.reason.rawValue,
      by: requester, sender: end.killer, detail: end.exit.map { "its process \($0)" })
    noteChange(of: identifier)
    return true
  }

  /// Once for each hold. Without a scene it is the broker's own end that ended it, which says nothing
  /// about its client.
  mutating func recordEnd(
    of identifier: SessionIdentifier, _ end: SessionEnd, of scene: SceneStateMachine? = nil,
    answered: Bool = false
  ) {
    guard var tenure = store[identifier]?.tenure, let holder = tenure.holder else { return }
    tenure.holder = nil
    tenure.formerHolder = answered ? holder : nil
    tenure.end = end
    if let scene {
      if end.reason == .connectionLost, !scene.hasReachedTarget {
        // An activity that this client was not given has not ended it.
        if scene.givenGeneration == store[identifier]?.generation { tenure.earlyEnds += 1 }
      } else if scene.hasReachedTarget || end.reason.isByClient {
        tenure.earlyEnds = 0
      }
    }
    record(.held(store.used(tenure, at: now.wall)))
  }

  /// A new session that came to nothing leaves nothing behind, unless something was saved in it.
  mutating func abandon(_ identifier: SessionIdentifier, _ reason: DisconnectReason) {
    guard let session = store[identifier], session.generations.isEmpty else { return }
    record(.discard(Discard(session: identifier)))
    tell(.discarded, identifier, gone: session, reason: reason.rawValue)
    noteChange(of: identifier)
    forget(identifier)
  }

  mutating func forget(_ identifier: SessionIdentifier) {
    effects.dataDirectories.append(.remove(identifier, after: recordCount))
    traceBuffer.forget(identifier)
    clients.forget(identifier)
  }

  /// Ends a scene at once: its client is told, and not waited for. A new session that was on its way
  /// to a host has come to nothing.
  mutating func cut(
    _ identifier: SessionIdentifier, _ end: SessionEnd, by requester: Requester? = nil
  ) {
    tellDisconnected(identifier, end)
    let abandoned = pending.assignment(of: identifier)?.isNew == true
    self.end(identifier, end, answered: false, abandoned: abandoned, by: requester)
  }

  /// Ends a scene because another client takes the session over. Waiters learn that the session is
  /// held again.
  mutating func replace(_ identifier: SessionIdentifier, by requester: Requester) {
    let end = SessionEnd(reason: .replaced)
    tellDisconnected(identifier, end)
    // A process that takes over its own session is not traced as the cause.
    let isOwn =
      scenes[identifier].flatMap { clients.process(of: $0.holder) }
      == clients.process(of: requester.connection)
    guard detach(identifier, end, answered: false, by: isOwn ? nil : requester) else { return }
    send(pending.ended(identifier, isHeldAgain: true), about: identifier)
  }

  /// Sends the last callback without waiting for its answer. It speaks of the end's record, which
  /// therefore comes first.
  mutating func tellDisconnected(_ identifier: SessionIdentifier, _ end: SessionEnd) {
    guard let scene = scenes[identifier], !scene.isLeaving,
      let number = clients.numberCallback(on: scene.holder)
    else { return }
    recordEnd(of: identifier, end, of: scene)
    let message = DidDisconnect(session: identifier, reason: end.reason)
    send(
      .callback(
        number, .didDisconnect(message), budget: manifest.budgets.budget(for: .didDisconnect)),
      to: scene.holder, about: identifier)
    tell(.callback, identifier, callback: .didDisconnect, reason: end.reason.rawValue)
  }

  // MARK: - The client's word

  mutating func disconnect(_ message: SceneDisconnect, _ requester: Requester) {
    do throws(BrokerError) {
      try checkMayChange(message.session, requester)
      guard let scene = scenes[message.session] else { throw unattached(message.session) }
      try saveParting(message.activity, of: message.session, requester)
      let end = SessionEnd(reason: .clientRequest)
      if scene.holder != requester.connection {
        // The client does not know that its scene ends.
        cut(message.session, end, by: requester)
      } else if pending.assignment(of: message.session) != nil {
        tryNextHost(message.session, end)
      } else {
        self.end(message.session, end, answered: true)
      }
      reply(requester, .empty, about: message.session)
    } catch {
      refuse(requester, error)
    }
  }

  /// What cannot be saved leaves the scene where it is. A session that is being discarded has
  /// nothing to be saved for.
  private mutating func saveParting(
    _ activity: Patch<Activity>, of identifier: SessionIdentifier, _ requester: Requester
  ) throws(BrokerError) {
    guard store.contains(identifier) else { return }
    let advice = "disconnect without an activity, or save a smaller one first"
    switch activity {
    case .absent: break
    case .null: try saveFirst(nil, of: identifier, requester, orElse: advice)
    case .value(let activity): try saveFirst(activity, of: identifier, requester, orElse: advice)
    }
  }

  // MARK: - Without a word

  /// The client will send nothing more, so it gets no scenes and no questions.
  mutating func finish(_ connection: ConnectionIdentifier) {
    clients.setUnresponsive(connection)
    if delegate.connection == connection { loseDelegate() }
  }

  /// A connection is gone: its scenes end in the order in which they were used.
  mutating func close(_ connection: ConnectionIdentifier, _ reason: DisconnectReason) {
    guard let client = clients[connection] else { return }
    // The next host of its scenes must be another connection.
    clients.setClosing(connection)
    dropRequests(of: connection)
    pendingSessions.removeConnecting(of: connection)
    completions.drop(.settled, of: connection)
    topics.ceaseAll(of: connection)
    changes.cease(connection)
    traceBuffer.cease(connection)
    noteLost(by: client)
    for identifier in store.inOrderOfUse(client.held) {
      let exit = reason == .connectionLost ? client.exit : nil
      tryNextHost(identifier, SessionEnd(reason: reason, exit: exit))
    }
    if delegate.connection == connection { loseDelegate() }
    // Who had nothing to lose has just gone.
    let isPlain = client.held.isEmpty && reason == .connectionLost
    if client.isInitialized {
      tell(.left, client: connection, reason: isPlain ? nil : reason.rawValue)
    }
    clients.close(connection)
    for inquiry in deferred.fulfill(endOf: connection) {
      effects.timers.append(.cancel(.inquiry(inquiry)))
    }
  }

  // MARK: - Out of time

  /// A callback was not answered within its budget.
  mutating func overrun(
    _ callback: Int64, on connection: ConnectionIdentifier, debugged: Bool
  ) {
    if delegate.connection == connection, delegate.question?.number == callback {
      return overrunDelegate(callback, debugged: debugged)
    }
    guard let (identifier, kind) = clients.callback(callback, of: connection),
      let scene = scenes[identifier], scene.pendingCallback?.number == callback
    else { return }
    guard !debugged else {
      let budget = manifest.budgets.budget(for: kind)
      return effects.timers.append(.set(.callback(connection, callback), budget))
    }
    tell(.overran, identifier, callback: kind)
    switch scenes[identifier]?.timedOut() {
    case .late(let obsolete):
      if let obsolete { clients.endCallback(obsolete, on: connection) }
      advanceLifecycle(of: identifier)
    case .fatal, nil:
      clients.setUnresponsive(connection)
      let end = SessionEnd(reason: .watchdog, callback: kind.rawValue)
      tellDisconnected(identifier, end)
      tryNextHost(identifier, end)
    }
  }

  mutating func extend(_ message: SceneExtend, _ requester: Requester) {
    do throws(BrokerError) {
      try checkMayChange(message.session, requester)
      guard let time = Interval(seconds: message.seconds), time <= .seconds(3600) else {
        throw BrokerError(.invalidParams, "seconds: expected a number from 0 to 3600")
      }
      guard let scene = scenes[message.session], let callback = scene.pendingCallback else {
        throw BrokerError(.requestDenied, "no callback of \(label(of: message.session)) is pending")
      }
      effects.timers.append(.extend(.callback(scene.holder, callback.number), time))
      reply(requester, .empty, about: message.session)
    } catch {
      refuse(requester, error)
    }
  }
}
