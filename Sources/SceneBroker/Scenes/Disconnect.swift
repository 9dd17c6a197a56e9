import SceneModel

/// The end of a scene: by a callback, by a request, or without either. The session stays, unless it
/// is discarded.
extension Broker {
  /// Ends a scene and answers its waiters. Activations fail with `denial`, if there is one. A session
  /// that is `abandoned` ends with its scene.
  mutating func end(
    _ identifier: SessionIdentifier, _ end: SessionEnd, answered: Bool,
    denial: BrokerError? = nil, abandoned: Bool = false, by requester: Requester? = nil
  ) {
    guard detach(identifier, end, answered: answered, by: requester) else { return }
    // The replies below describe the session, so its discard comes first.
    if store.finishDiscard(identifier) {
      removeCaches(of: identifier)
    } else if abandoned {
      discardUnused(identifier, end.reason)
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
    // A signal is not the cause of an end that another client requested.
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
    scenes.remove(identifier)
    clients.disconnected(identifier, from: scene.holder, answered: answered)
    recordEnd(of: identifier, end, of: scene, answered: answered)
    notifyDelegate(
      .sceneDisconnected(SceneDisconnected(session: identifier, end: end)), about: identifier)
    if let exit = end.exit { notifyDelegate(exit, of: identifier) }
    trace(
      .disconnected, identifier, client: scene.holder,
      callback: end.callback.flatMap(CallbackKind.init(rawValue:)), reason: end.reason.rawValue,
      by: requester, sender: end.killer, detail: end.exit.map { "its process \($0)" })
    markChanged(identifier)
    return true
  }

  /// Records the end of a hold, once for each hold.
  mutating func recordEnd(
    of identifier: SessionIdentifier, _ end: SessionEnd, of scene: SceneStateMachine? = nil,
    answered: Bool = false
  ) {
    guard let session = store[identifier],
      let ended = session.hold.ended(
        end, of: scene, newest: session.generation, answered: answered)
    else { return }
    record(.held(store.used(ended, at: now.wall)))
  }

  /// Adds the exit of a process to the end of a scene that ended before.
  mutating func addExit(
    _ exit: ClientExit, toEndOf identifier: SessionIdentifier, _ number: Int64
  ) {
    guard var hold = store[identifier]?.hold, hold.number == number,
      hold.end?.reason == .connectionLost, store.admission(of: .little) == nil
    else { return }
    hold.end?.exit = exit
    record(.held(hold))
    markChanged(identifier)
    notifyDelegate(exit, of: identifier)
  }

  /// Ends a scene at once: its client is told, and not waited for. A new session whose host has not
  /// accepted it ends as well.
  mutating func cut(
    _ identifier: SessionIdentifier, _ end: SessionEnd, by requester: Requester? = nil
  ) {
    sendDisconnected(identifier, end)
    let abandoned = pending.assignment(of: identifier)?.isNew == true
    self.end(identifier, end, answered: false, abandoned: abandoned, by: requester)
  }

  /// Ends a scene because another client takes the session over. Waiters learn that the session is
  /// held again.
  mutating func replace(_ identifier: SessionIdentifier, by requester: Requester) {
    let end = SessionEnd(reason: .replaced)
    sendDisconnected(identifier, end)
    // A process that takes over its own session is not traced as the cause.
    let isOwn =
      scenes.holder(of: identifier).flatMap { clients.process(of: $0) }
      == clients.process(of: requester.connection)
    guard detach(identifier, end, answered: false, by: isOwn ? nil : requester) else { return }
    send(pending.ended(identifier, isHeldAgain: true), about: identifier)
  }

  /// Sends the last callback without waiting for its answer. The message describes the end, so the
  /// record of the end comes first.
  mutating func sendDisconnected(_ identifier: SessionIdentifier, _ end: SessionEnd) {
    guard let scene = scenes[identifier], !scene.isLeaving,
      let number = clients.numberCallback(on: scene.holder)
    else { return }
    recordEnd(of: identifier, end, of: scene)
    let message = DidDisconnect(session: identifier, reason: end.reason)
    send(
      .callback(
        number, .didDisconnect(message), budget: manifest.budgets.budget(for: .didDisconnect)),
      to: scene.holder, about: identifier)
    trace(.callback, identifier, callback: .didDisconnect, reason: end.reason.rawValue)
  }

  // MARK: - By request

  mutating func disconnect(_ message: SceneDisconnect, _ requester: Requester) {
    let identifier = message.session
    do throws(BrokerError) {
      try checkMayChange(identifier, requester)
      guard let holder = scenes.holder(of: identifier) else {
        throw BrokerError.unattached(label(of: identifier))
      }
      try saveLast(message.activity, of: identifier, requester)
      let end = SessionEnd(reason: .clientRequest)
      if holder != requester.connection {
        // The client does not know that its scene ends.
        cut(identifier, end, by: requester)
      } else if pending.assignment(of: identifier) != nil {
        tryNextHost(identifier, end)
      } else {
        self.end(identifier, end, answered: true)
      }
      reply(requester, .empty, about: identifier)
    } catch {
      refuse(requester, error)
    }
  }

  /// Saves the last activity. If that fails, the scene stays. A discarded session needs no activity.
  private mutating func saveLast(
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

  // MARK: - By the end of a connection

  /// The client will send nothing more, so it gets no scenes and no questions.
  mutating func finish(_ connection: ConnectionIdentifier) {
    clients.setUnresponsive(connection)
    if delegate.connection == connection { loseDelegate() }
  }

  /// A connection has closed: its scenes end, the least recently used first.
  mutating func closed(_ connection: ConnectionIdentifier, _ reason: DisconnectReason) {
    guard let client = clients[connection] else { return }
    // The next host of its scenes must be another connection.
    clients.setClosing(connection)
    dropRequests(of: connection)
    pendingSessions.removeConnecting(of: connection)
    completions.drop(.settled, of: connection)
    topics.ceaseAll(of: connection)
    changes.cease(connection)
    traceBuffer.cease(connection)
    let held = client.held
    // The exit of the process may follow.
    if let launch = client.launch, client.exit == nil {
      let holds = held.compactMap { session in store[session].map { (session, $0.hold.number) } }
      launches.connectionClosed(launch, holding: holds)
    }
    for identifier in store.inOrderOfUse(held) {
      let exit = reason == .connectionLost ? client.exit : nil
      tryNextHost(identifier, SessionEnd(reason: reason, exit: exit))
    }
    if delegate.connection == connection { loseDelegate() }
    // A client without sessions has simply gone.
    let isPlain = held.isEmpty && reason == .connectionLost
    if client.isInitialized {
      trace(.left, client: connection, reason: isPlain ? nil : reason.rawValue)
    }
    clients.close(connection)
    for query in deferred.fulfill(endOf: connection) {
      effects.timers.append(.cancel(.livenessQuery(query)))
    }
  }
}
