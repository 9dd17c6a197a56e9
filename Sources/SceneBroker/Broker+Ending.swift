import JSON
import SceneModel

/// How a scene ends: in order, by its client's word, or without one. The session stays, unless it is discarded.
extension Broker {
  /// A scene is no more. Whoever waited for it is answered, and what waited for its end is tried.
  mutating func end(_ identifier: SessionIdentifier, _ end: SessionEnd, answered: Bool) {
    guard let scene = detach(identifier, end, answered: answered) else { return }
    for arrival in scene.arrivals { answerGone(arrival, identifier) }
    if departing.removeValue(forKey: identifier) != nil {
      forget(identifier)
    }
    retryWaiting(for: identifier)
    stopIfDone()
  }

  /// Takes a scene away from its client, and says in the record why.
  @discardableResult
  mutating func detach(
    _ identifier: SessionIdentifier, _ end: SessionEnd, answered: Bool
  ) -> LiveScene? {
    guard let scene = scenes[identifier] else { return nil }
    if let running = scene.running {
      _ = peers[scene.holder]?.end(running.identifier)
      effects.timers.append(.cancel(.callback(scene.holder, running.identifier)))
    }
    if let lateAsk = scene.lateAsk { _ = peers[scene.holder]?.end(lateAsk) }
    scenes[identifier] = nil
    census.remove(scene.state)
    peers[scene.holder]?.held.removeAll { $0 == identifier }
    lastHolders[identifier] = answered ? scene.holder : nil
    recordEnd(of: identifier, end)
    tell(
      .disconnected, identifier, client: scene.holder,
      callback: end.callback.flatMap(CallbackKind.init(rawValue:)), reason: end.reason.rawValue)
    noteChange(of: identifier)
    return scene
  }

  mutating func recordEnd(of identifier: SessionIdentifier, _ end: SessionEnd) {
    guard var tenure = stored[identifier]?.tenure else { return }
    tenure.holder = nil
    tenure.end = end
    touch(&tenure)
    record(.held(tenure))
  }

  private mutating func answerGone(_ arrival: Arrival, _ identifier: SessionIdentifier) {
    switch arrival.answer {
    case .transition, .group:
      answer(arrival, identifier, state: .unattached)
    case .activation:
      refuse(
        Asker(connection: arrival.connection, request: arrival.request),
        BrokerError(
          .sessionNotHeld, "the scene of \(identifier) went before it arrived", retry: .now))
    }
  }

  /// Ends a scene at once: its client is told, and not waited for.
  mutating func cut(_ identifier: SessionIdentifier, reason: DisconnectReason) {
    cut(identifier, SessionEnd(reason: reason), answered: reason == .replaced)
  }

  private mutating func cut(
    _ identifier: SessionIdentifier, _ end: SessionEnd, answered: Bool
  ) {
    tellDisconnected(identifier, end.reason)
    self.end(identifier, end, answered: answered)
  }

  /// Sends the last callback without waiting for its answer.
  private mutating func tellDisconnected(
    _ identifier: SessionIdentifier, _ reason: DisconnectReason
  ) {
    guard let scene = scenes[identifier], !scene.isLeaving,
      let number = peers[scene.holder]?.begin(.didDisconnect, of: identifier)
    else { return }
    _ = peers[scene.holder]?.end(number)
    let message = DidDisconnect(session: identifier, reason: reason)
    send(
      .callback(
        number, .didDisconnect(message), budget: manifest.budgets.budget(for: .didDisconnect)),
      to: scene.holder, about: identifier)
    tell(.callback, identifier, callback: .didDisconnect, reason: reason.rawValue)
  }

  // MARK: - The client's word

  mutating func disconnect(_ message: SceneDisconnect, _ asker: Asker) {
    do throws(BrokerError) {
      _ = try sessionToChange(message.session, asker)
      guard scenes[message.session] != nil else {
        throw BrokerError(.sessionNotHeld, "\(message.session) is unattached already")
      }
      switch message.activity {
      case .absent: break
      case .null: _ = try saveIfPossible(nil, for: message.session)
      case .value(let activity): _ = try saveIfPossible(activity, for: message.session)
      }
      end(message.session, SessionEnd(reason: .clientRequest), answered: true)
      reply(asker, .empty, about: message.session)
    } catch {
      refuse(asker, error)
    }
  }

  // MARK: - Without a word

  /// A connection is gone: its scenes end in the order in which they were used.
  mutating func close(_ connection: ConnectionIdentifier, _ reason: DisconnectReason) {
    guard let peer = peers[connection] else { return }
    let held = peer.held.sorted { useOrder($0) < useOrder($1) }
    waiting.remove(of: connection)
    settlers.removeAll { $0.asker.connection == connection }
    sessionObservers.remove(connection)
    traceObservers.remove(connection)
    for identifier in held { lose(identifier, reason) }
    if peer.client != nil { tell(.left, client: connection, reason: reason.rawValue) }
    peers[connection] = nil
    for (identifier, holder) in lastHolders where holder == connection {
      lastHolders[identifier] = nil
    }
    retryWaiting(forEndOf: connection)
  }

