import SceneModel

/// The end of a launch: its process has connected or failed, or the session has another scene.
extension Broker {
  /// Ends a process that has failed. The next one starts after the end of this one. Without a
  /// `problem`, the exit status is the problem.
  mutating func endProcess(
    _ process: LaunchIdentifier, of identifier: SessionIdentifier, _ problem: String?,
    _ exit: ClientExit?
  ) {
    launches.stopping(identifier, process, problem: problem)
    if let exit {
      fail(identifier, problem ?? exit.description)
    } else {
      effects.dismissals.append(process)
    }
  }

  mutating func fail(_ identifier: SessionIdentifier, _ problem: String) {
    guard launches.contains(identifier), let kind = launchKind(of: identifier) else { return }
    let failure = launches.failed(
      identifier, kind, problem, startCount: startCount(for: identifier), at: now.monotonic)
    switch failure {
    case .restart(let delay): effects.timers.append(.set(.relaunch(identifier), delay))
    case .limitReached(let failures):
      failLaunch(of: identifier, launchError(identifier, kind, failures))
    }
  }

  /// The process of a launch has connected.
  mutating func launchConnected(_ process: LaunchIdentifier, on connection: ConnectionIdentifier) {
    guard let identifier = launches.connected(process, on: connection) else { return }
    clients.setLaunch(process, of: connection)
    effects.timers.append(.cancel(.launch(identifier)))
    assignLaunched(identifier, to: connection, process)
  }

  /// Connects a session with its pending work to a host.
  mutating func assignLaunched(
    _ identifier: SessionIdentifier, to host: ConnectionIdentifier, _ process: LaunchIdentifier?
  ) {
    if let refusal = launchRefusal(of: identifier) { return failLaunch(of: identifier, refusal) }
    guard let launch = launches.remove(identifier),
      var assignment = pending.assignment(of: identifier)
    else { return }
    assignment.attemptedHosts.append(host)
    assignment.launch = process
    if let decided = pendingSessions.removeConfigured(identifier) {
      assignment.missingConfiguration = decided.decision.missing
      record(decided, maker: host, by: launch.requester)
    }
    connect(
      identifier, to: host,
      ConnectOptions(assignment, target: assignment.target, by: launch.requester))
    rehost(identifier)
  }

  /// A client that was not started for the session has become its scene. It gets the work that
  /// waits.
  mutating func supersedeLaunch(of identifier: SessionIdentifier) {
    guard let scene = scenes[identifier] else { return }
    adoptLaunchedClient(scene.holder, launchedFor: identifier)
    guard let launch = removeLaunch(of: identifier),
      let assignment = pending.assignment(of: identifier)
    else { return }
    _ = pending.removeAssignment(of: identifier)
    let activation = assignment.activation
    // The client connected without the options of the launch, so they follow as callbacks. A handoff
    // has its callbacks already.
    if activation.deliveriesOnceConnected(to: identifier).isEmpty {
      let callbacks = activation.deliveries(to: identifier)
      if !callbacks.isEmpty {
        pending.deliverFirst(callbacks, to: identifier, for: launch.requester)
      }
    }
    let target = max(scene.target, assignment.target)
    setTarget(of: identifier, to: target, by: launch.requester, reason: activation.reason.rawValue)
    rehost(identifier)
    advanceLifecycle(of: identifier)
  }

  /// The process that was started for a session may request it without its token.
  private mutating func adoptLaunchedClient(
    _ holder: ConnectionIdentifier, launchedFor identifier: SessionIdentifier
  ) {
    let process = clients.process(of: holder)
    guard let launch = launches.adopt(process, for: identifier, on: holder) else { return }
    clients.setLaunch(launch, of: holder)
    effects.timers.append(.cancel(.launch(identifier)))
  }

  /// Ends the launch of a session and answers its waiters.
  mutating func failLaunch(
    of identifier: SessionIdentifier, _ error: BrokerError, isTraced: Bool = true
  ) {
    guard let launch = launches[identifier] else { return }
    if isTraced { trace(.launchFailed, identifier, by: launch.requester, detail: error.message) }
    _ = removeLaunch(of: identifier)
    if pendingSessions.removeConfigured(identifier) != nil {
      removeCaches(of: identifier)
    } else if pending.assignment(of: identifier)?.isNew == true {
      discardUnused(identifier, .refused)
    }
    send(pending.ended(identifier), about: identifier, failure: error)
  }

  /// The session needs no process any more.
  private mutating func removeLaunch(of identifier: SessionIdentifier) -> LaunchSupervisor.Launch? {
    guard let (launch, cleanup) = launches.cancel(identifier) else { return nil }
    switch cleanup {
    case .none: break
    case .terminate(let process):
      effects.timers.append(.cancel(.launch(identifier)))
      effects.dismissals.append(process)
    case .cancelRestart: effects.timers.append(.cancel(.relaunch(identifier)))
    }
    return launch
  }

  mutating func failLaunches(_ error: BrokerError) {
    for identifier in launches.sessions { failLaunch(of: identifier, error, isTraced: false) }
  }

  // MARK: - Errors

  func launchError(
    _ identifier: SessionIdentifier, _ kind: LaunchKind, _ failed: Int
  ) -> BrokerError {
    let program = launchCommand(for: identifier)?.programName ?? kind.configuration
    let starts = startCount(for: identifier)
    let count = max(starts, failed)
    let whom = starts >= failed ? "for \(label(of: identifier))" : "for \(kind.configuration)"
    return BrokerError(
      .launchFailed,
      "the broker started \(program) \(count == 1 ? "once" : "\(count) times") \(whom): "
        + "the \(count == 1 ? "" : "last ")process \(launches.lastProblem(kind) ?? "failed"); "
        + "see its output in the broker's log")
  }

  func noLongerLaunched(_ identifier: SessionIdentifier) -> BrokerError {
    BrokerError(
      .noHost,
      "no connected client can host \(label(of: identifier)), and the manifest no longer has a "
        + "launch command for it; start a client and try again",
      session: store.contains(identifier) ? identifier : nil)
  }
}
