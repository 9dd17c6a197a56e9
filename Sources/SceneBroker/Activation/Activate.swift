import SceneModel

/// `application/requestSceneSessionActivation` and `application/open`: the application wants a
/// scene in the foreground, or content in a scene.
extension Broker {
  mutating func activate(_ message: RequestActivation, _ attempt: Attempt) throws(BrokerError) {
    try validate(message)
    try checkMayBegin()
    let activation = ActivationReason(message)
    let route = try route(message)
    guard let identifier = route.session else {
      return try create(
        named: message.name, role: message.role, route.configuration, for: activation,
        .activate(message), attempt)
    }
    let role =
      pendingSessions.configured(identifier)?.pending.role ?? store[identifier]?.attributes.role
    if let wanted = message.role, let role, wanted != role {
      throw BrokerError.wrongRole(label(of: identifier), "has", role, wanted)
    }
    try activate(identifier, for: activation, .activate(message), attempt)
  }

  /// Refuses work that the broker cannot finish before its end.
  func checkMayBegin() throws(BrokerError) {
    if isUpgrading { throw .upgrading }
    if isShuttingDown { throw .shuttingDown }
  }

  private func validate(_ message: RequestActivation) throws(BrokerError) {
    guard message.session == nil || message.name == nil else {
      throw BrokerError(
        .invalidParams, "session, name: give at most one; with neither, the session is new")
    }
    try limits.check(name: message.name)
    if let activity = message.userActivity { try limits.check(activity) }
  }

  private func route(
    _ message: RequestActivation
  ) throws(BrokerError) -> (session: SessionIdentifier?, configuration: String?) {
    if let identifier = message.session { return (try checked(identifier), nil) }
    if let name = message.name {
      // A request for a session that waits for its process waits as well.
      if let identifier = pendingSessions.configured(named: name) { return (identifier, nil) }
      return (try availableSession(named: name), message.configuration)
    }
    let target =
      message.options?.targetContentIdentifier ?? message.userActivity?.targetContentIdentifier
    guard let target else { return (nil, message.configuration) }
    return try route(target, handling: target, message.role, message.configuration)
  }

  /// The session, which exists or waits for its process.
  private func checked(_ identifier: SessionIdentifier) throws(BrokerError) -> SessionIdentifier {
    guard store.contains(identifier) || pendingSessions.configured(identifier) != nil else {
      throw absence(of: identifier)
    }
    return identifier
  }

  // MARK: - Open

  mutating func open(_ message: ApplicationOpen, _ attempt: Attempt) throws(BrokerError) {
    let content = try content(of: message)
    try checkMayBegin()
    let target = message.targetContentIdentifier ?? content.targetContentIdentifier
    let activation = ActivationReason(content)
    var route: (session: SessionIdentifier?, configuration: String?) = (nil, nil)
    if let session = message.session {
      route.session = try checked(session)
    } else {
      route = try self.route(target, handling: target ?? content.url, nil, message.configuration)
    }
    guard let identifier = route.session else {
      return try create(
        named: nil, role: nil, route.configuration, for: activation, .open(message), attempt)
    }
    try activate(identifier, for: activation, .open(message), attempt)
  }

  private func content(of message: ApplicationOpen) throws(BrokerError) -> OpenedContent {
    guard let content = message.content else {
      throw BrokerError(
        .invalidParams,
        "urlContexts, userActivity, notificationResponse, shortcutItem: give exactly one")
    }
    guard !message.handoff || message.userActivity != nil else {
      throw BrokerError(.invalidParams, "handoff: allowed only with userActivity")
    }
    if let activity = message.userActivity { try limits.check(activity) }
    try limits.check(content.options)
    return content
  }

  // MARK: - The session

  /// Activates a session that exists or waits for its process. The broker defers `request` while
  /// the session has another holder that is about to end.
  mutating func activate(
    _ identifier: SessionIdentifier, for activation: ActivationReason,
    _ request: DeferredRequest.Request,
    _ attempt: Attempt
  ) throws(BrokerError) {
    if case .open(let message) = request, message.noWait, attempt.requester.request != nil {
      // The reply waits for no scene, but an error of the activation replaces it.
      var silent = attempt
      silent.requester = Requester(connection: attempt.requester.connection, request: nil)
      try activate(identifier, for: activation, request, silent)
      return reply(
        attempt.requester, RequestActivation.Reply(session: identifier, isNew: false),
        about: identifier)
    }
    try checkPresent(identifier)
    if let error = store.admission(of: .bounded) { throw error }
    let requester = attempt.requester
    forgetCrashes(of: identifier)
    if launches.contains(identifier) {
      return try activateLaunching(identifier, activation, requester)
    }
    if let scene = scenes[identifier] {
      guard !scene.isLeaving else {
        return try wait(for: identifier, scene.holder, request, attempt)
      }
      return try activateConnected(identifier, scene, activation, requester)
    }
    if let holder = clients.reservations[identifier] {
      guard attempt.queried.contains(holder) else {
        return try queryLiveness(of: [holder], before: request, attempt)
      }
      try wait(for: identifier, nil, request, attempt)
      return startPoll()
    }
    if mustAwaitDelegate(requester, creating: false) {
      return try deferRequest(request, attempt, until: .delegate)
    }
    try activateUnattached(identifier, activation, requester)
  }

