package import SceneModel

/// How a scene moves along the line: one callback at a time, each sent when the one before was answered.
extension Broker {
  /// Says where a scene should be. It turns round at its next step, unless it is on its way to a discard or a shutdown.
  mutating func aim(
    _ identifier: SessionIdentifier, at target: ActivationState, departure: Departure? = nil,
    by asker: Asker?, reason: String? = nil
  ) throws(BrokerError) {
    guard let scene = scenes[identifier], let session = session(identifier) else {
      throw BrokerError(.sessionNotHeld, "\(identifier) is unattached; activate it first")
    }
    if let going = scene.departure, going.isFinal, departure?.isFinal != true {
      throw going.reason == .shutdown ? shuttingDown : notFound(identifier)
    }
    let target = min(target, session.attributes.role.ceiling)
    scenes[identifier]?.departure = departure
    guard scene.target != target else { return }
    scenes[identifier]?.target = target
    answerArrivals(of: identifier)
    tell(
      .aimed, identifier, reason: reason ?? departure?.reason.rawValue, state: target,
      detail: asker.flatMap { peers[$0.connection]?.client }.map { "by \($0.name) \($0.pid)" })
    noteChange(of: identifier)
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
    let isWalking = scene.state != scene.target
    if scene.target > .unattached, scene.state > .unattached,
      let callback = nextDelivery(identifier, atRest: !isWalking)
    {
      return run(callback, identifier)
    }
    if let step = Line.next(from: scene.state, toward: scene.target) {
      run(callback(step, identifier, scene), identifier)
    } else {
      answerArrivals(of: identifier)
    }
  }

  /// A scene that is to be discarded need not say where it was, and settings start afresh each time.
  private func asksForActivity(_ identifier: SessionIdentifier) -> Bool {
    guard let session = stored[identifier] else { return false }
    return session.attributes.configuration.kind != .settings
      && scenes[identifier]?.departure?.reason != .discarded
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
    case .stateRestorationActivity, .willContinueUserActivity, .continueUserActivity:
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
    let (name, role) = (session.attributes.configuration.name, session.attributes.role)
    if let current = manifest.configuration(named: name, for: role) {
      message.sceneSession.configuration = current
    } else if let standard = manifest.configurations(for: role).first {
      message.sceneSession.configuration = standard
      message.missingConfiguration = name
    }
    if session.attributes.configuration.kind == .settings {
      message.sceneSession.stateRestorationActivity = nil
    }
    return message
  }

  private mutating func run(_ callback: Callback, _ identifier: SessionIdentifier) {
    guard let holder = scenes[identifier]?.holder,
      let number = peers[holder]?.begin(callback.kind, of: identifier)
    else { return }
    scenes[identifier]?.running = RunningCallback(identifier: number, kind: callback.kind)
    send(
      .callback(number, callback, budget: manifest.budgets.budget(for: callback.kind)),
      to: holder, about: identifier)
    tell(.callback, identifier, callback: callback.kind, reason: reason(of: callback))
  }

  private func reason(of callback: Callback) -> String? {
    switch callback {
    case .willConnect(let message): message.reason.rawValue
    case .didDisconnect(let message): message.reason.rawValue
    case .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground,
      .stateRestorationActivity, .willContinueUserActivity, .continueUserActivity:
      nil
    }
  }

  // MARK: - Deliveries

  /// Puts something into the queue of a connected scene.
  mutating func deliver(
    _ delivery: Delivery, to identifier: SessionIdentifier
  ) throws(BrokerError) {
    guard let scene = scenes[identifier] else { return }
    guard scene.deliveries.count < limits.deliveries else {
      throw BrokerError(
        .tooMany, "\(limits.deliveries) things already wait to be delivered to \(identifier)")
    }
    scenes[identifier]?.deliveries.append(delivery)
  }

  /// What goes out now: on the way only what was queued when the last step was acknowledged.
  private mutating func nextDelivery(_ identifier: SessionIdentifier, atRest: Bool) -> Callback? {
    guard let scene = scenes[identifier], let first = scene.deliveries.first,
      atRest || scene.readyDeliveries > 0
    else { return nil }
    if first.callbacks.count > 1 {
      return scenes[identifier]?.deliveries[0].callbacks.removeFirst()
    }
    scenes[identifier]?.deliveries.removeFirst()
    scenes[identifier]?.readyDeliveries = max(0, scene.readyDeliveries - 1)
    return first.callbacks.first
  }

  // MARK: - Answers

