import SceneModel

/// A session that is wanted needs a process, and nobody is there who would be it: its configuration
/// may say which program to start for it. Whoever wants the session meanwhile waits as well.
extension Broker {
  /// So many processes of one configuration may come to nothing within so much time, and so many for
  /// one session at all.
  static let mostStarts = 5
  static let startWindow = Interval.seconds(10)

  /// How long to wait behind a process that came to nothing: each time twice as long.
  static func pause(afterStarts count: Int) -> Interval {
    .milliseconds(250 << max(0, min(count, mostStarts) - 1))
  }

  // MARK: - Beginning

  /// What would be started for a session that is there, or is being made.
  func launchCommand(for identifier: SessionIdentifier) -> LaunchCommand? {
    launchKind(of: identifier).flatMap { manifest.launch($0.configuration, for: $0.role) }
  }

  private func launchKind(of identifier: SessionIdentifier) -> LaunchedPrograms.Kind? {
    if let decided = toBeLaunched[identifier] {
      return .init(
        role: decided.creation.role, configuration: decided.decision.configuration.name)
    }
    return stored[identifier].map {
      let current = manifest.currentConfiguration(of: $0.attributes).configuration
      return .init(role: $0.attributes.role, configuration: current.name)
    }
  }

  /// Starts a process for a session that nobody is there for.
  mutating func launch(
    _ identifier: SessionIdentifier, _ bringing: Bringing, _ asker: Asker
  ) {
    var launch = nextLaunch(bringing, by: asker)
    launch.add(
      asker, isNew: bringing.isNew,
      delivering: bringing.occasion.deliveriesOnceConnected(to: identifier))
    launches[identifier] = launch
    start(identifier)
  }

  /// The same, where nobody waits for the scene by itself.
  mutating func launchUnawaited(
    _ identifier: SessionIdentifier, _ bringing: Bringing, _ asker: Asker
  ) {
    launches[identifier] = nextLaunch(bringing, by: asker)
    start(identifier)
  }

  private mutating func nextLaunch(_ bringing: Bringing, by asker: Asker?) -> Launch {
    lastLaunch += 1
    return Launch(number: lastLaunch, bringing, by: asker)
  }

  /// The session is wanted once more: what comes with that is delivered behind what is to come.
  mutating func joinLaunch(
    of identifier: SessionIdentifier, _ occasion: Occasion, _ asker: Asker
  ) throws(BrokerError) {
    guard var launch = launches[identifier] else { return }
    let callbacks = occasion.deliveries(to: identifier)
    guard callbacks.isEmpty || launch.deliveries.count < limits.deliveries else {
      throw tooManyDeliveries(to: identifier)
    }
    let count = launch.arrivals.count
    if count >= Arrival.sweptFrom, count & (count - 1) == 0 {
      launch.arrivals.removeAll { $0.isActivation && peers[$0.asker.connection] == nil }
    }
    launch.add(asker, isNew: false, delivering: callbacks)
    if !occasion.background { launch.bringing.target = .foregroundActive }
    launches[identifier] = launch
  }

  /// Nobody is left who would have the scene: whether a process is started for it, or, where that
  /// was one, another.
  mutating func launchInstead(
    _ identifier: SessionIdentifier, after end: SessionEnd, _ before: LiveScene,
    _ bringing: Bringing
  ) -> Bool {
    guard launchCommand(for: identifier) != nil else { return false }
    // What was started for it and would not have it is not started again.
    guard bringing.launch == nil || !end.reason.isOfItsOwnWill else { return false }
    let exit = peers[before.holder]?.exit
    _ = detach(identifier, end, answered: false)
    var launch = nextLaunch(bringing, by: nil)
    launch.bringing.target = before.target
    launch.bringing.launch = nil
    launch.bringing.mustRefresh = before.mustRefresh
    launch.deliveries = before.deliveries
    launch.arrivals = before.arrivals.filter { $0.isActivation || $0.isRefresh }
    launches[identifier] = launch
    for arrival in before.arrivals where !arrival.isActivation && !arrival.isRefresh {
      answerGone(arrival, identifier)
    }
    if let process = bringing.launch {
      let problem = end.reason == .watchdog ? "did not answer willConnect in time" : nil
      endProcess(process, of: identifier, problem, exit)
    } else {
      start(identifier)
    }
    return true
  }