  /// Defers the request until the session is free or has another holder.
  private mutating func wait(
    for identifier: SessionIdentifier, _ holder: ConnectionIdentifier?,
    _ request: DeferredRequest.Request, _ attempt: Attempt
  ) throws(BrokerError) {
    let requester = attempt.requester
    // The requester's own client must acknowledge the end first, so the reply cannot wait for that.
    let isOwn = holder == requester.connection
    var attempt = attempt
    if isOwn { attempt.requester = Requester(connection: requester.connection, request: nil) }
    try deferRequest(request, attempt, until: .session(identifier))
    guard isOwn else { return }
    reply(
      requester, RequestActivation.Reply(session: identifier, isNew: false),
      about: identifier)
  }

  /// Activates a session that waits for its process. The content follows that of the launch.
  private mutating func activateLaunching(
    _ identifier: SessionIdentifier, _ activation: ActivationReason, _ requester: Requester
  ) throws(BrokerError) {
    let callbacks = activation.callbacks(to: identifier)
    if !callbacks.isEmpty { try checkDeliveries(to: identifier) }
    addActivation(of: identifier, requester, isNew: false, delivering: callbacks)
    if !activation.background {
      pending.changeAssignment(of: identifier) { $0.target = .foregroundActive }
    }
  }

  private mutating func activateConnected(
    _ identifier: SessionIdentifier, _ scene: SceneStateMachine, _ activation: ActivationReason,
    _ requester: Requester
  ) throws(BrokerError) {
    guard let hold = store[identifier]?.hold else { return }
    var waiter = ActivationWaiter(requester: requester, kind: .activation(isNew: false))
    let callbacks = activation.callbacks(to: identifier)
    if !callbacks.isEmpty {
      try checkDeliveries(to: identifier)
      waiter.delivery = pending.deliver(callbacks, to: identifier)
    }
    let before = scene.target
    setTarget(
      of: identifier, to: activation.background ? max(before, .background) : .foregroundActive,
      by: requester, reason: activation.reason.rawValue)
    if scene.target == before {
      // The target stays, but the trace shows the request, which is the cause of the delivery.
      trace(.aimed, identifier, by: requester) {
        ($0.reason, $0.state) = (activation.reason.rawValue, before)
      }
      enterForeground(identifier)
    }
    record(.held(store.used(hold, at: now.wall)))
    markChanged(identifier)
    addWaiter(waiter, to: identifier)
    advanceLifecycle(of: identifier)
    showWindow(of: identifier, in: scene.holder, activation, requester)
  }

  /// Tells the holder that a control activated its scene, so that it shows the window.
  private mutating func showWindow(
    of identifier: SessionIdentifier, in holder: ConnectionIdentifier,
    _ activation: ActivationReason, _ requester: Requester
  ) {
    guard isControl(requester), !activation.background else { return }
    send(.notification(.activated(identifier)), to: holder, about: identifier)
  }

  private func checkDeliveries(to identifier: SessionIdentifier) throws(BrokerError) {
    guard pending.deliveryCount(of: identifier) < limits.deliveries else {
      throw BrokerError.tooManyDeliveries(to: label(of: identifier), limit: limits.deliveries)
    }
  }

  private mutating func activateUnattached(
    _ identifier: SessionIdentifier, _ activation: ActivationReason, _ requester: Requester
  ) throws(BrokerError) {
    guard let attributes = store[identifier]?.attributes else {
      throw absence(of: identifier)
    }
    let assignment = HostAssignment(activation, attributes.role, isNew: false)
    if let host = nextHost(for: identifier) {
      assign(identifier, to: host, assignment, requester)
      return showWindow(of: identifier, in: host, activation, requester)
    }
    guard launchCommand(for: identifier) != nil else {
      let configuration = manifest.currentConfiguration(of: attributes).configuration
      throw noHost(for: configuration, identifier)
    }
    launch(identifier, assignment, requester)
  }

  private mutating func create(
    named name: String?, role: Role?, _ configuration: String?, for activation: ActivationReason,
    _ request: DeferredRequest.Request, _ attempt: Attempt
  ) throws(BrokerError) {
    guard !mustAwaitDelegate(attempt.requester, creating: true) else {
      return try deferRequest(request, attempt, until: .delegate)
    }
    let role = role ?? manifest.defaultRole
    // The delegate decides on the only session, which then gets the content.
    if !manifest.supportsMultipleScenes, let undecided = pendingSessions.undecided(role),
      attempt.requester.connection != delegate.connection
    {
      return try deferRequest(request, attempt, until: .session(undecided))
    }
    try begin(
      PendingSession(
        identifier: attempt.identifier, name: name, role: role, wantedConfiguration: configuration,
        userInfo: .empty, title: nil,
        purpose: .activate(activation, request), requester: attempt.requester))
  }
}
