import SceneModel

/// Launches for sessions without a host. The configuration of a session names the program. Requests
/// for the session wait for its process.
extension Broker {
  /// The launch command of a session that exists or is pending.
  func launchCommand(for identifier: SessionIdentifier) -> LaunchCommand? {
    launchKind(of: identifier).flatMap { manifest.launch($0.configuration, for: $0.role) }
  }

  func launchKind(of identifier: SessionIdentifier) -> LaunchKind? {
    if let decided = pendingSessions.configured(identifier) {
      return .init(
        role: decided.creation.role, configuration: decided.decision.configuration.name)
    }
    return store[identifier].map {
      let current = manifest.currentConfiguration(of: $0.attributes).configuration
      return .init(role: $0.attributes.role, configuration: current.name)
    }
  }

  /// Starts a process for a session without a host.
  mutating func launch(
    _ identifier: SessionIdentifier, _ assignment: HostAssignment,
    making decided: ConfiguredSession? = nil, _ requester: Requester
  ) {
    launches.begin(identifier, by: requester)
    if let decided { pendingSessions.add(decided) }
    pending.assign(identifier, assignment)
    addActivation(
      of: identifier, requester, isNew: assignment.isNew,
      delivering: assignment.activation.deliveriesOnceConnected(to: identifier))
    start(identifier)
  }

  /// Starts a process for a session that is to be refreshed. No request waits for the scene yet.
  mutating func launchForRefresh(
    _ identifier: SessionIdentifier, _ assignment: HostAssignment, _ requester: Requester
  ) {
    launches.begin(identifier, by: requester)
    pending.assign(identifier, assignment)
    pending.mustRefresh(identifier)
    start(identifier)
  }

  /// The number of processes that the broker has started for the session.
  func startCount(for identifier: SessionIdentifier) -> Int {
    pending.assignment(of: identifier)?.startCount ?? 0
  }

  /// Another activation of the session. Its content is delivered after the content of the launch.
  mutating func addWaiterToLaunch(
    of identifier: SessionIdentifier, _ activation: ActivationReason, _ requester: Requester
  ) throws(BrokerError) {
    let callbacks = activation.deliveries(to: identifier)
    if !callbacks.isEmpty { try checkDeliveries(to: identifier) }
    addActivation(of: identifier, requester, isNew: false, delivering: callbacks)
    if !activation.background {
      pending.changeAssignment(of: identifier) { $0.target = .foregroundActive }
    }
  }

  /// Starts a process if the configuration names a program and no host is left. A process that
  /// refused its session is not replaced. Returns false if none is started.
  mutating func relaunchOrFail(
    _ identifier: SessionIdentifier, after end: SessionEnd, _ before: SceneStateMachine,
    _ assignment: HostAssignment
  ) -> Bool {
    guard launchCommand(for: identifier) != nil else { return false }
    // A launched process that refused the session is not started again.
    guard assignment.launch == nil || !end.reason.isByHost else { return false }
    let exit = clients[before.holder]?.exit
    _ = detach(identifier, end, answered: false)
    launches.begin(identifier, by: nil)
    pending.changeAssignment(of: identifier) {
      $0.target = before.target
      $0.launch = nil
    }
    send(pending.rehostToLaunch(identifier), about: identifier)
    if let process = assignment.launch {
      let problem = end.reason == .watchdog ? "did not answer willConnect in time" : nil
      endProcess(process, of: identifier, problem, exit)
    } else {
      start(identifier)
    }
    return true
  }

  // MARK: - Starting

  mutating func start(_ identifier: SessionIdentifier) {
    guard launches.contains(identifier), let kind = launchKind(of: identifier),
      let command = launchCommand(for: identifier)
    else { return failLaunch(of: identifier, noLongerLaunched(identifier)) }
    if let refusal = launchRefusal(of: identifier) { return failLaunch(of: identifier, refusal) }
    let start = launches.start(
      identifier, kind, name: command.programName, startCount: startCount(for: identifier),
      at: now.monotonic)
    switch start {
    case .queued: break
    case .limitReached(let failures):
      failLaunch(of: identifier, launchError(identifier, kind, failures))
    case .start(let process):
      pending.changeAssignment(of: identifier) { $0.startCount += 1 }
      effects.launches.append(
        LaunchRequest(identifier: process, session: identifier, command: command))
    }
  }

  /// The reason why no scene can begin now: the journal has no space for its records.
  func launchRefusal(of identifier: SessionIdentifier) -> BrokerError? {
    store.admission(of: pendingSessions.configured(identifier) == nil ? .little : .growing)
  }

  /// The time to show its token is over.
  mutating func launchTimedOut(of identifier: SessionIdentifier) {
    guard case .starting(let process)? = launches[identifier]?.state else { return }
    let budget = manifest.budgets.connect.seconds
    endProcess(process, of: identifier, "did not connect within \(budget) s", nil)
  }

  /// The restart delay is over. A host may have connected meanwhile.
  mutating func restart(_ identifier: SessionIdentifier) {
    guard launches[identifier]?.state == .backoff else { return }
    let attempted = pending.assignment(of: identifier)?.attemptedHosts ?? []
    if let host = nextHost(for: identifier, tried: attempted) {
      assignLaunched(identifier, to: host, nil)
    } else {
      start(identifier)
    }
  }
}

extension DisconnectReason {
  /// Whether the host itself gave the scene up.
  fileprivate var isByHost: Bool { self == .refused || self == .clientRequest }
}
