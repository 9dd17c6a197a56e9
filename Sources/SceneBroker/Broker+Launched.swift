import SceneModel

/// What becomes of the processes that are started for sessions, and of who waits for them.
extension Broker {
  // MARK: - Processes

  /// Ends a process that has failed. The next one is not started before it is gone, and how it went
  /// may be what is to be told.
  mutating func endProcess(
    _ process: LaunchIdentifier, of identifier: SessionIdentifier, _ problem: String?,
    _ exit: ClientExit?
  ) {
    launches[identifier]?.stage = .ending(process, problem: problem)
    if let exit {
      fail(identifier, problem ?? exit.description)
    } else {
      effects.dismissals.append(process)
    }
  }

  /// The process that a session depends on has ended.
  mutating func launchEnded(
    _ process: LaunchIdentifier, of identifier: SessionIdentifier, _ exit: ClientExit
  ) {
    guard let launch = launches[identifier], launch.process == process else { return }
    if case .ending(_, let problem?) = launch.stage { return fail(identifier, problem) }
    effects.timers.append(.cancel(.launch(identifier)))
    fail(identifier, exit.description)
  }

  private mutating func fail(_ identifier: SessionIdentifier, _ problem: String) {
    guard let launch = launches[identifier], let kind = launchKind(of: identifier) else { return }
    if let process = launch.process { programs.decide(process) }
    programs.noteFailure(kind, problem, at: now.monotonic, since: startOfWindow)
    let failed = programs.failureCount(kind, since: startOfWindow)
    guard launch.bringing.starts < Self.mostStarts, failed < Self.mostStarts else {
      launches[identifier]?.stage = .undecided
      return giveUpLaunch(of: identifier, launchFailed(identifier, launch, kind, failed))
    }
    launches[identifier]?.stage = .pausing
    effects.timers.append(
      .set(.relaunch(identifier), Self.pause(afterStarts: launch.bringing.starts)))
  }

  /// The process that was started has said who it is.
  mutating func arrive(_ process: LaunchIdentifier, on connection: ConnectionIdentifier) {
    guard let identifier = programs[process]?.session else { return }
    programs.change(process) { $0.connection = connection }
    peers[connection]?.launch = process
    effects.timers.append(.cancel(.launch(identifier)))
    place(identifier, at: connection, process)
  }

  /// Gives the session to a connection, with all that has gathered.
  mutating func place(
    _ identifier: SessionIdentifier, at host: ConnectionIdentifier, _ process: LaunchIdentifier?
  ) {
    if let refusal = launchRefusal(of: identifier) { return giveUpLaunch(of: identifier, refusal) }
    guard let launch = launches.removeValue(forKey: identifier) else { return }
    var bringing = launch.bringing
    bringing.tried.append(host)
    bringing.launch = process
    if let decided = launch.decided {
      bringing.missingConfiguration = decided.decision.missing
      record(decided, maker: host, by: launch.asker)
    }
    give(
      identifier, to: host,
      Entrance(
        isNew: bringing.isNew, reason: bringing.occasion.reason, target: bringing.target,
        options: bringing.occasion.options, missingConfiguration: bringing.missingConfiguration,
        bringing: bringing, by: launch.asker))
    hand(launch.arrivals, launch.deliveries, to: identifier)
  }

  private mutating func hand(
    _ arrivals: [Arrival], _ deliveries: Deliveries, to identifier: SessionIdentifier
  ) {
    scenes[identifier]?.deliveries = deliveries
    for arrival in arrivals { addArrival(arrival, to: identifier) }
  }

  // MARK: - The end

