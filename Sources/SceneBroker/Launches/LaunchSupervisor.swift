import SceneModel

/// Starts programs for sessions that need a process, and restarts those that fail.
///
/// The supervisor starts nothing itself: it returns an action for the broker. After an event, the
/// broker asks for one start after the other with `nextStart`.
///
/// - A session has at most one process that it depends on.
/// - Programs of one kind start at most `startLimit` times without success within
///   `startLimitInterval`.
///
/// It is an object, because a call of a method that does not change the broker copies its parts.
final class LaunchSupervisor {
  /// The restarts of crashed programs.
  var restarts = RestartTable()
  /// The exits of programs that other programs started.
  var peerExits = PeerExits()
  var pressure = MemoryPressure()
  /// The sessions without an activity that have a data directory.
  var directories: Set<SessionIdentifier> = []

  /// The number of unsuccessful starts of one kind within the interval, and for one session at all.
  static let startLimit = 5
  static let startLimitInterval = Interval.seconds(10)

  /// A session that waits for a process.
  struct Launch {
    /// Launches have the order of their numbers.
    let number: UInt64
    /// The requester that the trace names.
    let requester: Requester?
    fileprivate(set) var state = State.idle
  }

  enum State: Equatable {
    /// The broker decides what is next in the same event. → queued, starting, stopping
    case idle
    /// One more process of this kind could exceed the start limit. → queued, starting
    case queued(LaunchKind)
    /// The process has not shown its token. → stopping, backoff, idle
    case starting(LaunchIdentifier)
    /// The process has failed and has not ended. Without a `problem`, its exit status is the
    /// problem. → backoff, idle
    case stopping(LaunchIdentifier, problem: String?)
    /// The restart delay runs. → queued, starting
    case backoff

    var process: LaunchIdentifier? {
      switch self {
      case .starting(let process), .stopping(let process, _): process
      case .idle, .queued, .backoff: nil
      }
    }

    var isQueued: Bool { if case .queued = self { true } else { false } }

    fileprivate func allows(_ next: State) -> Bool {
      switch (self, next) {
      case (.starting(let process), .stopping(let other, _)): process == other
      case (.idle, .queued), (.idle, .starting), (.idle, .stopping), (.queued, .queued),
        (.queued, .starting), (.starting, .backoff), (.starting, .idle), (.stopping, .backoff),
        (.stopping, .idle), (.backoff, .queued), (.backoff, .starting):
        true
      case (.idle, _), (.queued, _), (.starting, _), (.stopping, _), (.backoff, _): false
      }
    }
  }

  private var launches: [SessionIdentifier: Launch] = [:]
  private var processes = ProcessTable()
  /// The processes of the broker before an upgrade that have not connected again.
  private var restored: [ClientProcess: LaunchIdentifier] = [:]
  private var lastNumber: UInt64 = 0
  /// Whether a start has succeeded or failed, so that queued launches may start.
  private var hasResult = false
  /// The queued launches that `nextStart` has not returned in this iteration.
  private var startQueue: ArraySlice<SessionIdentifier> = []

  /// Moves a launch to its next state. A session without a launch needs no process any more.
  private func move(_ session: SessionIdentifier, to state: State) {
    guard let index = launches.index(forKey: session) else { return }
    let before = launches.values[index].state
    assert(before.allows(state), "a launch goes from \(before) to \(state)")
    launches.values[index].state = state
  }

  // MARK: - Launches

  /// The session needs a process.
  func begin(_ session: SessionIdentifier, by requester: Requester?) {
    lastNumber += 1
    launches[session] = Launch(number: lastNumber, requester: requester)
  }

  /// The session has a host, or the launch has moved on to one.
  func remove(_ session: SessionIdentifier) -> Launch? {
    launches.removeValue(forKey: session)
  }

  /// An action of the broker for a session that waits for a process.
  enum Action: Equatable {
    /// The next event or `nextStart` brings the next action.
    case wait
    case start(LaunchRequest)
    /// Terminate a process that has not connected. The time for that ends.
    case cancelStart(LaunchIdentifier)
    /// Start a process after this delay.
    case restart(after: Interval)
    case cancelRestart
    /// The start limit is reached: the launch has failed. `problem` is that of the last process.
    /// During the pause, no program of the kind starts.
    case fail(failures: Int, problem: String?, pause: Interval?)
    /// The start limit was reached before, and no program of the kind starts during the pause.
    case postpone(failures: Int, problem: String?, pause: Interval)
  }

