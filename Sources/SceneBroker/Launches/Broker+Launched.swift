import SceneModel

/// The processes that the broker launched for sessions, and the requests that wait for them.
extension Broker {
  // MARK: - Processes

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
      giveUpLaunch(of: identifier, launchFailed(identifier, kind, failures))
    }
  }

  /// The process that was started has said who it is.
  mutating func arrive(_ process: LaunchIdentifier, on connection: ConnectionIdentifier) {
    guard let identifier = launches.connected(process, on: connection) else { return }
    clients.setLaunch(process, of: connection)
    effects.timers.append(.cancel(.launch(identifier)))
    place(identifier, at: connection, process)
  }

  /// Gives the session to a connection, with all that has gathered.
  mutating func place(
    _ identifier: SessionIdentifier, at host: ConnectionIdentifier, _ process: LaunchIdentifier?
  ) {
    if let refusal = launchRefusal(of: identifier) { return giveUpLaunch(of: identifier, refusal) }
    guard let launch = launches.remove(identifier),
      var assignment = pending.assignment(of: identifier)
    else { return }
    assignment.attemptedHosts.append(host)
    assignment.launch = process
    if let decided = pendingSessions.removeConfigured(identifier) {
      assignment.missingConfiguration = decided.decision.missing
      record(decided, maker: host, by: launch.requester)
    }
    give(
      identifier, to: host,
      Entrance(assignment, target: assignment.target, by: launch.requester))
    rehost(identifier)
  }

  // MARK: - The end

  /// A client that was not started for the session has become its scene. It gets the work that
  /// waits.
  mutating func overtakeLaunch(of identifier: SessionIdentifier) {
    guard let scene = scenes[identifier] else { return }
    recognize(scene.holder, launchedFor: identifier)
    guard let launch = removeLaunch(of: identifier),
      let assignment = pending.assignment(of: identifier)
    else { return }
    _ = pending.removeAssignment(of: identifier)
    let occasion = assignment.occasion
    // The client connected without the options of the launch, so they follow as callbacks. A handoff
    // has its callbacks already.
    if occasion.deliveriesOnceConnected(to: identifier).isEmpty {
      let callbacks = occasion.deliveries(to: identifier)
      if !callbacks.isEmpty {
        pending.deliverFirst(callbacks, to: identifier, for: launch.requester)
      }
    }
    let target = max(scene.target, assignment.target)
    setTarget(of: identifier, to: target, by: launch.requester, reason: occasion.reason.rawValue)
    rehost(identifier)
    advanceLifecycle(of: identifier)
  }

  /// The process that was started for a session may request it without its token.
  private mutating func recognize(
    _ holder: ConnectionIdentifier, launchedFor identifier: SessionIdentifier
  ) {
    let process = clients.process(of: holder)
    guard let launch = launches.adopt(process, for: identifier, on: holder) else { return }
    clients.setLaunch(launch, of: holder)
    effects.timers.append(.cancel(.launch(identifier)))
  }

  /// Ends the launch of a session and answers its waiters.
  mutating func giveUpLaunch(
    of identifier: SessionIdentifier, _ error: BrokerError, isTold: Bool = true
  ) {
    guard let launch = launches[identifier] else { return }
    if isTold { tell(.launchFailed, identifier, by: launch.requester, detail: error.message) }
    _ = removeLaunch(of: identifier)
    if pendingSessions.removeConfigured(identifier) != nil {
      forget(identifier)
    } else if pending.assignment(of: identifier)?.isNew == true {
      abandon(identifier, .refused)
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

  mutating func giveUpLaunches(_ error: BrokerError) {
    for identifier in launches.sessions { giveUpLaunch(of: identifier, error, isTold: false) }
  }

  // MARK: - What is said

  func launchFailed(
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

  func tooManyDeliveries(to identifier: SessionIdentifier) -> BrokerError {
    BrokerError(
      .tooMany,
      "\(label(of: identifier)) already has \(limits.deliveries) pending deliveries")
  }
}
