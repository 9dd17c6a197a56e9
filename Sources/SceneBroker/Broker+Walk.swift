package import SceneModel

/// How a scene moves along the line: one callback at a time, each sent when the one before was
/// answered.
extension Broker {
  /// Says where a scene should be. It turns round at its next step. A discard and a shutdown do
  /// not turn: whoever asks is refused before it comes to this.
  mutating func aim(
    _ identifier: SessionIdentifier, at target: ActivationState, departure: Departure? = nil,
    by asker: Asker?, reason: String? = nil
  ) {
    guard let scene = scenes[identifier], let session = session(identifier) else { return }
    precondition(
      scene.departure?.isFinal != true || departure?.isFinal == true, "what is final was turned")
    // What the client was told stays the reason, and a discard is one until the end.
    if !scene.isLeaving, scene.departure?.reason != .discarded {
      scenes[identifier]?.departure = departure
    }
    if departure?.isFinal == true {
      let isDiscard = departure?.reason == .discarded
      refuseActivations(of: identifier, isDiscard ? notFound(identifier) : shuttingDown)
    }
    let target = min(target, session.attributes.role.ceiling)
    guard scene.target != target else { return }
    scenes[identifier]?.target = target
    tell(
      .aimed, identifier, reason: reason ?? departure?.reason.rawValue, state: target,
      by: asker)
    divertArrivals(of: identifier)
    noteChange(of: identifier)
    enterForeground(identifier)
  }

  func unattached(_ identifier: SessionIdentifier) -> BrokerError {
    BrokerError(.sessionNotHeld, "\(label(of: identifier)) is unattached; activate it first")
  }

  /// Sends what comes next for a scene, if nothing waits for an answer.
  mutating func walk(_ identifier: SessionIdentifier) {
    guard let scene = scenes[identifier], scene.running == nil else { return }
    if scene.mustAsk {
      if asksForActivity(identifier) {
        return run(.stateRestorationActivity(SceneReference(session: identifier)), identifier)
      }
      scenes[identifier]?.mustAsk = false
    }
    if let activity = scene.updates.first {
      scenes[identifier]?.updates.removeFirst()
      return run(
        .didUpdateUserActivity(
          DidUpdateUserActivity(session: identifier, userActivity: activity)), identifier)
    }
    if scene.target > .unattached, scene.state > .unattached,
      let delivery = scenes[identifier]?.deliveries.next(atRest: scene.state == scene.target)
    {
      return run(delivery.callback, identifier, completing: delivery.completes)
    }
    if let step = Line.next(from: scene.state, toward: scene.target) {
      run(callback(step, identifier, scene), identifier)
    } else if scene.mustRefresh {
      run(beginRefresh(of: identifier), identifier)
    } else {
      scenes[identifier]?.hasArrived = true
      if scene.state == .background { mustLookAtBackground = true }
      answerArrivals(of: identifier)
    }
  }

  /// A scene that is to be discarded need not say where it was.
  private func asksForActivity(_ identifier: SessionIdentifier) -> Bool {
    guard let session = stored[identifier] else { return false }
    return isRestored(session)
  }

  /// Settings start afresh each time.
  func isRestored(_ session: StoredSession) -> Bool {
    manifest.currentConfiguration(of: session.attributes).configuration.kind != .settings
  }

  private func callback(
    _ step: CallbackKind, _ identifier: SessionIdentifier, _ scene: LiveScene
  ) -> Callback {
    let reference = SceneReference(session: identifier)
    switch step {
    case .willConnect: return .willConnect(willConnect(identifier, scene))
    case .willEnterForeground: return .willEnterForeground(reference)
    case .didBecomeActive: return .didBecomeActive(reference)
    case .willResignActive: return .willResignActive(reference)
    case .didEnterBackground: return .didEnterBackground(reference)
    case .didDisconnect:
      let reason = scene.departure?.reason ?? .clientRequest
      return .didDisconnect(DidDisconnect(session: identifier, reason: reason))
    case .stateRestorationActivity, .openURLContexts, .willContinueUserActivity,
      .continueUserActivity, .didUpdateUserActivity, .performActionForShortcutItem,
      .didReceiveNotificationResponse, .refresh:
      preconditionFailure("\(step) is not a step of the line")
    }
  }

  private func willConnect(_ identifier: SessionIdentifier, _ scene: LiveScene) -> WillConnect {
    guard let session = session(identifier) else {
      preconditionFailure("a scene without a session")
    }
    var message = WillConnect()
    message.session = identifier
    message.sceneSession = SceneSessionRecord(session)
    message.isNew = scene.isNew
    message.reason = scene.reason
    message.hold = scene.hold
    message.options = scene.options
    let (current, isLost) = manifest.currentConfiguration(of: session.attributes)
    message.sceneSession.configuration = current
    message.missingConfiguration =
      scene.missingConfiguration ?? (isLost ? session.attributes.configuration.name : nil)
    if !isRestored(session) {
      message.sceneSession.stateRestorationActivity = nil
    } else if let withheld = session.withheld {
      message.withheld = withheld
      message.sceneSession.stateRestorationActivity = nil
    }
    return message
  }

