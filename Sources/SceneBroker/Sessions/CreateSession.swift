import SceneModel

/// New sessions: the checks, the configuration and the first scene.
extension Broker {
  var configurationResolver: ConfigurationResolver {
    ConfigurationResolver(manifest: manifest, limits: limits)
  }

  mutating func create(
    for message: SceneConnect, _ attempt: Attempt
  ) throws(BrokerError) {
    try begin(
      PendingSession(
        identifier: attempt.identifier, name: message.name,
        role: message.role ?? manifest.defaultRole, wantedConfiguration: message.configuration,
        userInfo: message.userInfo ?? .empty,
        title: message.title, program: message.program,
        purpose: .connect(message.background ? .background : nil, message.options ?? .none),
        requester: attempt.requester))
  }

  /// Creates a session, or first asks the application delegate for its configuration.
  mutating func begin(_ session: PendingSession) throws(BrokerError) {
    guard manifest.supportsMultipleScenes || pendingSessions.undecided(session.role) == nil else {
      throw BrokerError.noSecondSession()
    }
    guard asksDelegate(about: session) else {
      return try create(session, from: try configurationResolver.resolve(session))
    }
    // The delegate is not asked about a session that the broker refuses in any case.
    try checkMayCreate(session)
    _ = try configurationResolver.configuration(
      named: session.wantedConfiguration, for: session.role)
    pendingSessions.add(session)
  }

  /// Creates a session and its first scene. Where only one session is possible, it gets the
  /// content instead.
  private mutating func create(
    _ session: PendingSession, from resolved: ResolvedConfiguration
  ) throws(BrokerError) {
    if case .activate(let activation, let request) = session.purpose, activation.content != nil,
      session.name == nil, let only = onlySession(of: session.role, resolved.configuration)
    {
      let attempt = Attempt(requester: session.requester, identifier: session.identifier)
      return try activate(only, for: activation, request.naming(only), attempt)
    }
    try checkMayCreate(session, userInfo: resolved.userInfo)
    try checkIsOnly(resolved.configuration, session.role)
    let configured = ConfiguredSession(pending: session, resolved: resolved)
    switch session.purpose {
    case .connect(let target, let options):
      record(configured, maker: session.requester.connection, by: session.requester)
      connect(
        session.identifier, to: session.requester.connection,
        ConnectOptions(
          isNew: true, reason: .launch, target: target, options: options,
          missingConfiguration: resolved.missing, requester: session.requester))
    case .activate(let activation, _): try assign(configured, for: activation)
    }
  }

  /// Gives the scene to a host. Without one, starts a process that the session begins with.
  private mutating func assign(
    _ session: ConfiguredSession, for activation: ActivationReason
  ) throws(BrokerError) {
    let (pending, configuration) = (session.pending, session.resolved.configuration)
    var assignment = HostAssignment(activation, pending.role, isNew: true)
    assignment.missingConfiguration = session.resolved.missing
    let host = clients.selectHost(for: configuration.delegateClass, previous: nil, excluding: [])
    if let host {
      record(session, maker: host, by: pending.requester)
      return assign(pending.identifier, to: host, assignment, pending.requester)
    }
    guard manifest.launch(configuration.name, for: pending.role) != nil else {
      throw noHost(for: configuration)
    }
    launch(pending.identifier, assignment, creating: session, pending.requester)
  }

  /// Stores a new session. `maker` is the client of its first scene.
  mutating func record(
    _ session: ConfiguredSession, maker: ConnectionIdentifier, by requester: Requester?
  ) {
    var attributes = session.attributes
    attributes.maker = clients[maker]?.client?.name ?? ""
    attributes.created = now.wall
    record(.session(attributes))
    let remark = configurationResolver.remark(on: session)
    trace(.created, attributes.identifier, by: requester) { $0.detail = remark }
  }

  // MARK: - Checks

  /// Checks the limits, for a session that was requested some time ago as well.
  private mutating func checkMayCreate(
    _ session: PendingSession, userInfo: OpaqueObject? = nil
  ) throws(BrokerError) {
    if case .connect = session.purpose {
      try clients.checkRoom(on: session.requester.connection)
    }
    let texts = [session.name, session.title].compactMap { $0?.utf8.count }.reduce(0, +)
    let carried = (userInfo ?? session.userInfo).byteCount
    let program = session.program?.byteCount ?? 0
    try checkMayAdd(
      SessionAttributes.baseByteCount + carried + texts + program, session.role)
  }