  /// The session needs no process any more.
  func cancel(_ session: SessionIdentifier) -> (launch: Launch, action: Action)? {
    guard let launch = launches.removeValue(forKey: session) else { return nil }
    switch launch.state {
    case .idle, .queued: return (launch, .wait)
    case .starting(let process):
      finishStart(process)
      return (launch, .cancelStart(process))
    case .stopping(let process, _):
      finishStart(process)
      return (launch, .wait)
    case .backoff: return (launch, .cancelRestart)
    }
  }

  // MARK: - Starts

  /// Decides whether a process starts now. `startCount` is the number of starts for this session.
  func start(
    _ session: SessionIdentifier, _ kind: LaunchKind, _ command: LaunchCommand, startCount: Int,
    at now: Int64
  ) -> Action {
    let failures = failureCount(kind, at: now)
    let problem = processes.lastProblem(kind)
    if let pause = pause(of: kind, at: now) {
      return .postpone(failures: failures, problem: problem, pause: pause)
    }
    guard startCount < Self.startLimit else {
      return .fail(failures: failures, problem: problem, pause: nil)
    }
    guard failures + processes.startingCount(kind) < Self.startLimit else {
      move(session, to: .queued(kind))
      return .wait
    }
    let process = processes.add(
      ProcessEntry(session: session, kind: kind, name: command.programName, start: now))
    move(session, to: .starting(process))
    return .start(LaunchRequest(identifier: process, session: session, command: command))
  }

  /// A queued launch that may be able to start, oldest first. The broker calls this after an event
  /// until no launch is left.
  func nextStart() -> SessionIdentifier? {
    while true {
      while let session = startQueue.popFirst() {
        if launches[session]?.state.isQueued == true { return session }
      }
      guard hasResult else { return nil }
      hasResult = false
      let queued = launches.filter(\.value.state.isQueued)
      startQueue = queued.sorted { $0.value.number < $1.value.number }.map(\.key)[...]
    }
  }

  /// The event loop has started the process. Returns it if its session still waits for it.
  func started(
    _ launch: LaunchIdentifier, _ process: ClientProcess, token: String
  ) -> ProcessEntry? {
    processes.modify(launch) {
      $0.process = process
      $0.token = token
    }
    return waiting(for: launch)
  }

  /// The event loop could not start the process. Returns its session if that still waits for it.
  func startFailed(_ launch: LaunchIdentifier) -> SessionIdentifier? {
    let session = waiting(for: launch)?.session
    _ = remove(launch)
    if let session { move(session, to: .idle) }
    return session
  }

  /// The start has a result: the process has the scene, or has failed.
  func finishStart(_ launch: LaunchIdentifier) {
    processes.modify(launch) { $0.isStarting = false }
    hasResult = true
  }

  // MARK: - Connections

