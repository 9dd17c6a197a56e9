import JSON
import SceneModel

/// How a scene ends: in order, by its client's word, or without one. The session stays, unless it
/// is discarded.
extension Broker {
  /// A scene is no more. Whoever waited for it is answered, and what waited for its end is tried.
  /// `denial` is for those who wanted it brought; a session that is `abandoned` goes with it. Not
  /// `retrying` what waited is for a caller who has something to do or to say before.
  mutating func end(
    _ identifier: SessionIdentifier, _ end: SessionEnd, answered: Bool,
    denial: BrokerError? = nil, abandoned: Bool = false, retrying: Bool = true,
    by asker: Asker? = nil
  ) {
    guard let scene = detach(identifier, end, answered: answered, by: asker) else { return }
    // First of all: what is answered speaks of it.
    if departing.remove(identifier) {
      forget(identifier)
    } else if abandoned {
      abandon(identifier, end.reason)
    }
    for arrival in scene.arrivals {
      if let denial, case .activation = arrival.answer {
        refuse(arrival.asker, denial)
      } else {
        answerGone(arrival, identifier)
      }
    }
    if retrying { retryWaiting(for: identifier) }
    stopIfDone()
  }

  /// Takes a scene away from its client, and says in the record why.
  mutating func detach(
    _ identifier: SessionIdentifier, _ end: SessionEnd, answered: Bool, by asker: Asker? = nil
  ) -> LiveScene? {
    guard let scene = scenes[identifier] else { return nil }
    var end = end
    // An end that another client asked for has not come of a signal.
    if asker == nil, end.reason == .connectionLost || end.reason == .clientRequest {
      end.signal = signalThatEnds(scene.holder)
    }
    if let running = scene.running {
      _ = peers[scene.holder]?.end(running.identifier)
      effects.timers.append(.cancel(.callback(scene.holder, running.identifier)))
    }
    if let lateAsk = scene.lateAsk { _ = peers[scene.holder]?.end(lateAsk) }
    for assertion in scene.assertions {
      effects.timers.append(.cancel(.assertion(identifier, assertion.identifier)))
    }
    ceaseObserving(with: identifier, of: scene.holder)
    if let launch = scene.bringing?.launch { programs.decide(launch) }
    scenes[identifier] = nil
    census.remove(scene.state)
    peers[scene.holder]?.held.removeAll { $0 == identifier }
    lastHolders[identifier] = answered ? scene.holder : nil
    recordEnd(of: identifier, end, of: scene, answered: answered)
    tellDelegate(
      .sceneDisconnected(SceneDisconnected(session: identifier, end: end)), about: identifier)
    if let exit = end.exit { tellDelegate(exit, of: identifier) }
    tell(
      .disconnected, identifier, client: scene.holder,
      callback: end.callback.flatMap(CallbackKind.init(rawValue:)), reason: end.reason.rawValue,
      by: asker, sender: end.killer, detail: end.exit.map { "its process \($0)" })
    noteChange(of: identifier)
    return scene
  }

  /// Once for each hold. Without a scene it is the broker's own end that ended it, which says nothing
  /// about its client.
  mutating func recordEnd(
    of identifier: SessionIdentifier, _ end: SessionEnd, of scene: LiveScene? = nil,
    answered: Bool = false
  ) {
    guard var tenure = stored[identifier]?.tenure, let holder = tenure.holder else { return }
    tenure.holder = nil
    tenure.formerHolder = answered ? holder : nil
    tenure.end = end
    if let scene {
      if end.reason == .connectionLost, !scene.hasArrived {
        // An activity that this client was not given has not ended it.
        if scene.givenGeneration == stored[identifier]?.generation { tenure.earlyEnds += 1 }
      } else if scene.hasArrived || end.reason.isByClient {
        tenure.earlyEnds = 0
      }
    }
    touch(&tenure)
    record(.held(tenure))
  }

  /// A new session that came to nothing leaves nothing behind, unless something was saved in it.
  mutating func abandon(_ identifier: SessionIdentifier, _ reason: DisconnectReason) {
    guard let session = stored[identifier], session.generations.isEmpty else { return }
    record(.discard(Discard(session: identifier)))
    tell(.discarded, identifier, gone: session, reason: reason.rawValue)
    noteChange(of: identifier)
    forget(identifier)
  }

  mutating func forget(_ identifier: SessionIdentifier) {
    effects.dataDirectories.append(.remove(identifier, after: recordCount))
    listing = nil
    story.forget(identifier)
    lastHolders[identifier] = nil
  }

  /// Ends a scene at once: its client is told, and not waited for. A new session that was on its way
  /// to a host has come to nothing.
  mutating func cut(
    _ identifier: SessionIdentifier, _ end: SessionEnd, by asker: Asker? = nil
  ) {
    tellDisconnected(identifier, end)
    let abandoned = scenes[identifier]?.bringing?.isNew == true
    self.end(identifier, end, answered: false, abandoned: abandoned, by: asker)
  }

  /// Ends a scene because somebody else is about to be its session's: what waits for the session
  /// finds it held again.
  mutating func replace(_ identifier: SessionIdentifier, by asker: Asker) {
    let end = SessionEnd(reason: .replaced)
    tellDisconnected(identifier, end)
    // A process that has come back on another connection has taken nothing from anybody.
    let isOwn =
      scenes[identifier].flatMap { peers[$0.holder]?.process } == peers[asker.connection]?.process
    guard
      let scene = detach(identifier, end, answered: false, by: isOwn ? nil : asker)
    else { return }
    for arrival in scene.arrivals { answerGone(arrival, identifier, isHeldAgain: true) }
  }

