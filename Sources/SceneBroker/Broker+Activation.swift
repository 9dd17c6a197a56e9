import SceneModel

/// `application/requestSceneSessionActivation`: the application wants a scene.
extension Broker {
  /// Tried again when what stood in the way may be gone. Those who were `asked` about are waited
  /// for.
  mutating func activate(
    _ message: RequestActivation, _ asker: Asker, fresh: SessionIdentifier,
    besides asked: [ClientProcess] = []
  ) {
    do throws(BrokerError) {
      try checkForm(of: message)
      guard !isShuttingDown else { throw shuttingDown }
      guard let identifier = try sessionToActivate(message) else {
        return try activateNew(message, asker, fresh: fresh)
      }
      if let role = message.role, role != stored[identifier]?.attributes.role {
        throw BrokerError(
          .wrongRole,
          "\(label(of: identifier)) does not have the role \(role.rawValue.clipped(to: 100))")
      }
      if let error = storageRefusal(of: .little) { throw error }
      if let scene = scenes[identifier] {
        if scene.isLeaving {
          return try wait(for: identifier, scene.holder, message, asker, fresh)
        }
        return try activateConnected(identifier, message, asker)
      }
      if let holder = reserved[identifier] {
        guard asked.contains(holder) else {
          return try inquire(about: [holder], besides: asked, for: .activate(message), asker, fresh)
        }
        try wait(for: identifier, nil, message, asker, fresh)
        return watchHolders()
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
      guard stored.contains(identifier) else { throw notFound(identifier) }
      return identifier
    }
    if let name = message.name { return try sessionToTake(named: name) }
    guard let target = message.targetContentIdentifier else { return nil }
    return try session(for: target, role: message.role)
  }

  /// Waits until the session is free, or somebody else's.
  private mutating func wait(
    for identifier: SessionIdentifier, _ holder: ConnectionIdentifier?,
    _ message: RequestActivation, _ asker: Asker, _ fresh: SessionIdentifier
  ) throws(BrokerError) {
    // Its own client must acknowledge the end first, so the reply cannot wait for that.
    let isOwn = holder == asker.connection
    try wait(
      WaitingRequest(
        cause: .session(identifier), request: .activate(message),
        asker: isOwn ? Asker(connection: asker.connection, request: nil) : asker, fresh: fresh))
    if isOwn { replyActivated(asker, identifier) }
  }

  private mutating func replyActivated(_ asker: Asker, _ identifier: SessionIdentifier) {
    reply(
      asker, .activated(RequestActivation.Reply(session: identifier, isNew: false)),
      about: identifier)
  }

  // MARK: - A session that is connected

  private mutating func activateConnected(
    _ identifier: SessionIdentifier, _ message: RequestActivation, _ asker: Asker
  ) throws(BrokerError) {
    guard let scene = scenes[identifier], var tenure = stored[identifier]?.tenure else { return }
    var arrival = Arrival(asker: asker, answer: .activation(isNew: false))
    if let activity = message.userActivity {
      guard scene.deliveries.count < limits.deliveries else {
        throw BrokerError(
          .tooMany,
          "\(limits.deliveries) things already wait to be delivered to \(label(of: identifier))")
      }
      let callbacks = callbacks(toContinue: activity, in: identifier)
      arrival.delivery = scenes[identifier]?.deliveries.append(callbacks)
    }
    let target: ActivationState =
      message.options?.background == true
      ? max(scene.target, .background) : .foregroundActive
    aim(identifier, at: target, by: asker, reason: ConnectReason.activation.rawValue)
    if scenes[identifier]?.target == scene.target {
      // It changes no course, but somebody asked, and what is delivered comes of it.
      tell(
        .aimed, identifier, reason: ConnectReason.activation.rawValue, state: scene.target,
        by: asker)
      enterForeground(identifier)
    }
    touch(&tenure)
    record(.held(tenure))
    noteChange(of: identifier)
    addArrival(arrival, to: identifier)
    walk(identifier)
  }

  /// An activity to be continued in a scene: first its type, then itself.
  private func callbacks(
    toContinue activity: Activity, in session: SessionIdentifier
  ) -> [Callback] {
    [
      .willContinueUserActivity(
        WillContinueUserActivity(session: session, activityType: activity.type)),
      .continueUserActivity(ContinueUserActivity(session: session, userActivity: activity)),
    ]
  }

  // MARK: - A session that is not

  private mutating func activateUnattached(
    _ identifier: SessionIdentifier, _ message: RequestActivation, _ asker: Asker
  ) throws(BrokerError) {
    guard let attributes = stored[identifier]?.attributes else { throw notFound(identifier) }
    let configuration = manifest.currentConfiguration(of: attributes).configuration
    guard
      let host = nextHost(
        for: configuration.delegateClass, last: lastHolders[identifier], tried: [])
    else { throw noHost(for: configuration) }
    bring(identifier, to: host, bringing(message, attributes.role, isNew: false), asker)
  }

  private mutating func activateNew(
    _ message: RequestActivation, _ asker: Asker, fresh: SessionIdentifier
  ) throws(BrokerError) {
    let (role, configuration) = try configuration(
      message.configuration, role: message.role, adding: message.name?.utf8.count ?? 0)
    guard let host = nextHost(for: configuration.delegateClass, last: nil, tried: []) else {
      throw noHost(for: configuration)
    }
    begin(
      Creation(
        identifier: fresh, name: message.name, role: role, configuration: configuration,
        userInfo: .empty, title: nil, maker: peers[host]?.client?.name ?? "",
        missingConfiguration: missing(message.configuration, for: role),
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
}

extension RequestActivation {
  /// What content it is about: as it says, or as its activity does.
  fileprivate var targetContentIdentifier: String? {
    options?.targetContentIdentifier ?? userActivity?.targetContentIdentifier
  }
}
