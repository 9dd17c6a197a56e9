package import SceneModel

/// Launches for sessions without a host. The configuration of a session names the program. Requests
/// for the session wait for its process.
///
/// `LaunchSupervisor` decides when a process starts. The broker performs its actions, reports the
/// processes to the trace, and gives the session to a process that connects.
extension Broker {
  /// The launch command of a session that exists or is pending.
  func launchCommand(for identifier: SessionIdentifier) -> LaunchCommand? {
    launchKind(of: identifier).flatMap { manifest.launch($0.configuration, for: $0.role) }
  }

  private func launchKind(of identifier: SessionIdentifier) -> LaunchKind? {
    if let decided = pendingSessions.configured(identifier) {
      return .init(
        role: decided.pending.role, configuration: decided.resolved.configuration.name)
    }
    return store[identifier].map {
      let current = manifest.currentConfiguration(of: $0.attributes).configuration
      return .init(role: $0.attributes.role, configuration: current.name)
    }
  }

  /// The number of processes that the broker has started for the session.
  func startCount(for identifier: SessionIdentifier) -> Int {
    pending.assignment(of: identifier)?.startCount ?? 0
  }

  // MARK: - Starting

  /// Starts a process for a session without a host.
  mutating func launch(
    _ identifier: SessionIdentifier, _ assignment: HostAssignment,
    creating decided: ConfiguredSession? = nil, _ requester: Requester
  ) {
    launches.begin(identifier, by: requester)
    if let decided { pendingSessions.add(decided) }
    pending.assign(identifier, assignment)
    addActivation(
      of: identifier, requester, isNew: assignment.isNew,
      delivering: assignment.activation.callbacksAfterConnect(to: identifier))
    start(identifier)
  }

  /// Starts a process for a session. No request waits for the scene yet.
  mutating func launch(
    _ identifier: SessionIdentifier, _ assignment: HostAssignment, refreshing: Bool,
    _ requester: Requester?
  ) {
    launches.begin(identifier, by: requester)
    pending.assign(identifier, assignment)
    if refreshing { pending.mustRefresh(identifier) }
    start(identifier)
  }

  mutating func start(_ identifier: SessionIdentifier) {
    guard launches.contains(identifier), let kind = launchKind(of: identifier),
      let command = launchCommand(for: identifier)
    else {
      let session = store.contains(identifier) ? identifier : nil
      return failLaunch(of: identifier, .noLaunchCommand(label(of: identifier), session))
    }
    if let refusal = launchRefusal(of: identifier) { return failLaunch(of: identifier, refusal) }
    perform(
      launches.start(
        identifier, kind, command, startCount: startCount(for: identifier), at: now.monotonic),
      for: identifier)
  }