  /// Checks the limits for one more session of this size.
  mutating func checkMayAdd(_ byteCount: Int, _ role: Role) throws(BrokerError) {
    if let error = store.admission(of: .growing) { throw error }
    let count = store.sessions.count + pendingSessions.count
    guard count < limits.sessions else {
      throw BrokerError(
        .tooMany,
        "there are \(count) sessions, and at most \(limits.sessions) are allowed; discard some",
        speaksOfSessions: true)
    }
    try checkRoom(for: byteCount)
    try checkIsOnlySession(of: role)
  }

  private func checkIsOnlySession(of role: Role) throws(BrokerError) {
    guard !manifest.supportsMultipleScenes, let existing = newestSession(of: role) else { return }
    throw BrokerError.noSecondSession(existing: label(of: existing))
  }

  /// A configuration of the kind `window` or `settings` has one session.
  func checkIsOnly(
    _ configuration: SceneConfiguration, _ role: Role
  ) throws(BrokerError) {
    guard configuration.kind.hasOneSession, newestSession(of: role, configuration) != nil
    else { return }
    throw BrokerError(
      .multipleScenesNotSupported,
      "\(configuration.name) has the kind \(configuration.kind.rawValue) and allows one "
        + "session, which already exists")
  }

  /// The session that gets all content for which no other session is possible. Nil if a new session
  /// of this configuration is possible. The content of an external display is no second window.
  func onlySession(of role: Role, _ configuration: SceneConfiguration?) -> SessionIdentifier? {
    let only =
      if !manifest.supportsMultipleScenes {
        newestSession(of: role)
      } else if let configuration, configuration.kind.hasOneSession {
        newestSession(of: role, configuration)
      } else {
        SessionIdentifier?.none
      }
    return only.flatMap { store.isDiscarding($0) ? nil : $0 }
  }

  /// The most recently used session of a role and a configuration, or one that waits for its
  /// process.
  private func newestSession(
    of role: Role, _ configuration: SceneConfiguration? = nil
  ) -> SessionIdentifier? {
    let stored = store.newestListed { session in
      session.attributes.role == role
        && (configuration == nil
          || manifest.currentConfiguration(of: session.attributes).configuration.name
            == configuration?.name)
    }
    let pending = pendingSessions.configured.first {
      $0.pending.role == role
        && (configuration == nil || $0.resolved.configuration.name == configuration?.name)
    }
    return stored?.attributes.identifier ?? pending?.pending.identifier
  }

  // MARK: - The delegate's decision

  /// The delegate is asked once for each session. It is not asked about a session that it requested
  /// itself: the reply to that request would wait for an answer from the same connection.
  private func asksDelegate(about session: PendingSession) -> Bool {
    guard manifest.applicationDelegate != .builtIn, delegate.takesQuestions,
      session.requester.connection != delegate.connection
    else { return false }
    return isDelegateListening
  }

  /// The delegate has answered, or has not answered in time. The session may be undecided no more,
  /// because its requester has gone.
  mutating func decide(_ identifier: SessionIdentifier, _ answer: CallbackAnswer?) {
    deferred.fulfill(.session(identifier))
    guard let session = pendingSessions.decide(identifier) else { return }
    do throws(BrokerError) {
      try create(session, from: try resolve(session, answer))
    } catch {
      refuse(session.requester, error)
    }
  }

  /// Without the delegate the manifest decides.
  mutating func resolvePendingSessions() {
    while let session = pendingSessions.firstUndecided { decide(session.identifier, nil) }
  }

  mutating func refusePendingSessions(_ error: BrokerError) {
    for session in pendingSessions.removeUndecided() { refuse(session.requester, error) }
  }

  private mutating func resolve(
    _ session: PendingSession, _ answer: CallbackAnswer?
  ) throws(BrokerError) -> ResolvedConfiguration {
    let resolver = configurationResolver
    guard case .configuration(let answer) = answer else { return try resolver.resolve(session) }
    if let problem = resolver.problem(with: answer) {
      trace(.failed, session.identifier, client: delegate.connection) {
        $0.callback = CallbackKind.configurationForConnecting.rawValue
        ($0.reason, $0.detail) = (problem.reason.name, problem.message)
      }
      return try resolver.resolve(session)
    }
    return try resolver.resolve(session, answer)
  }
}
