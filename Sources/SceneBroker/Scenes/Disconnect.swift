import SceneModel

/// The end of a scene: by a callback, by a request, or without either. The session stays, unless it
/// is discarded.
extension Broker {
  /// Ends a scene and answers its waiters. Activations fail with `failure`, if there is one. A
  /// session that is `abandoned` ends with its scene.
  mutating func endScene(
    _ identifier: SessionIdentifier, _ outcome: DisconnectOutcome, answered: Bool,
    failure: BrokerError? = nil, abandoned: Bool = false, by requester: Requester? = nil
  ) {
    guard let scene = scenes[identifier] else { return }
    let launch = clients[scene.holder]?.launch
    guard disconnect(identifier, outcome, answered: answered, by: requester) else { return }
    // The replies below describe the session, so its discard comes first.
    if store.finishDiscard(identifier) {
      removeCaches(of: identifier)
    } else if abandoned {
      discardUnused(identifier, outcome.reason)
    }
    send(pending.ended(identifier), about: identifier, failure: failure)
    restartIfCrashed(identifier, outcome, scene, launch)
    deferred.fulfill(.session(identifier))
    stopIfDone()
  }

  /// Takes a scene away from its client, and records the reason. Returns false without a scene.
  ///
  /// `rehosted` says that the next host gets the content that waits for the scene.
  mutating func disconnect(
    _ identifier: SessionIdentifier, _ outcome: DisconnectOutcome, answered: Bool,
    rehosted: Bool = false, by requester: Requester? = nil
  ) -> Bool {
    guard let scene = scenes[identifier] else { return false }
    var outcome = outcome
    // A signal is not the cause of an end that another client requested.
    if requester == nil, outcome.reason == .connectionLost || outcome.reason == .clientRequest {
      outcome.signal = clients.signal(ending: scene.holder, at: now.monotonic)
    }
    if let callback = scene.pendingCallback {
      clients[scene.holder]?.endCallback(callback.number)
      effects.timers.append(.cancel(.callback(scene.holder, callback.number)))
    }
    if let late = scene.lateActivityRequest { clients[scene.holder]?.endCallback(late) }
    for assertion in scene.assertions {
      effects.timers.append(.cancel(.assertion(identifier, assertion.identifier)))
    }
    topics.ceaseAll(of: identifier, on: scene.holder)
    if let launch = pending.assignment(of: identifier)?.launch { launches.finishStart(launch) }
    scenes.remove(identifier)
    clients.disconnected(
      identifier, from: scene.holder, answered: answered, at: now.monotonic)
    recordEnd(of: identifier, outcome, of: scene, answered: answered)
    notifyDelegate(
      .sceneDisconnected(SceneDisconnected(session: identifier, end: outcome)), about: identifier)
    if let exit = outcome.exit, !exit.isOfClient { notifyDelegate(exit, of: identifier) }
    let queued = rehosted ? [] : pending.queuedCallbacks(of: identifier)
    let lost = lostContent(of: scene, queued)
    trace(.disconnected, identifier, client: scene.holder, by: requester) {
      $0.callback = outcome.callback
      $0.reason = outcome.reason.rawValue
      $0.by = $0.by ?? outcome.killer
      $0.detail = outcome.exit.map { "its process \($0)" } ?? outcome.cause?.words
      if let lost { $0.detail = ($0.detail.map { "\($0); " } ?? "") + lost }
      // The entry of a callback has the content that was sent.
      $0.show(ConnectionOptions(queued.compactMap(\.content)))
    }
    endPings(of: scene)
    markChanged(identifier)
    return true
  }

  /// Names the content that the client has not acknowledged or not got.
  private func lostContent(of scene: SceneStateMachine, _ queued: [Callback]) -> String? {
    var lost: [CallbackKind] = []
    for kind in [scene.pendingCallback?.kind].compactMap(\.self) + queued.map(\.kind)
    where kind.deliversContent && kind != .willContinueUserActivity && !lost.contains(kind) {
      lost.append(kind)
    }
    guard !lost.isEmpty else { return nil }
    return "the content of \(lost.map { "\($0)" }.joined(separator: ", ")) is lost"
  }