  /// The launch whose process shows a token. A token is valid for one connection.
  func launch(
    showing token: String, as kind: ClientKind
  ) throws(BrokerError) -> LaunchIdentifier {
    guard kind == .scene else {
      throw BrokerError(.invalidParams, "launch: allowed only for clients of the kind scene")
    }
    guard let (launch, process) = processes.process(showing: token) else {
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
    guard waiting(for: launch) != nil else {
      throw BrokerError(
        .notPermitted,
        "launch: the session no longer waits for this process; connect without the token")
    }
    return launch
  }

  /// The process has shown its token. Returns its session.
  func connected(
    _ launch: LaunchIdentifier, on connection: ConnectionIdentifier
  ) -> SessionIdentifier? {
    processes.modify(launch) { $0.connection = connection }
    return processes[launch]?.session
  }

  /// A process that was started for the session has connected without its token. Returns its
  /// launch.
  func adopt(
    _ process: ClientProcess?, for session: SessionIdentifier,
    on connection: ConnectionIdentifier
  ) -> LaunchIdentifier? {
    guard case .starting(let launch)? = launches[session]?.state,
      let started = processes[launch]?.process, started == process
    else { return nil }
    processes.modify(launch) { $0.connection = connection }
    finishStart(launch)
    move(session, to: .idle)
    return launch
  }

  func connectionClosed(
    _ launch: LaunchIdentifier, holding sessions: [(session: SessionIdentifier, hold: Int64)]
  ) {
    processes.modify(launch) { $0.heldAtClose = sessions }
  }

  func restore(_ process: ProcessEntry, as launch: LaunchIdentifier) {
    processes.restore(process, as: launch)
    if let process = process.process { restored[process] = launch }
  }

  /// Whether a process can connect again after an upgrade.
  var awaitsReconnection: Bool { !restored.isEmpty }

  /// The launch of a process that has connected again after an upgrade; nil for another process.
  func reconnected(
    _ process: ClientProcess, on connection: ConnectionIdentifier
  ) -> LaunchIdentifier? {
    guard let launch = restored.removeValue(forKey: process) else { return nil }
    processes.modify(launch) { $0.connection = connection }
    return launch
  }

  // MARK: - Failures

  /// The process has failed, and the broker terminates it. The next one starts after its end.
  /// Without a `problem`, the exit status is the problem.
  func stopping(
    _ session: SessionIdentifier, _ process: LaunchIdentifier, problem: String?
  ) {
    move(session, to: .stopping(process, problem: problem))
  }

  /// Why the process of a session has failed.
  struct Failure: Equatable {
    let problem: String
    /// Whether the time for the process to connect may run.
    let isTimed: Bool
  }

  /// The process has ended. Returns the failure if a session depended on the process.
  func exited(
    _ launch: LaunchIdentifier, _ exit: ClientExit
  ) -> (process: ProcessEntry, failure: Failure?)? {
    guard let process = remove(launch) else { return nil }
    guard let state = launches[process.session]?.state, state.process == launch else {
      return (process, nil)
    }
    if case .stopping(_, let problem?) = state {
      return (process, Failure(problem: problem, isTimed: false))
    }
    return (process, Failure(problem: exit.description, isTimed: true))
  }

  private func remove(_ launch: LaunchIdentifier) -> ProcessEntry? {
    guard let process = processes.remove(launch) else { return nil }
    if let ended = process.process { restored[ended] = nil }
    hasResult = true
    return process
  }

  /// The process of a session has failed. `startCount` is the number of starts for this session.
  func failed(
    _ session: SessionIdentifier, _ kind: LaunchKind, _ problem: String, startCount: Int,
    at now: Int64
  ) -> Action {
    if let process = launches[session]?.state.process { finishStart(process) }
    processes.addFailure(kind, problem, at: now, since: Self.startOfInterval(at: now))
    hasResult = true
    let failures = failureCount(kind, at: now)
    guard startCount < Self.startLimit, failures < Self.startLimit else {
      move(session, to: .idle)
      return .fail(failures: failures, problem: problem, pause: pause(of: kind, at: now))
    }
    move(session, to: .backoff)
    return .restart(after: .pause(afterFailures: Int64(startCount)))
  }

  /// The time during which no program of a kind starts, because too many have failed.
  private func pause(of kind: LaunchKind, at now: Int64) -> Interval? {
    let start = Self.startOfInterval(at: now)
    return processes.failure(kind, before: Self.startLimit, since: start).map {
      Interval(nanoseconds: $0 - start)
    }
  }

  /// Ends all pauses.
  func forgetFailures() { processes.forgetFailures() }

  // MARK: - Lookup

  subscript(session: SessionIdentifier) -> Launch? { launches[session] }

  func contains(_ session: SessionIdentifier) -> Bool { launches[session] != nil }

  /// All sessions that wait for a process, oldest first.
  var sessions: [SessionIdentifier] {
    launches.sorted { $0.value.number < $1.value.number }.map(\.key)
  }

  func process(_ launch: LaunchIdentifier) -> ProcessEntry? { processes[launch] }

  /// The process, if its session still waits for it to connect.
  func waiting(for launch: LaunchIdentifier) -> ProcessEntry? {
    processes[launch].flatMap { launches[$0.session]?.state == .starting(launch) ? $0 : nil }
  }

  var processesThatRun: [LaunchIdentifier: ProcessEntry] { processes.running }

  /// Processes that have not connected.
  var startingProcesses: [ClientProcess] {
    launches.values.compactMap { launch in
      guard case .starting(let process) = launch.state else { return nil }
      return processes[process]?.process
    }
  }

  /// Whether a session waits for the end of a process that has failed.
  var awaitsProcessEnd: Bool {
    launches.values.contains { if case .stopping = $0.state { true } else { false } }
  }

  private func failureCount(_ kind: LaunchKind, at now: Int64) -> Int {
    processes.failureCount(kind, since: Self.startOfInterval(at: now))
  }

  private static func startOfInterval(at now: Int64) -> Int64 {
    now - startLimitInterval.nanoseconds
  }

  /// Every invariant of this part that does not hold, as a sentence.
  var flaws: [String] {
    var flaws: [String] = []
    for (session, launch) in launches {
      if launch.state == .idle { flaws.append("the launch of \(session) is idle after the event") }
      if let process = launch.state.process, processes[process]?.session != session {
        flaws.append("the process of \(session) belongs to another session")
      }
      if case .queued(let kind) = launch.state, processes.startingCount(kind) == 0 {
        flaws.append("the launch of \(session) is queued, but no process of its kind is starting")
      }
    }
    for process in processes.running.values
    where processes.startingCount(process.kind) > Self.startLimit {
      flaws.append("too many processes of \(process.kind.configuration) are starting")
    }
    return flaws
  }
}