  /// The reason why no scene can begin now: the journal has no space for its records.
  private func launchRefusal(of identifier: SessionIdentifier) -> BrokerError? {
    store.admission(of: pendingSessions.configured(identifier) == nil ? .bounded : .growing)
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

  private mutating func perform(
    _ action: LaunchSupervisor.Action, for identifier: SessionIdentifier
  ) {
    switch action {
    case .wait: break
    case .start(var request):
      request.environment = loginEnvironment
      request.title = name(of: identifier)
      pending.changeAssignment(of: identifier) { $0.startCount += 1 }
      effects.commands.append(.launch(request))
    case .cancelStart(let process):
      effects.timers.append(.cancel(.launch(identifier)))
      effects.commands.append(.terminate(process))
    case .restart(let delay): effects.timers.append(.set(.relaunch(identifier), delay))
    case .cancelRestart: effects.timers.append(.cancel(.relaunch(identifier)))
    case .fail(let failures, let problem, let pause):
      let starts = startCount(for: identifier)
      let (program, configuration) = launchNames(of: identifier)
      // The limit is that of the session's starts or of its configuration's failures.
      failLaunch(
        of: identifier,
        .startLimitReached(
          by: program, count: max(starts, failures),
          for: starts >= failures ? label(of: identifier) : configuration, problem: problem,
          pause: pause))
    case .postpone(let failures, let problem, let pause):
      let (program, configuration) = launchNames(of: identifier)
      failLaunch(
        of: identifier,
        .startPostponed(
          of: program, count: failures, for: configuration, problem: problem, pause: pause))
    }
  }

  private func launchNames(
    of identifier: SessionIdentifier
  ) -> (program: String, configuration: String) {
    let configuration = launchKind(of: identifier)?.configuration ?? ""
    return (launchCommand(for: identifier)?.programName ?? configuration, configuration)
  }

  // MARK: - Processes

  mutating func launched(_ launch: LaunchIdentifier, _ process: ClientProcess, token: String) {
    guard let started = launches.started(launch, process, token: token) else { return }
    effects.timers.append(.set(.launch(started.session), manifest.budgets.connect))
    let count = startCount(for: started.session)
    let restart = restartInWords(of: started.session)
    trace(.launched, started.session, by: launches[started.session]?.requester) {
      $0.client = started.reference
      $0.detail =
        count > 1 ? "attempt \(count) of \(LaunchSupervisor.startLimit)" : restart
    }
  }

  /// The event loop could not start the process. The same start would fail again.
  mutating func launchFailed(_ launch: LaunchIdentifier, _ problem: String) {
    guard let session = launches.startFailed(launch) else { return }
    launches.restarts.stop(session)
    failLaunch(of: session, BrokerError(.launchFailed, problem))
  }

  /// The time to show its token is over.
  mutating func launchTimedOut(of identifier: SessionIdentifier) {
    guard case .starting(let process)? = launches[identifier]?.state else { return }
    let budget = manifest.budgets.connect.seconds
    stop(process, of: identifier, "did not connect with its launch token within \(budget) s", nil)
  }

  mutating func processExited(_ launch: LaunchIdentifier, _ exit: ClientExit) {
    guard let (process, failure) = launches.exited(launch, exit) else { return }
    var end = exit
    end.failedStart = exit.failsStart(after: now.monotonic - process.start)
    if let connection = process.connection { clients[connection]?.exit = end }
    traceExit(exit, of: process, isAwaited: failure != nil)
    for (session, hold) in process.heldAtClose { addExit(end, toEndOf: session, hold) }
    restartAfterEnd(of: launch, end, held: process.heldAtClose.map(\.session))
    guard let failure else { return }
    if failure.isTimed { effects.timers.append(.cancel(.launch(process.session))) }
    fail(process.session, failure.problem)
  }

  /// Traces the exit for each session that the process had, and for the session that waits for it.
  private mutating func traceExit(
    _ exit: ClientExit, of process: ProcessEntry, isAwaited: Bool
  ) {
    var sessions = process.heldAtClose.map(\.session)
    sessions += process.connection.flatMap { clients[$0]?.held } ?? []
    if isAwaited { sessions.append(process.session) }
    var seen: Set<SessionIdentifier> = []
    let known: [SessionIdentifier?] = sessions.filter {
      (store.listed($0) != nil || pendingSessions.configured($0) != nil) && seen.insert($0).inserted
    }
    for session in known.isEmpty ? [nil] : known {
      trace(.exited, session) { ($0.client, $0.detail) = (process.reference, exit.description) }
    }
  }

  /// Terminates a process that has failed, unless it has ended. The next one starts after its end.
  /// Without a `problem`, the exit status is the problem.
  mutating func stop(
    _ process: LaunchIdentifier, of identifier: SessionIdentifier, _ problem: String?,
    _ exit: ClientExit?
  ) {
    launches.stopping(identifier, process, problem: problem)
    if let exit {
      fail(identifier, problem ?? exit.description)
    } else {
      effects.commands.append(.terminate(process))
    }
  }

  private mutating func fail(_ identifier: SessionIdentifier, _ problem: String) {
    guard launches.contains(identifier), let kind = launchKind(of: identifier) else { return }
    perform(
      launches.failed(
        identifier, kind, problem, startCount: startCount(for: identifier), at: now.monotonic),
      for: identifier)
  }

  // MARK: - Connections

  /// The process of a launch has connected.
  mutating func launchConnected(_ process: LaunchIdentifier, on connection: ConnectionIdentifier) {
    guard let identifier = launches.connected(process, on: connection) else { return }
    clients[connection]?.launch = process
    effects.timers.append(.cancel(.launch(identifier)))
    assignLaunched(identifier, to: connection, process)
  }

  /// Connects a session with its pending work to a host.
  private mutating func assignLaunched(
    _ identifier: SessionIdentifier, to host: ConnectionIdentifier, _ process: LaunchIdentifier?
  ) {
    if let refusal = launchRefusal(of: identifier) { return failLaunch(of: identifier, refusal) }
    guard let launch = launches.remove(identifier),
      var assignment = pending.assignment(of: identifier)
    else { return }
    assignment.attemptedHosts.append(host)
    assignment.launch = process
    if let decided = pendingSessions.removeConfigured(identifier) {
      assignment.missingConfiguration = decided.resolved.missing
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
    // The client connected without the options of the launch, so they follow as callbacks. A
    // handoff has its callbacks already.
    if activation.callbacksAfterConnect(to: identifier).isEmpty {
      let callbacks = activation.callbacks(to: identifier)
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
    let process = clients[holder]?.process
    guard let launch = launches.adopt(process, for: identifier, on: holder) else { return }
    clients[holder]?.launch = launch
    effects.timers.append(.cancel(.launch(identifier)))
  }

  // MARK: - The end

  /// Ends the launch of a session and answers its waiters.
  mutating func failLaunch(
    of identifier: SessionIdentifier, _ error: BrokerError, isTraced: Bool = true
  ) {
    guard let launch = launches[identifier] else { return }
    if isTraced {
      trace(.launchFailed, identifier, by: launch.requester) { $0.detail = error.message }
    }
    _ = removeLaunch(of: identifier)
    if pendingSessions.removeConfigured(identifier) != nil {
      removeCaches(of: identifier)
    } else if pending.assignment(of: identifier)?.isNew == true {
      discardUnused(identifier, .refused)
    }
    send(pending.ended(identifier), about: identifier, failure: error)
    pauseAgain(identifier)
  }

  /// The session needs no process any more.
  private mutating func removeLaunch(of identifier: SessionIdentifier) -> LaunchSupervisor.Launch? {
    guard let (launch, action) = launches.cancel(identifier) else { return nil }
    perform(action, for: identifier)
    return launch
  }

  mutating func failLaunches(_ error: BrokerError) {
    for identifier in launches.sessions { failLaunch(of: identifier, error, isTraced: false) }
  }

  // MARK: - Processes that the virtual clock waits for

  /// Processes that the broker has started and that have not connected.
  package var startingProcesses: [ClientProcess] { launches.startingProcesses }

  /// Whether a session waits for the end of a process that has failed.
  package var awaitsProcessEnd: Bool { launches.awaitsProcessEnd }
}
