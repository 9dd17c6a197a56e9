package import SceneModel

/// Performs what the state machines of the scenes decide.
extension Broker {
  /// Sets the target of a scene, which turns at its next step.
  mutating func setTarget(
    of identifier: SessionIdentifier, to target: ActivationState, departure: Departure? = nil,
    by requester: Requester?, reason: String? = nil
  ) {
    guard let scene = scenes[identifier], let session = store.listed(identifier) else { return }
    let target = min(target, session.attributes.role.ceiling)
    let hasChanged =
      scenes.modify(identifier) { $0.setTarget(target, departure: departure) } == true
    if departure?.isFinal == true {
      let isDiscard = departure?.reason == .discarded
      let error = isDiscard ? notFound(identifier) : shuttingDown
      for requester in pending.removeActivations(of: identifier) { refuse(requester, error) }
    }
    guard hasChanged else { return }
    tell(
      .aimed, identifier, reason: reason ?? departure?.reason.rawValue, state: target,
      by: requester)
    send(pending.superseded(identifier, in: scene.state), about: identifier)
    noteChange(of: identifier)
    enterForeground(identifier)
  }

  func unattached(_ identifier: SessionIdentifier) -> BrokerError {
    BrokerError(.sessionNotHeld, "\(label(of: identifier)) is unattached; activate it first")
  }

  /// Performs the next action of a scene.
  mutating func advanceLifecycle(of identifier: SessionIdentifier) {
    switch scenes.next(identifier, &pending) {
    case .wait, nil: break
    case .requestActivity:
      guard asksForActivity(identifier) else {
        scenes.modify(identifier) { $0.skipActivity() }
        return advanceLifecycle(of: identifier)
      }
      sendCallback(.stateRestorationActivity(SceneReference(session: identifier)), identifier)
    case .updateActivity(let activity):
      sendCallback(
        .didUpdateUserActivity(
          DidUpdateUserActivity(session: identifier, userActivity: activity)), identifier)
    case .deliver(let callback, let delivery):
      sendCallback(callback, identifier, completing: delivery)
    case .step(let step):
      guard let scene = scenes[identifier] else { return }
      sendCallback(callback(step, identifier, scene), identifier)
    case .refresh: sendCallback(beginRefresh(of: identifier), identifier)
    case .rest:
      guard let state = scenes.state(of: identifier) else { return }
      if state == .background { scenes.requestReclaimCheck() }
      send(pending.completed(identifier, in: state), about: identifier)
    }
  }

  /// A scene that is to be discarded need not say where it was.
  private func asksForActivity(_ identifier: SessionIdentifier) -> Bool {
    guard let session = store[identifier] else { return false }
    return isRestored(session)
  }

  /// Settings start afresh each time.
  func isRestored(_ session: StoredSession) -> Bool {
    manifest.currentConfiguration(of: session.attributes).configuration.kind != .settings
  }

  private func callback(
    _ step: CallbackKind, _ identifier: SessionIdentifier, _ scene: SceneStateMachine
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
      preconditionFailure("\(step) is not a life-cycle step")
    }
  }

  private func willConnect(_ identifier: SessionIdentifier, _ scene: SceneStateMachine)
    -> WillConnect
  {
    guard let session = store.listed(identifier) else {
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
    guard clients.received(from: connection) != nil else { return }
    guard clients.hasSent(callback, to: connection) else { return violate(connection, callback) }
    if delegate.connection == connection, takeFromDelegate(answer, to: callback) { return }
    guard let (identifier, kind) = clients.endCallback(callback, on: connection) else { return }
    guard let scene = scenes[identifier], scene.holder == connection else { return }
    guard let pendingCallback = scene.pendingCallback, pendingCallback.number == callback else {
      guard scene.lateActivityRequest == callback else { return }
      takeActivity(answer, for: identifier)
      return advanceLifecycle(of: identifier)
    }
    effects.timers.append(.cancel(.callback(connection, callback)))
    let outcome = scenes.replied(identifier, hasFailed: answer.isFailure, at: now.monotonic)
    switch answer {
    case .done, .activity, .launched, .configuration:
      tell(.acknowledged, identifier, callback: kind)
    case .failed(let message): tell(.failed, identifier, callback: kind, detail: message)
    }
    if let delivery = pendingCallback.completes {
      send(pending.delivered(delivery, to: identifier, in: scene.state), about: identifier)
    }
    switch outcome {
    case .disconnected(let reason):
      end(identifier, SessionEnd(reason: reason), answered: true)
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

  private mutating func violate(_ connection: ConnectionIdentifier, _ callback: Int64) {
    send(
      .error(
        nil,
        BrokerError(
          .invalidRequest,
          "the client replied to request \(callback), which the broker never sent")),
      to: connection, about: nil)
    leave(connection)
  }

  /// The connection has been told why; it is to be closed, and not heard any more.
  mutating func leave(_ connection: ConnectionIdentifier) {
    clients.setClosing(connection)
    effects.closes.append(connection)
  }

  private mutating func didStep(_ identifier: SessionIdentifier, from before: ActivationState) {
    pending.stepped(identifier)
    // The host has accepted the scene, so the search for a host is over.
    if let launch = pending.removeAssignment(of: identifier) { launches.finishStart(launch) }
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
