import SceneModel

/// The application wants the scene of a session, on some occasion: wherever that is, it is brought
/// there.
extension Broker {
  /// A session that is there. The broker defers `request` while the session has another holder that
  /// is about to end.
  mutating func want(
    _ identifier: SessionIdentifier, for occasion: Occasion, _ request: DeferredRequest.Request,
    _ attempt: Attempt
  ) throws(BrokerError) {
    let requester = attempt.requester
    if let error = store.admission(of: .little) { throw error }
    if launches.contains(identifier) { return try joinLaunch(of: identifier, occasion, requester) }
    if let scene = scenes[identifier] {
      if scene.isLeaving {
        return try wait(for: identifier, scene.holder, request, attempt)
      }
      return try wantConnected(identifier, occasion, requester)
    }
    if let holder = clients.reservation(of: identifier) {
      guard attempt.queried.contains(holder) else {
        return try inquire(about: [holder], before: request, attempt)
      }
      try wait(for: identifier, nil, request, attempt)
      return watchHolders()
    }
    if mustAwaitDelegate(requester, making: false) {
      return try deferRequest(request, attempt, until: .delegate)
    }
    try wantUnattached(identifier, occasion, requester)
  }

  /// Defers the request until the session is free or has another holder.
  private mutating func wait(
    for identifier: SessionIdentifier, _ holder: ConnectionIdentifier?,
    _ request: DeferredRequest.Request, _ attempt: Attempt
  ) throws(BrokerError) {
    let requester = attempt.requester
    // Its own client must acknowledge the end first, so the reply cannot wait for that.
    let isOwn = holder == requester.connection
    var attempt = attempt
    if isOwn { attempt.requester = Requester(connection: requester.connection, request: nil) }
    try deferRequest(request, attempt, until: .session(identifier))
    if isOwn { replyActivated(requester, identifier) }
  }

  private mutating func replyActivated(_ requester: Requester, _ identifier: SessionIdentifier) {
    reply(
      requester, .activated(RequestActivation.Reply(session: identifier, isNew: false)),
      about: identifier)
  }

  private mutating func wantConnected(
    _ identifier: SessionIdentifier, _ occasion: Occasion, _ requester: Requester
  ) throws(BrokerError) {
    guard let scene = scenes[identifier], let tenure = store[identifier]?.tenure else { return }
    var waiter = ActivationWaiter(requester: requester, kind: .activation(isNew: false))
    let callbacks = occasion.deliveries(to: identifier)
    if !callbacks.isEmpty {
      guard pending.deliveryCount(of: identifier) < limits.deliveries else {
        throw tooManyDeliveries(to: identifier)
      }
      waiter.delivery = pending.deliver(callbacks, to: identifier)
    }
    let target: ActivationState =
      occasion.background ? max(scene.target, .background) : .foregroundActive
    setTarget(of: identifier, to: target, by: requester, reason: occasion.reason.rawValue)
    if scenes.target(of: identifier) == scene.target {
      // The target stays, but the trace shows the request, which is the cause of the delivery.
      tell(
        .aimed, identifier, reason: occasion.reason.rawValue, state: scene.target,
        by: requester)
      enterForeground(identifier)
    }
    record(.held(store.used(tenure, at: now.wall)))
    noteChange(of: identifier)
    addWaiter(waiter, to: identifier)
    advanceLifecycle(of: identifier)
  }

  private mutating func wantUnattached(
    _ identifier: SessionIdentifier, _ occasion: Occasion, _ requester: Requester
  ) throws(BrokerError) {
    guard let attributes = store[identifier]?.attributes else { throw notFound(identifier) }
    let configuration = manifest.currentConfiguration(of: attributes).configuration
    let assignment = HostAssignment(occasion, attributes.role, isNew: false)
    if let host = nextHost(for: identifier) {
      return bring(identifier, to: host, assignment, requester)
    }
    guard launchCommand(for: identifier) != nil else {
      throw noHost(for: configuration, identifier)
    }
    launch(identifier, assignment, requester)
  }

  /// A session that is not there yet.
  mutating func make(
    _ name: String?, role: Role?, _ configuration: String?, for occasion: Occasion,
    _ request: DeferredRequest.Request, _ attempt: Attempt
  ) throws(BrokerError) {
    guard !mustAwaitDelegate(attempt.requester, making: true) else {
      return try deferRequest(request, attempt, until: .delegate)
    }
    try begin(
      PendingSession(
        identifier: attempt.identifier, name: name, role: role ?? .windowApplication,
        wantedConfiguration: configuration, userInfo: .empty, title: nil,
        purpose: .bring(occasion), requester: attempt.requester))
  }
}