  mutating func take(
    _ answer: CallbackAnswer, to callback: Int64, from connection: ConnectionIdentifier
  ) {
    guard let peer = peers[connection] else { return }
    guard peer.sent(callback) else { return violate(connection, callback) }
    guard let (identifier, kind) = peers[connection]?.end(callback) else { return }
    guard let scene = scenes[identifier], scene.holder == connection else { return }
    guard scene.running?.identifier == callback else {
      if scene.lateAsk == callback { takeActivity(answer, for: identifier) }
      return
    }
    effects.timers.append(.cancel(.callback(connection, callback)))
    scenes[identifier]?.running = nil
    switch answer {
    case .done, .activity: tell(.acknowledged, identifier, callback: kind)
    case .failed(let message): tell(.failed, identifier, callback: kind, detail: message)
    }
    finish(kind, of: identifier, answer)
  }

  private mutating func violate(_ connection: ConnectionIdentifier, _ callback: Int64) {
    send(
      .error(
        nil,
        BrokerError(.invalidRequest, "a reply to request \(callback), which was never sent")),
      to: connection, about: nil)
    effects.closes.append(connection)
  }

  private mutating func finish(
    _ kind: CallbackKind, of identifier: SessionIdentifier, _ answer: CallbackAnswer
  ) {
    switch kind {
    case .willConnect:
      if case .failed(let message) = answer { return refused(identifier, message) }
      arrive(identifier, at: .background)
    case .didDisconnect:
      let reason = scenes[identifier]?.departure?.reason ?? .clientRequest
      return end(identifier, SessionEnd(reason: reason), answered: true)
    case .didEnterBackground:
      arrive(identifier, at: .background)
      scenes[identifier]?.mustAsk = true
    case .willEnterForeground, .willResignActive:
      arrive(identifier, at: .foregroundInactive)
    case .didBecomeActive:
      arrive(identifier, at: .foregroundActive)
    case .stateRestorationActivity:
      scenes[identifier]?.mustAsk = false
      takeActivity(answer, for: identifier)
    case .willContinueUserActivity, .continueUserActivity:
      break
    }
    walk(identifier)
  }

  private mutating func arrive(_ identifier: SessionIdentifier, at state: ActivationState) {
    guard var scene = scenes[identifier] else { return }
    census.remove(scene.state)
    census.add(state)
    scene.state = state
    scene.readyDeliveries = scene.deliveries.count
    scenes[identifier] = scene
    noteChange(of: identifier)
  }

  /// Tells everybody who waits for a scene's target where it is: there, or somewhere else because the target was moved.
  mutating func answerArrivals(of identifier: SessionIdentifier) {
    guard let scene = scenes[identifier], !scene.arrivals.isEmpty else { return }
    scenes[identifier]?.arrivals = []
    for arrival in scene.arrivals { answer(arrival, identifier, state: scene.state) }
  }

  mutating func answer(
    _ arrival: Arrival, _ identifier: SessionIdentifier, state: ActivationState
  ) {
    let asker = Asker(connection: arrival.connection, request: arrival.request)
    switch arrival.answer {
    case .transition:
      reply(asker, .moved(SceneTransition.Reply(state: state)), about: identifier)
    case .activation(let isNew):
      reply(
        asker, .activated(RequestActivation.Reply(session: identifier, isNew: isNew)),
        about: identifier)
    case .group(let number):
      if let done = groups.arrive(number) { replyAboutAll(done.asker, done.reply) }
    }
  }

  // MARK: - Quiet

  mutating func answerSettlers() {
    guard !settlers.isEmpty else { return }
    let quiet = settlers.filter { isQuiet(but: $0.asker.connection) }
    guard !quiet.isEmpty else { return }
    settlers.removeAll { quiet.contains($0) }
    for settler in quiet { replyAboutAll(settler.asker, .empty) }
  }

  /// Whether no walk is under way and nothing is queued, but for the scenes of one client and what only time can end.
  private func isQuiet(but connection: ConnectionIdentifier) -> Bool {
    let decidable = waiting.requests.contains {
      guard case .session(let identifier) = $0.cause else { return true }
      return reserved[identifier] == nil
    }
    return !decidable && creations.isEmpty
      && scenes.values.allSatisfy { $0.isAtRest || $0.holder == connection }
  }
}

extension Budgets {
  package func budget(for kind: CallbackKind) -> Interval {
    special[kind.rawValue] ?? (kind == .willConnect ? connect : standard)
  }
}