  /// Records the end of a hold, once for each hold.
  mutating func recordEnd(
    of identifier: SessionIdentifier, _ outcome: DisconnectOutcome,
    of scene: SceneStateMachine? = nil, answered: Bool = false
  ) {
    guard let session = store[identifier],
      let ended = session.hold.ended(
        outcome, of: scene, newest: session.generation, answered: answered)
    else { return }
    record(.held(store.used(ended, at: now.wall)))
  }

  /// Adds the exit of a process to the end of a scene that ended before.
  mutating func addExit(
    _ exit: ClientExit, toEndOf identifier: SessionIdentifier, _ number: Int64
  ) {
    guard var hold = store[identifier]?.hold, hold.number == number,
      hold.end?.reason == .connectionLost, store.admission(of: .bounded) == nil
    else { return }
    hold.end?.exit = exit
    record(.held(hold))
    markChanged(identifier)
    if !exit.isOfClient { notifyDelegate(exit, of: identifier) }
  }

  /// Ends a scene at once: the client gets the last callback, and the broker does not wait for the
  /// reply. A new session whose host has not accepted it ends as well.
  mutating func disconnectImmediately(
    _ identifier: SessionIdentifier, _ outcome: DisconnectOutcome, by requester: Requester? = nil
  ) {
    sendDisconnected(identifier, outcome)
    let abandoned = pending.assignment(of: identifier)?.isNew == true
    endScene(identifier, outcome, answered: false, abandoned: abandoned, by: requester)
  }

  /// Ends a scene because another client takes the session over. Waiters learn that the session is
  /// held again.
  mutating func replace(_ identifier: SessionIdentifier, by requester: Requester) {
    let outcome = DisconnectOutcome(reason: .replaced)
    sendDisconnected(identifier, outcome)
    // A process that takes over its own session is not traced as the cause.
    let isOwn =
      scenes[identifier].flatMap { clients[$0.holder]?.process }
      == clients[requester.connection]?.process
    guard disconnect(identifier, outcome, answered: false, by: isOwn ? nil : requester) else {
      return
    }
    send(pending.ended(identifier, isHeldAgain: true), about: identifier)
  }

  /// Sends the last callback without waiting for its answer. The message describes the end, so the
  /// record of the end comes first.
  mutating func sendDisconnected(_ identifier: SessionIdentifier, _ outcome: DisconnectOutcome) {
    guard let scene = scenes[identifier], !scene.isLeaving,
      let number = clients[scene.holder]?.numberCallback()
    else { return }
    recordEnd(of: identifier, outcome, of: scene)
    let message = DidDisconnect(session: identifier, reason: outcome.reason)
    send(
      .callback(
        number, Callback(.didDisconnect, message),
        budget: manifest.budgets.budget(for: .didDisconnect)),
      to: scene.holder, about: identifier)
    trace(.callback, identifier) {
      $0.callback = CallbackKind.didDisconnect.rawValue
      $0.reason = outcome.reason.rawValue
    }
  }

  // MARK: - By request

  mutating func disconnect(_ message: SceneDisconnect, _ requester: Requester) throws(BrokerError) {
    let identifier = message.session
    try checkMayChange(identifier, requester)
    guard let holder = scenes[identifier]?.holder else {
      throw BrokerError.unattached(label(of: identifier))
    }
    try checkCause(message.cause, isAllowed: message.exit == nil)
    if let exit = message.exit { try check(exit) }
    try saveLast(message.activity, of: identifier, requester)
    let outcome =
      if let exit = message.exit {
        DisconnectOutcome(reason: .connectionLost, exit: exit)
      } else {
        DisconnectOutcome(reason: .clientRequest, cause: message.cause)
      }
    if holder != requester.connection {
      // The client does not know that its scene ends.
      disconnectImmediately(identifier, outcome, by: requester)
    } else if pending.assignment(of: identifier) != nil {
      tryNextHost(identifier, outcome)
    } else {
      endScene(identifier, outcome, answered: true)
    }
    reply(requester, .empty, about: identifier)
  }