  private mutating func run(
    _ callback: Callback, _ identifier: SessionIdentifier, completing delivery: Int64? = nil
  ) {
    guard let holder = scenes[identifier]?.holder,
      let number = peers[holder]?.begin(callback.kind, of: identifier)
    else { return }
    scenes[identifier]?.running = RunningCallback(
      identifier: number, kind: callback.kind, completes: delivery)
    send(
      .callback(number, callback, budget: manifest.budgets.budget(for: callback.kind)),
      to: holder, about: identifier)
    tell(
      .callback, identifier, callback: callback.kind, reason: reason(of: callback),
      hold: hold(handedBy: callback))
  }

  private func hold(handedBy callback: Callback) -> Int64? {
    if case .willConnect(let message) = callback { message.hold } else { nil }
  }

  private func reason(of callback: Callback) -> String? {
    switch callback {
    case .willConnect(let message): message.reason.rawValue
    case .didDisconnect(let message): message.reason.rawValue
    case .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground,
      .stateRestorationActivity, .openURLContexts, .willContinueUserActivity,
      .continueUserActivity, .didUpdateUserActivity, .performActionForShortcutItem,
      .didReceiveNotificationResponse, .refresh:
      nil
    }
  }

  // MARK: - Answers

  mutating func take(
    _ answer: CallbackAnswer, to callback: Int64, from connection: ConnectionIdentifier
  ) {
    guard let peer = peers[connection], !peer.isLeft else { return }
    guard peer.sent(callback) else { return violate(connection, callback) }
    if peer.isSilent { peers[connection]?.isSilent = false }
    if delegate?.connection == connection, takeFromDelegate(answer, to: callback) { return }
    guard let (identifier, kind) = peers[connection]?.end(callback) else { return }
    guard let scene = scenes[identifier], scene.holder == connection else { return }
    guard let running = scene.running, running.identifier == callback else {
      guard scene.lateAsk == callback else { return }
      takeActivity(answer, for: identifier)
      return walk(identifier)
    }
    effects.timers.append(.cancel(.callback(connection, callback)))
    scenes[identifier]?.running = nil
    switch answer {
    case .done, .activity, .launched, .configuration:
      tell(.acknowledged, identifier, callback: kind)
    case .failed(let message): tell(.failed, identifier, callback: kind, detail: message)
    }
    if let delivery = running.completes { delivered(delivery, to: identifier) }
    finish(kind, of: identifier, answer)
  }

  private mutating func violate(_ connection: ConnectionIdentifier, _ callback: Int64) {
    send(
      .error(
        nil,
        BrokerError(.invalidRequest, "a reply to request \(callback), which was never sent")),
      to: connection, about: nil)
    leave(connection)
  }

  /// The connection has been told why; it is to be closed, and not heard any more.
  mutating func leave(_ connection: ConnectionIdentifier) {
    peers[connection]?.isLeft = true
    effects.closes.append(connection)
  }

  private mutating func finish(
    _ kind: CallbackKind, of identifier: SessionIdentifier, _ answer: CallbackAnswer
  ) {
    if kind == .didDisconnect {
      let reason = scenes[identifier]?.departure?.reason ?? .clientRequest
      return end(identifier, SessionEnd(reason: reason), answered: true)
    }
    if kind == .willConnect, case .failed = answer { return refused(identifier) }
    if let state = kind.arrival { arrive(identifier, at: state) }
    if kind == .didEnterBackground { scenes[identifier]?.mustAsk = true }
    if kind == .stateRestorationActivity {
      scenes[identifier]?.mustAsk = false
      takeActivity(answer, for: identifier)
    }
    walk(identifier)
  }

  private mutating func arrive(_ identifier: SessionIdentifier, at state: ActivationState) {
    guard let before = scenes[identifier]?.state else { return }
    census.remove(before)
    census.add(state)
    scenes[identifier]?.state = state
    scenes[identifier]?.backgroundSince = nil
    if state == .background { noteBackground(identifier) }
    scenes[identifier]?.deliveries.makeReady()
    // It is one of the client's own from here on.
    if let launch = scenes[identifier]?.bringing?.launch { programs.decide(launch) }
    scenes[identifier]?.bringing = nil
    noteChange(of: identifier)
    if before == .background { catchUp(identifier) }
  }
}

extension Budgets {
  /// How long a client may take over a callback.
  package func budget(for kind: CallbackKind) -> Interval {
    special[kind.rawValue] ?? (kind == .willConnect ? connect : standard)
  }
}
