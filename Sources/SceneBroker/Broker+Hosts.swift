import SceneModel

/// The application wants a scene, and needs a process to make it: who is given it.
extension Broker {
  mutating func activate(
    _ message: RequestActivation, _ asker: Asker, fresh: SessionIdentifier
  ) {
    do throws(BrokerError) {
      try checkForm(of: message)
      guard !isShuttingDown else { throw shuttingDown }
      guard let identifier = try sessionToActivate(message) else {
        return try activateNew(message, asker, fresh: fresh)
      }
      if let role = message.role, role != stored[identifier]?.attributes.role {
        throw BrokerError(.wrongRole, "\(identifier) does not have the role \(role)")
      }
      if let error = storageRefusal(growing: false) { throw error }
      if let scene = scenes[identifier] {
        guard !scene.isLeaving else {
          return wait(for: identifier, message, asker, fresh)
        }
        return try activateConnected(identifier, message, asker)
      }
      guard reserved[identifier] == nil else {
        return wait(for: identifier, message, asker, fresh)
      }
      try activateUnattached(identifier, message, asker)
    } catch {
      refuse(asker, error)
    }
  }

  private func checkForm(of message: RequestActivation) throws(BrokerError) {
    guard message.session == nil || message.name == nil else {
      throw BrokerError(.invalidParams, "session, name: give one of them, or none for a new one")
    }
    try check(name: message.name)
    if let activity = message.userActivity { try check(activity) }
  }

  /// Nil for one that is to be made.
  private func sessionToActivate(
    _ message: RequestActivation
  ) throws(BrokerError) -> SessionIdentifier? {
    if let identifier = message.session {
      guard stored[identifier] != nil else { throw notFound(identifier) }
      return identifier
    }
    guard let name = message.name else { return nil }
    if creations.values.contains(where: { $0.name == name }) {
      throw BrokerError(.sessionInUse, "\(name) is being made right now", retry: .now)
    }
    guard let identifier = session(named: name) else { return nil }
    guard departing[identifier] == nil else {
      throw BrokerError(.sessionInUse, "\(name) is being discarded right now", retry: .now)
    }
    return identifier
  }

  private mutating func wait(
    for identifier: SessionIdentifier, _ message: RequestActivation, _ asker: Asker,
    _ fresh: SessionIdentifier
  ) {
    waiting.add(
      WaitingRequest(
        cause: .session(identifier), request: .activate(message), asker: asker, fresh: fresh))
  }

  // MARK: - A session that is connected

  private mutating func activateConnected(
    _ identifier: SessionIdentifier, _ message: RequestActivation, _ asker: Asker
  ) throws(BrokerError) {
    let background = message.options?.background ?? false
    if let activity = message.userActivity {
      try deliver(Delivery(of: activity, to: identifier), to: identifier)
    }
    if background, scenes[identifier]?.target == .unattached {
      try aim(identifier, at: .background, by: asker, reason: ConnectReason.activation.rawValue)
    } else if !background {
      try aim(
        identifier, at: .foregroundActive, by: asker, reason: ConnectReason.activation.rawValue)
    }
    if var tenure = stored[identifier]?.tenure {
      touch(&tenure)
      record(.held(tenure))
    }
    let answer = Arrival(
      connection: asker.connection, request: asker.request, answer: .activation(isNew: false))
    if scenes[identifier]?.holder == asker.connection {
      self.answer(answer, identifier, state: .foregroundActive)
    } else {
      scenes[identifier]?.arrivals.append(answer)
    }
    walk(identifier)
  }

  // MARK: - A session that is not

  private mutating func activateUnattached(
    _ identifier: SessionIdentifier, _ message: RequestActivation, _ asker: Asker
  ) throws(BrokerError) {
    guard let session = stored[identifier] else { throw notFound(identifier) }
    let bringing = bringing(message, session.attributes.role, isNew: false)
    guard
      let host = nextHost(
        for: session.attributes.configuration.delegateClass, last: lastHolders[identifier],
        tried: [])
    else { throw noHost(for: session.attributes.configuration) }
    bring(identifier, to: host, bringing, asker)
  }

  private mutating func activateNew(
    _ message: RequestActivation, _ asker: Asker, fresh: SessionIdentifier
  ) throws(BrokerError) {
    let (role, configuration) = try configuration(message.configuration, role: message.role)
    guard let host = nextHost(for: configuration.delegateClass, last: nil, tried: []) else {
      throw noHost(for: configuration)
    }
    begin(
      Creation(
        identifier: fresh, name: message.name, role: role, configuration: configuration,
        userInfo: .empty, title: nil, maker: peers[host]?.client?.name ?? "",
        purpose: .bring(asker, host, bringing(message, role, isNew: true))))
  }