  /// Somebody has become the scene without having been started for it: what waits for it is theirs.
  mutating func overtakeLaunch(of identifier: SessionIdentifier) {
    guard let scene = scenes[identifier] else { return }
    recognize(scene.holder, launchedFor: identifier)
    guard var launch = removeLaunch(of: identifier) else { return }
    let occasion = launch.bringing.occasion
    // What would have been said on connect is delivered; what is delivered in any case, is.
    if occasion.deliveriesOnceConnected(to: identifier).isEmpty {
      let callbacks = occasion.deliveries(to: identifier)
      if !callbacks.isEmpty { launch.deliverFirst(callbacks) }
    }
    let target = max(scene.target, launch.bringing.target)
    aim(identifier, at: target, by: launch.asker, reason: occasion.reason.rawValue)
    if launch.bringing.mustRefresh { scenes[identifier]?.mustRefresh = true }
    hand(launch.arrivals, launch.deliveries, to: identifier)
    walk(identifier)
  }

  /// The process that was started for a session may ask for it as everybody can, and show no token.
  private mutating func recognize(
    _ holder: ConnectionIdentifier, launchedFor identifier: SessionIdentifier
  ) {
    guard case .starting(let process)? = launches[identifier]?.stage,
      let started = programs[process]?.process, started == peers[holder]?.process
    else { return }
    programs.change(process) { $0.connection = holder }
    peers[holder]?.launch = process
    programs.decide(process)
    effects.timers.append(.cancel(.launch(identifier)))
    launches[identifier]?.stage = .undecided
  }

  /// Nothing is started for a session any more: whoever waits for it is told why.
  mutating func giveUpLaunch(
    of identifier: SessionIdentifier, _ error: BrokerError, isTold: Bool = true
  ) {
    guard let launch = launches[identifier] else { return }
    if isTold { tell(.launchFailed, identifier, by: launch.asker, detail: error.message) }
    _ = removeLaunch(of: identifier)
    if launch.decided != nil {
      forget(identifier)
    } else if launch.bringing.isNew {
      abandon(identifier, .refused)
    }
    for arrival in launch.arrivals {
      if arrival.isActivation {
        refuse(arrival.asker, error)
      } else {
        answerGone(arrival, identifier)
      }
    }
    retryWaiting(for: identifier)
  }

  /// The process that it depends on is not needed any more.
  private mutating func removeLaunch(of identifier: SessionIdentifier) -> Launch? {
    guard let launch = launches.removeValue(forKey: identifier) else { return nil }
    switch launch.stage {
    case .undecided, .queued: break
    case .starting(let process):
      effects.timers.append(.cancel(.launch(identifier)))
      programs.decide(process)
      effects.dismissals.append(process)
    case .ending(let process, _): programs.decide(process)
    case .pausing: effects.timers.append(.cancel(.relaunch(identifier)))
    }
    return launch
  }

  mutating func giveUpLaunches(_ error: BrokerError) {
    for (identifier, _) in launches.sorted(by: { $0.value.number < $1.value.number }) {
      giveUpLaunch(of: identifier, error, isTold: false)
    }
  }

  // MARK: - What is said

  func launchFailed(
    _ identifier: SessionIdentifier, _ launch: Launch, _ kind: LaunchedPrograms.Kind, _ failed: Int
  ) -> BrokerError {
    let program = launchCommand(for: identifier)?.programName ?? kind.configuration
    let starts = launch.bringing.starts
    let count = max(starts, failed)
    let whom = starts >= failed ? "for \(label(of: identifier))" : "for \(kind.configuration)"
    return BrokerError(
      .launchFailed,
      "\(program) was started \(count == 1 ? "once" : "\(count) times") \(whom), and "
        + "\(count == 1 ? "" : "at last ")\(programs.lastProblem(kind) ?? "came to nothing"); "
        + "what it said is in the broker's log")
  }

  func noLongerLaunched(_ identifier: SessionIdentifier) -> BrokerError {
    BrokerError(
      .noHost,
      "the manifest has no launch command for \(label(of: identifier)) any more, and no client is "
        + "connected that can host it; start one and try again",
      session: stored.contains(identifier) ? identifier : nil)
  }

  func tooManyDeliveries(to identifier: SessionIdentifier) -> BrokerError {
    BrokerError(
      .tooMany,
      "\(limits.deliveries) things already wait to be delivered to \(label(of: identifier))")
  }
}