  // MARK: - Starting

  private mutating func start(_ identifier: SessionIdentifier) {
    guard let launch = launches[identifier], let kind = launchKind(of: identifier),
      let command = launchCommand(for: identifier)
    else { return giveUpLaunch(of: identifier, noLongerLaunched(identifier)) }
    if let refusal = launchRefusal(of: identifier) { return giveUpLaunch(of: identifier, refusal) }
    let failed = programs.failureCount(kind, since: startOfWindow)
    guard launch.bringing.starts < Self.mostStarts, failed < Self.mostStarts else {
      return giveUpLaunch(of: identifier, launchFailed(identifier, launch, kind, failed))
    }
    guard failed + programs.undecidedCount(kind) < Self.mostStarts else {
      launches[identifier]?.stage = .queued
      return
    }
    let process = programs.begin(
      LaunchedPrograms.Program(session: identifier, kind: kind, name: command.programName))
    launches[identifier]?.bringing.starts += 1
    launches[identifier]?.stage = .starting(process)
    effects.launches.append(
      LaunchRequest(identifier: process, session: identifier, command: command))
  }

  /// Why the session cannot be given to anybody now: there is no room to write that down.
  private func launchRefusal(of identifier: SessionIdentifier) -> BrokerError? {
    storageRefusal(of: toBeLaunched[identifier] == nil ? .little : .growing)
  }

  private var startOfWindow: Int64 { now.monotonic - Self.startWindow.nanoseconds }

  /// Those that waited for others, in their order, where one of these has come to something, or to
  /// nothing.
  mutating func startQueued() {
    while programs.hasDecided {
      programs.hasDecided = false
      let queued = launches.filter { $0.value.stage == .queued }
      for (identifier, _) in queued.sorted(by: { $0.value.number < $1.value.number }) {
        if launches[identifier]?.stage == .queued { start(identifier) }
      }
    }
  }

  /// The time to show its token is over.
  mutating func overrunLaunch(of identifier: SessionIdentifier) {
    guard let launch = launches[identifier], case .starting(let process) = launch.stage else {
      return
    }
    let budget = manifest.budgets.connect.seconds
    endProcess(process, of: identifier, "did not say who it is within \(budget) s", nil)
  }

  /// The pause behind a process that came to nothing is over. Somebody may have come meanwhile who
  /// would have the scene.
  mutating func goOnLaunching(_ identifier: SessionIdentifier) {
    guard let launch = launches[identifier], launch.stage == .pausing else { return }
    if let host = nextHost(for: identifier, tried: launch.bringing.tried) {
      place(identifier, at: host, nil)
    } else {
      start(identifier)
    }
  }

  // MARK: - Processes

  /// Ends a process that has failed. The next one is not started before it is gone, and how it went
  /// may be what is to be told.
  private mutating func endProcess(
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
      launches[identifier]?.stage = .pausing
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
  private mutating func place(
    _ identifier: SessionIdentifier, at host: ConnectionIdentifier, _ process: LaunchIdentifier?
  ) {
    if let refusal = launchRefusal(of: identifier) { return giveUpLaunch(of: identifier, refusal) }
    guard let launch = launches.removeValue(forKey: identifier) else { return }
    var bringing = launch.bringing
    bringing.tried.append(host)
    bringing.launch = process
    if let decided = toBeLaunched.removeValue(forKey: identifier) {
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
    launches[identifier]?.stage = .queued
  }

  /// Nothing is started for a session any more: whoever waits for it is told why.
  mutating func giveUpLaunch(
    of identifier: SessionIdentifier, _ error: BrokerError, isTold: Bool = true
  ) {
    guard let launch = removeLaunch(of: identifier) else { return }
    if isTold { tell(.launchFailed, identifier, by: launch.asker, detail: error.message) }
    if toBeLaunched.removeValue(forKey: identifier) != nil {
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
    case .queued: break
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

  private func launchFailed(
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

  private func noLongerLaunched(_ identifier: SessionIdentifier) -> BrokerError {
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

extension DisconnectReason {
  /// Whether a client that was asked to have a scene has said that it would not.
  fileprivate var isOfItsOwnWill: Bool { self == .refused || self == .clientRequest }
}
