package import SceneModel

/// Reports of the process launcher.
extension Broker {
  mutating func launched(_ launch: LaunchIdentifier, _ process: ClientProcess, token: String) {
    guard let started = launches.started(launch, process, token: token) else { return }
    effects.timers.append(.set(.launch(started.session), manifest.budgets.connect))
    let count = startCount(for: started.session)
    trace(
      .launched, started.session, process: started.reference,
      by: launches[started.session]?.requester,
      detail: count > 1 ? "attempt \(count) of \(LaunchSupervisor.startLimit)" : nil)
  }

  /// The event loop could not start the process. The same start would fail again.
  mutating func launchFailed(_ launch: LaunchIdentifier, _ problem: String) {
    guard let session = launches.startFailed(launch) else { return }
    failLaunch(of: session, BrokerError(.launchFailed, problem))
  }

  mutating func processExited(_ launch: LaunchIdentifier, _ exit: ClientExit) {
    guard let process = launches.process(launch) else { return }
    if let connection = process.connection { clients.setExit(exit, of: connection) }
    traceExit(exit, of: process)
    for (session, hold) in process.heldAtClose { amendEnd(of: session, hold, exit) }
    if let (session, problem, wasStopping) = launches.problem(ofEnded: launch, exit) {
      if !wasStopping { effects.timers.append(.cancel(.launch(session))) }
      fail(session, problem)
    }
    launches.ended(launch)
  }

  /// Traces the exit for each session that the process had, or was started for.
  private mutating func traceExit(_ exit: ClientExit, of process: ProcessEntry) {
    var sessions = process.heldAtClose.map(\.session)
    sessions += process.connection.map(clients.held(by:)) ?? []
    if let current = launches.process(for: process.session), current.process == process.process {
      sessions.append(process.session)
    }
    var told: Set<SessionIdentifier> = []
    let known = sessions.filter {
      (store.listed($0) != nil || pendingSessions.configured($0) != nil) && told.insert($0).inserted
    }
    let reference = process.reference
    if known.isEmpty { trace(.exited, process: reference, detail: exit.description) }
    for session in known { trace(.exited, session, process: reference, detail: exit.description) }
  }

  /// Adds the exit of the process to the end of a scene that ended before.
  private mutating func amendEnd(
    of identifier: SessionIdentifier, _ number: Int64, _ exit: ClientExit
  ) {
    guard var hold = store[identifier]?.hold, hold.number == number,
      hold.end?.reason == .connectionLost, store.admission(of: .little) == nil
    else { return }
    hold.end?.exit = exit
    record(.held(hold))
    markChanged(identifier)
    notifyDelegate(exit, of: identifier)
  }

  /// A connection has closed. The exit of its process may follow.
  mutating func recordLoss(of client: ConnectedClient) {
    guard let launch = client.launch, client.exit == nil else { return }
    let held = client.held.compactMap { session in
      store[session].map { (session: session, hold: $0.hold.number) }
    }
    launches.connectionClosed(launch, holding: held)
  }

  /// The launch whose process shows a token.
  func launch(showing token: String, as kind: ClientKind) throws(BrokerError) -> LaunchIdentifier {
    guard kind == .scene else {
      throw BrokerError(.invalidParams, "launch: allowed only for clients of the kind scene")
    }
    guard let launch = launches.launch(showing: token), let process = launches.process(launch)
    else {
      throw BrokerError(
        .notPermitted,
        "launch: this broker has no running process with this token; connect without the token")
    }
    guard process.connection == nil else {
      throw BrokerError(
        .notPermitted,
        "launch: the token is valid for one connection and was already used; remove "
          + "\(Initialize.launchVariable) from the environment of child processes")
    }
    guard launches.waiting(for: launch) != nil else {
      throw BrokerError(
        .notPermitted,
        "launch: the session no longer waits for this process; connect without the token")
    }
    return launch
  }

  // MARK: - Processes that the virtual clock waits for

  /// Processes that the broker has started and that have not connected.
  package var startingProcesses: [ClientProcess] { launches.startingProcesses }

  /// Whether a session waits for the end of a process that has failed.
  package var awaitsProcessEnd: Bool { launches.awaitsProcessEnd }
}