  /// Sends the last callback without waiting for its answer. It speaks of the end's record, which
  /// therefore comes first.
  mutating func tellDisconnected(_ identifier: SessionIdentifier, _ end: SessionEnd) {
    guard let scene = scenes[identifier], !scene.isLeaving,
      let number = peers[scene.holder]?.tell()
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

  mutating func disconnect(_ message: SceneDisconnect, _ asker: Asker) {
    do throws(BrokerError) {
      try checkMayChange(message.session, asker)
      guard let scene = scenes[message.session] else { throw unattached(message.session) }
      try saveParting(message.activity, of: message.session, asker)
      let end = SessionEnd(reason: .clientRequest)
      if scene.holder != asker.connection {
        // Whose scene somebody else gives up has to be told.
        cut(message.session, end, by: asker)
      } else if scene.bringing != nil {
        tryNextHost(message.session, end)
      } else {
        self.end(message.session, end, answered: true, retrying: false)
      }
      reply(asker, .empty, about: message.session)
      // Not before the reply: the asker may be the one who is given the session again.
      retryWaiting(for: message.session)
    } catch {
      refuse(asker, error)
    }
  }

  /// What cannot be saved leaves the scene where it is. A session that is being discarded has
  /// nothing to be saved for.
  private mutating func saveParting(
    _ activity: Presence<Activity>, of identifier: SessionIdentifier, _ asker: Asker
  ) throws(BrokerError) {
    guard stored.contains(identifier) else { return }
    let advice = "disconnect without it, or save it first"
    switch activity {
    case .absent: break
    case .null: try saveFirst(nil, of: identifier, asker, orElse: advice)
    case .value(let activity): try saveFirst(activity, of: identifier, asker, orElse: advice)
    }
  }

  // MARK: - Without a word

  /// It will not answer anything: it is nobody to be asked, or to be given scenes.
  mutating func finish(_ connection: ConnectionIdentifier) {
    peers[connection]?.isSilent = true
    if delegate?.connection == connection { loseDelegate() }
  }

  /// A connection is gone: its scenes end in the order in which they were used.
  mutating func close(_ connection: ConnectionIdentifier, _ reason: DisconnectReason) {
    guard let peer = peers[connection] else { return }
    // What is tried again meanwhile must not be given to it.
    peers[connection]?.isLeft = true
    dropWaiting(of: connection)
    dropCreations(of: connection)
    settlers.removeAll { $0.asker.connection == connection }
    forgetObserver(connection)
    sessionObservers.remove(connection)
    traceObservers.remove(connection)
    noteLost(by: peer)
    for identifier in inOrderOfUse(peer.held) {
      let exit = reason == .connectionLost ? peer.exit : nil
      tryNextHost(identifier, SessionEnd(reason: reason, exit: exit))
    }
    if delegate?.connection == connection { loseDelegate() }
    // Who had nothing to lose has just gone.
    let isPlain = peer.held.isEmpty && reason == .connectionLost
    if peer.client != nil {
      tell(.left, client: connection, reason: isPlain ? nil : reason.rawValue)
    }
    peers[connection] = nil
    retryWaiting(forEndOf: connection)
  }

  // MARK: - Out of time

  /// A callback was not answered within its budget.
  mutating func overrun(
    _ callback: Int64, on connection: ConnectionIdentifier, debugged: Bool
  ) {
    if delegate?.connection == connection, delegate?.running?.number == callback {
      return overrunDelegate(callback, debugged: debugged)
    }
    guard let kind = peers[connection]?.kind(of: callback),
      let identifier = peers[connection]?.session(of: callback),
      let scene = scenes[identifier], scene.running?.identifier == callback
    else { return }
    guard !debugged else {
      let budget = manifest.budgets.budget(for: kind)
      return effects.timers.append(.set(.callback(connection, callback), budget))
    }
    tell(.overran, identifier, callback: kind)
    guard kind != .stateRestorationActivity else {
      return giveUpAsking(identifier, callback, on: connection)
    }
    peers[connection]?.isSilent = true
    let end = SessionEnd(reason: .watchdog, callback: kind.rawValue)
    tellDisconnected(identifier, end)
    tryNextHost(identifier, end)
  }

  /// Asking has a budget but no watchdog: the walk goes on, and a late answer still counts.
  private mutating func giveUpAsking(
    _ identifier: SessionIdentifier, _ callback: Int64, on connection: ConnectionIdentifier
  ) {
    if let earlier = scenes[identifier]?.lateAsk { _ = peers[connection]?.end(earlier) }
    scenes[identifier]?.lateAsk = callback
    scenes[identifier]?.running = nil
    scenes[identifier]?.mustAsk = false
    walk(identifier)
  }

  mutating func extend(_ message: SceneExtend, _ asker: Asker) {
    do throws(BrokerError) {
      try checkMayChange(message.session, asker)
      guard let time = Interval(seconds: message.seconds), time <= .seconds(3600) else {
        throw BrokerError(.invalidParams, "seconds: expected a number from 0 to 3600")
      }
      guard let scene = scenes[message.session], let running = scene.running else {
        throw BrokerError(.requestDenied, "no callback of \(label(of: message.session)) is running")
      }
      effects.timers.append(.extend(.callback(scene.holder, running.identifier), time))
      reply(asker, .empty, about: message.session)
    } catch {
      refuse(asker, error)
    }
  }
}