  private func bringing(
    _ message: RequestActivation, _ role: Role, isNew: Bool
  ) -> Bringing {
    var options = ConnectionOptions.none
    if let activity = message.userActivity { options.userActivities = [activity] }
    return Bringing(
      options: options,
      target: message.options?.background == true ? .background : role.ceiling, isNew: isNew,
      reason: .activation, tried: [])
  }

  private func noHost(for configuration: SceneConfiguration) -> BrokerError {
    let what = configuration.delegateClass.map { "scenes of class \($0)" } ?? "it"
    return BrokerError(
      .noHost, "no client is connected that can host \(what); start one and try again")
  }

  // MARK: - Hosts

  /// The connection that last held the session, if it is there; else, of those that can make such scenes, the one with the fewest.
  private func nextHost(
    for delegateClass: String?, last: ConnectionIdentifier?, tried: [ConnectionIdentifier]
  ) -> ConnectionIdentifier? {
    if let last, !tried.contains(last), let peer = peers[last],
      peer.held.count < limits.scenesPerConnection
    {
      return last
    }
    return peers.filter {
      !tried.contains($0.key) && $0.value.canHost(delegateClass)
        && $0.value.held.count < limits.scenesPerConnection
    }
    .min { ($0.value.held.count, $0.key) < ($1.value.held.count, $1.key) }?.key
  }

  /// Gives a session to a host that did not ask for it.
  mutating func bring(
    _ identifier: SessionIdentifier, to host: ConnectionIdentifier, _ bringing: Bringing,
    _ asker: Asker
  ) {
    var bringing = bringing
    bringing.tried.append(host)
    give(
      identifier, to: host, asker: nil, isNew: bringing.isNew, reason: bringing.reason,
      target: bringing.target, options: bringing.options, bringing: bringing)
    let answer = Arrival(
      connection: asker.connection, request: asker.request,
      answer: .activation(isNew: bringing.isNew))
    if host == asker.connection {
      self.answer(answer, identifier, state: .unattached)
    } else {
      scenes[identifier]?.arrivals.append(answer)
    }
  }

  /// A client would not have the scene.
  mutating func refused(_ identifier: SessionIdentifier, _ message: String) {
    guard let scene = scenes[identifier] else { return }
    if scene.bringing != nil {
      return tryNextHost(identifier, SessionEnd(reason: .refused))
    }
    end(identifier, SessionEnd(reason: .refused), answered: true)
    if scene.isNew { abandon(identifier) }
  }

  /// The host that a scene was brought to did not take it: the next one is asked, and after the last the answer is no.
  mutating func tryNextHost(_ identifier: SessionIdentifier, _ end: SessionEnd) {
    guard var bringing = scenes[identifier]?.bringing, stored[identifier] != nil,
      scenes[identifier]?.departure == nil, !isShuttingDown,
      let scene = detach(identifier, end, answered: false)
    else { return self.end(identifier, end, answered: false) }
    let delegateClass = stored[identifier]?.attributes.configuration.delegateClass
    if let host = nextHost(for: delegateClass, last: nil, tried: bringing.tried) {
      bringing.tried.append(host)
      give(
        identifier, to: host, asker: nil, isNew: bringing.isNew, reason: bringing.reason,
        target: bringing.target, options: bringing.options, bringing: bringing)
      scenes[identifier]?.arrivals = scene.arrivals
      return
    }
    for arrival in scene.arrivals {
      refuse(
        Asker(connection: arrival.connection, request: arrival.request),
        BrokerError(
          .requestDenied, "\(bringing.tried.count) hosts were asked; none would have the scene"))
    }
    if bringing.isNew { abandon(identifier) }
    retryWaiting(for: identifier)
  }

  /// A new session that came to nothing leaves nothing behind.
  private mutating func abandon(_ identifier: SessionIdentifier) {
    guard let session = stored[identifier] else { return }
    record(.discard(Discard(session: identifier)))
    tell(.discarded, identifier, gone: session, reason: DisconnectReason.refused.rawValue)
    forget(identifier)
    noteChange(of: identifier)
  }
}

extension Delivery {
  /// An activity to be continued in a scene: first its type, then itself.
  init(of activity: Activity, to session: SessionIdentifier) {
    let type = WillContinueUserActivity(session: session, activityType: activity.type)
    let itself = ContinueUserActivity(session: session, userActivity: activity)
    self.init(callbacks: [.willContinueUserActivity(type), .continueUserActivity(itself)])
  }
}
