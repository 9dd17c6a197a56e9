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

  func launchKind(of identifier: SessionIdentifier) -> LaunchedPrograms.Kind? {
    if let decided = decidedCreation(identifier) {
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
    _ identifier: SessionIdentifier, _ bringing: Bringing, making decided: DecidedCreation? = nil,
    _ asker: Asker
  ) {
    launches[identifier] = nextLaunch(bringing, making: decided, by: asker)
    addWish(
      for: identifier, asker, isNew: bringing.isNew,
      delivering: bringing.occasion.deliveriesOnceConnected(to: identifier))
    start(identifier)
  }

  /// The same, where nobody waits for the scene by itself.
  mutating func launchUnawaited(
    _ identifier: SessionIdentifier, _ bringing: Bringing, _ asker: Asker
  ) {
    launches[identifier] = nextLaunch(bringing, by: asker)
    start(identifier)
  }

  private mutating func nextLaunch(
    _ bringing: Bringing, making decided: DecidedCreation? = nil, by asker: Asker?
  ) -> Launch {
    lastLaunch += 1
    return Launch(number: lastLaunch, bringing, making: decided, by: asker)
  }

  /// Somebody waits for the scene, and wants this delivered to it.
  private mutating func addWish(
    for identifier: SessionIdentifier, _ asker: Asker, isNew: Bool, delivering callbacks: [Callback]
  ) {
    var arrival = Arrival(asker: asker, answer: .activation(isNew: isNew))
    if !callbacks.isEmpty {
      arrival.delivery = launches[identifier]?.deliveries.append(callbacks)
    }
    addArrival(arrival, to: identifier)
  }

  /// The session is wanted once more: what comes with that is delivered behind what is to come.
  mutating func joinLaunch(
    of identifier: SessionIdentifier, _ occasion: Occasion, _ asker: Asker
  ) throws(BrokerError) {
    let callbacks = occasion.deliveries(to: identifier)
    let count = launches[identifier]?.deliveries.count ?? 0
    guard callbacks.isEmpty || count < limits.deliveries else {
      throw tooManyDeliveries(to: identifier)
    }
    addWish(for: identifier, asker, isNew: false, delivering: callbacks)
    if !occasion.background { launches[identifier]?.bringing.target = .foregroundActive }
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

  mutating func start(_ identifier: SessionIdentifier) {
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
  func launchRefusal(of identifier: SessionIdentifier) -> BrokerError? {
    storageRefusal(of: decidedCreation(identifier) == nil ? .little : .growing)
  }

  var startOfWindow: Int64 { now.monotonic - Self.startWindow.nanoseconds }

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
}

extension DisconnectReason {
  /// Whether a client that was asked to have a scene has said that it would not.
  fileprivate var isOfItsOwnWill: Bool { self == .refused || self == .clientRequest }
}