  private func useOrder(_ identifier: SessionIdentifier) -> Int64 {
    session(identifier)?.tenure.order ?? 0
  }

  private mutating func lose(_ identifier: SessionIdentifier, _ reason: DisconnectReason) {
    guard let scene = scenes[identifier] else { return }
    let end = SessionEnd(reason: reason)
    guard scene.state == .unattached, scene.bringing != nil else {
      return self.end(identifier, end, answered: false)
    }
    tryNextHost(identifier, end)
  }

  // MARK: - Out of time

  /// A callback was not answered within its budget.
  mutating func overrun(
    _ callback: Int64, on connection: ConnectionIdentifier, debugged: Bool
  ) {
    guard let kind = peers[connection]?.kind(of: callback),
      let identifier = peers[connection]?.session(of: callback),
      let scene = scenes[identifier], scene.running?.identifier == callback
    else { return }
    guard !debugged else {
      let budget = manifest.budgets.budget(for: kind)
      return effects.timers.append(.set(.callback(connection, callback), budget))
    }
    tell(.overran, identifier, callback: kind)
    switch kind {
    case .stateRestorationActivity:
      giveUpAsking(identifier, callback, on: connection)
    case .willConnect where scene.bringing != nil:
      tellDisconnected(identifier, .watchdog)
      tryNextHost(identifier, SessionEnd(reason: .watchdog, callback: kind.rawValue))
    case .willConnect, .willEnterForeground, .didBecomeActive, .willResignActive,
      .didEnterBackground, .didDisconnect, .willContinueUserActivity, .continueUserActivity:
      cut(identifier, SessionEnd(reason: .watchdog, callback: kind.rawValue), answered: false)
    }
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
      _ = try sessionToChange(message.session, asker)
      guard let time = Interval(seconds: message.seconds), time <= .seconds(3600) else {
        throw BrokerError(.invalidParams, "seconds: expected a number from 0 to 3600")
      }
      guard let scene = scenes[message.session], let running = scene.running else {
        throw BrokerError(.requestDenied, "no callback of \(message.session) is running")
      }
      effects.timers.append(.set(.callback(scene.holder, running.identifier), time))
      reply(asker, .empty, about: message.session)
    } catch {
      refuse(asker, error)
    }
  }

  // MARK: - For good

  mutating func destroy(_ message: RequestDestruction, _ asker: Asker) {
    do throws(BrokerError) {
      for identifier in message.sessions where stored[identifier] == nil {
        throw notFound(identifier)
      }
      if let error = storageRefusal(growing: false) { throw error }
      let sessions = Set(message.sessions).sorted()
      let own = peers[asker.connection]?.held ?? []
      let awaited = sessions.filter { scenes[$0] != nil && !own.contains($0) }
      guard !awaited.isEmpty else {
        for identifier in sessions { try discard(identifier, asker, arrival: nil) }
        return replyAboutAll(asker, .empty)
      }
      let group = groups.open(asker, .empty, count: awaited.count)
      for identifier in sessions {
        let isAwaited = awaited.contains(identifier)
        let arrival = Arrival(
          connection: asker.connection, request: asker.request, answer: .group(group))
        try discard(identifier, asker, arrival: isAwaited ? arrival : nil)
      }
    } catch {
      refuse(asker, error)
    }
  }

  /// From here on the session is gone from the disk. While its scene goes down the line it is still listed.
  mutating func discard(
    _ identifier: SessionIdentifier, _ asker: Asker?, arrival: Arrival?
  ) throws(BrokerError) {
    guard let session = stored[identifier] else { throw notFound(identifier) }
    if scenes[identifier] != nil { departing[identifier] = session }
    record(.discard(Discard(session: identifier)))
    tell(.discarded, identifier, gone: session)
    reserved[identifier] = nil
    noteChange(of: identifier)
    guard let scene = scenes[identifier] else {
      forget(identifier)
      return retryWaiting(for: identifier)
    }
    let departure = Departure(reason: .discarded)
    if scene.target == .unattached {
      scenes[identifier]?.departure = departure
    } else {
      try aim(identifier, at: .unattached, departure: departure, by: asker)
    }
    if let arrival { scenes[identifier]?.arrivals.append(arrival) }
    walk(identifier)
  }

  mutating func forget(_ identifier: SessionIdentifier) {
    story.forget(identifier)
    lastHolders[identifier] = nil
  }
}
