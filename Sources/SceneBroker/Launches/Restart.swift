import SceneModel

/// Restarts of crashed programs: `"restart": "onCrash"` in a configuration with a launch.
extension Broker {
  /// A scene has ended. `scene` is its last state, and `launch` the launch of its process.
  mutating func restartIfCrashed(
    _ identifier: SessionIdentifier, _ outcome: DisconnectOutcome, _ scene: SceneStateMachine,
    _ launch: LaunchIdentifier?
  ) {
    guard let launch, scene.intent == nil, outcome.isCrash, mayRestart(identifier) else {
      return forgetCrashes(of: identifier)
    }
    let recovery = now.monotonic - Interval.recovery.nanoseconds
    pause(
      identifier, RestartTable.Crash(target: scene.target, launch: launch),
      hasRecovered: scene.reachedTarget.map { $0 <= recovery } ?? false)
  }

  private func mayRestart(_ identifier: SessionIdentifier) -> Bool {
    guard !isShuttingDown, let session = store.listed(identifier), session.isPresent,
      !store.isDiscarding(identifier)
    else { return false }
    return launchCommand(for: identifier)?.restart == .onCrash
  }

  private mutating func pause(
    _ identifier: SessionIdentifier, _ crash: RestartTable.Crash, hasRecovered: Bool
  ) {
    if let pause = launches.restarts.crashed(
      identifier, crash, hasRecovered: hasRecovered, at: now.wall)
    {
      effects.timers.append(.set(.restart(identifier), pause))
    } else {
      trace(.launchFailed, identifier) {
        $0.detail = "restart limit: \(RestartTable.limit) crashes in a row"
      }
    }
    markChanged(identifier)
  }

  /// The pause before a restart is over. A process that closed its connection, or that does not
  /// respond, has to end first, unless it has other scenes.
  mutating func pauseEnded(of identifier: SessionIdentifier) {
    guard let crash = launches.restarts.due(identifier) else { return }
    if let process = launches.process(crash.launch), !hasOtherScenes(process) {
      launches.restarts.awaitEnd(identifier)
      effects.commands.append(.terminate(crash.launch))
      markChanged(identifier)
    } else {
      startAgain(identifier)
    }
  }

  /// After an upgrade, a process has to connect its scenes again.
  private func hasOtherScenes(_ process: ProcessEntry) -> Bool {
    let held = process.connection.flatMap { clients[$0] }?.held
    return held?.isEmpty == false
      || process.process.map { clients.reservations.values.contains($0) } ?? false
  }

  /// A process of the broker has ended.
  mutating func restartAfterEnd(
    of launch: LaunchIdentifier, _ exit: ClientExit, held sessions: [SessionIdentifier]
  ) {
    for identifier in launches.restarts.awaitingEnd(of: launch) { startAgain(identifier) }
    guard !exit.isCrash else { return }
    // The scene ended before the exit was known.
    for identifier in sessions where launches.restarts.due(identifier)?.launch == launch {
      forgetCrashes(of: identifier)
    }
  }

  private mutating func startAgain(_ identifier: SessionIdentifier) {
    guard mayRestart(identifier), scenes[identifier] == nil, !launches.contains(identifier),
      clients.reservations[identifier] == nil, let role = store[identifier]?.attributes.role,
      let crash = launches.restarts.start(identifier)
    else { return forgetCrashes(of: identifier) }
    markChanged(identifier)
    var assignment = HostAssignment(.recovery, role, isNew: false)
    assignment.target = crash.target
    if let host = nextHost(for: identifier) {
      connectAssigned(identifier, to: host, assignment, nil)
    } else {
      launch(identifier, assignment, refreshing: false, nil)
    }
  }

  /// The launch of a session has failed. A launch that an upgrade ends is no failure.
  mutating func pauseAgain(_ identifier: SessionIdentifier) {
    guard !isUpgrading, let (crash, _) = launches.restarts.started(identifier) else { return }
    guard mayRestart(identifier) else { return forgetCrashes(of: identifier) }
    pause(identifier, crash, hasRecovered: false)
  }

  /// A request opens the session, or its scene has ended without a crash.
  mutating func forgetCrashes(of identifier: SessionIdentifier) {
    guard launches.restarts.remove(identifier) else { return }
    effects.timers.append(.cancel(.restart(identifier)))
    markChanged(identifier)
  }

  /// Begins anew with all crashed sessions, because the manifest was read again.
  mutating func restartAll() {
    for identifier in launches.restarts.beginAnew() { pauseEnded(of: identifier) }
  }

  /// The words of the trace about a restart that starts a program; nil without one.
  func restartInWords(of identifier: SessionIdentifier) -> String? {
    guard let (_, count) = launches.restarts.started(identifier),
      let end = store[identifier]?.hold.end
    else { return nil }
    return "restart \(count) of \(RestartTable.limit) after \(end.shortCause)"
  }
}

extension DisconnectOutcome {
  /// Whether the program failed. Ctrl-C, and the end of the program that reads the output, are no
  /// failures.
  fileprivate var isCrash: Bool {
    switch reason {
    case .connectionLost: exit?.isCrash ?? true
    case .watchdog, .slowReader, .violation: true
    default: false
    }
  }

  /// A few words, such as "SEGV", "status 3" or "watchdog".
  package var shortCause: String {
    exit.map { $0.signal ?? "status \($0.status ?? 0)" } ?? reason.rawValue
  }
}

extension ClientExit {
  fileprivate var isCrash: Bool {
    switch (signal, status) {
    case (let signal?, _): signal != "INT" && signal != "PIPE"
    case (nil, let status): ![0, 130, 141].contains(status ?? 0)
    }
  }
}
