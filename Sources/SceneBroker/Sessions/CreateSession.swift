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
        role: message.role ?? .windowApplication, wantedConfiguration: message.configuration,
        userInfo: message.userInfo ?? .empty,
        title: message.title, program: message.program,
        purpose: .connect(message.background ? .background : nil, message.options ?? .none),
        requester: attempt.requester))
  }

  /// Creates a session, or first asks the application delegate for its configuration.
  mutating func begin(_ session: PendingSession) throws(BrokerError) {
    guard manifest.supportsMultipleScenes || !pendingSessions.hasUndecided(session.role) else {
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

  /// Creates a session and its first scene.
  private mutating func create(
    _ session: PendingSession, from resolved: ResolvedConfiguration
  ) throws(BrokerError) {
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
    case .activate(let activation): try assign(configured, for: activation)
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

  /// Without multiple scenes, each role has one session. The content of an external display is no
  /// second window.
  private func checkIsOnlySession(of role: Role) throws(BrokerError) {
    guard !manifest.supportsMultipleScenes else { return }
    let existing = store.newestListed { $0.attributes.role == role }
    guard
      existing != nil || pendingSessions.configured.contains(where: { $0.pending.role == role })
    else { return }
    throw BrokerError.noSecondSession(
      existing: existing.map { label(of: $0.attributes.identifier) })
  }

  /// A configuration of the kind `window` or `settings` has one session.
  func checkIsOnly(
    _ configuration: SceneConfiguration, _ role: Role
  ) throws(BrokerError) {
    switch configuration.kind {
    case .group: return
    case .window, .settings:
      let existing = store.newestListed { session in
        session.attributes.role == role
          && manifest.currentConfiguration(of: session.attributes).configuration.name
            == configuration.name
      }
      let isPending = pendingSessions.configured.contains {
        $0.pending.role == role && $0.resolved.configuration.name == configuration.name
      }
      guard existing == nil, !isPending else {
        throw BrokerError(
          .multipleScenesNotSupported,
          "\(configuration.name) has the kind \(configuration.kind.rawValue) and allows one "
            + "session, which already exists")
      }
    }
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

  mutating func refusePendingSessions() {
    for session in pendingSessions.removeUndecided() { refuse(session.requester, .shuttingDown) }
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