  /// The records of a session have a limited size.
  private func check(_ exit: ClientExit) throws(BrokerError) {
    let isSignal = exit.signal.map { !$0.isEmpty && $0.utf8.count <= 16 } ?? true
    guard isSignal, (exit.status == nil) != (exit.signal == nil) else {
      throw BrokerError(
        .invalidParams, "exit: expected either status, or signal with the name of a signal")
    }
  }

  /// Saves the last activity. If that fails, the scene stays. A discarded session needs no
  /// activity.
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
    clients[connection]?.isOverdue = true
    if delegate.connection == connection { loseDelegate() }
  }

  /// A connection has closed: its scenes end, the least recently used first.
  mutating func closed(
    _ connection: ConnectionIdentifier, _ reason: DisconnectReason, exitFollows: Bool
  ) {
    guard let client = clients[connection] else { return }
    // The requests of the client come first.
    guard resumptionQueue.count(of: connection) == 0 else {
      resumptionQueue.loseReplies(to: connection)
      return resumptionQueue.add(Requester(connection: connection, request: nil)) { broker, _ in
        broker.closed(connection, reason, exitFollows: exitFollows)
      }
    }
    // The next host of its scenes must be another connection.
    clients[connection]?.isClosing = true
    dropRequests(of: connection)
    for session in pendingSessions.removeConnecting(of: connection) {
      deferred.fulfill(.session(session))
    }
    conditionWaiters.drop(.settled, of: connection)
    topics.ceaseAll(of: connection)
    changes.observers.remove(connection)
    traceBuffer.cease(connection)
    let held = client.held
    // The exit of the process may follow.
    if let launch = client.launch, client.exit == nil {
      let holds = held.compactMap { session in store[session].map { (session, $0.hold.number) } }
      launches.connectionClosed(launch, holding: holds)
    }
    if exitFollows { awaitExit(of: connection, holding: held) }
    for identifier in held.isEmpty ? [] : store.inOrderOfUse(held) {
      let exit = reason == .connectionLost ? client.exit : nil
      tryNextHost(identifier, DisconnectOutcome(reason: reason, exit: exit))
    }
    if delegate.connection == connection { loseDelegate() }
    // A client without sessions has simply gone.
    let isPlain = held.isEmpty && reason == .connectionLost
    if client.isInitialized {
      trace(.left, client: connection) { $0.reason = isPlain ? nil : reason.rawValue }
    }
    clients.close(connection)
    // A client that returned without a resume is not the holder any more.
    if client.kind == .scene, !clients.reservations.isEmpty,
      clients.connections(of: [client.process]).isEmpty
    {
      release(reservedFor: client.process)
    }
    for query in deferred.fulfill(endOf: connection) {
      effects.timers.append(.cancel(.livenessQuery(query)))
    }
  }
}

/// The records of a hold.
extension Hold {
  /// The hold of a process that connects or resumes.
  func begun(by process: ClientProcess) -> Hold {
    var hold = self
    hold.holder = process
    hold.end = nil
    hold.previousHolder = nil
    return hold
  }

  /// The hold after its end; nil without a holder. `scene` is nil if the broker's own end ended the
  /// hold, which says nothing about the client. `answered` says whether the client has answered the
  /// disconnection.
  func ended(
    _ outcome: DisconnectOutcome, of scene: SceneStateMachine?, newest generation: Int64?,
    answered: Bool
  ) -> Hold? {
    guard let holder else { return nil }
    var hold = self
    hold.holder = nil
    hold.previousHolder = answered ? holder : nil
    (hold.end, hold.lastEnd) = (outcome, nil)
    guard let scene else { return hold }
    // A client that reports the failure of its program has not failed itself.
    let hasReachedTarget = scene.reachedTarget != nil
    if outcome.reason == .connectionLost, !answered, !hasReachedTarget {
      // An activity that this client did not get has not ended it.
      if scene.restoredGeneration == generation { hold.earlyEnds += 1 }
    } else if hasReachedTarget || outcome.reason.isByClient {
      hold.earlyEnds = 0
    }
    return hold
  }
}
