package import SceneModel

/// What becomes of the processes that were started.
extension Broker {
  mutating func begin(_ launch: LaunchIdentifier, _ process: ClientProcess, token: String) {
    programs.change(launch) { program in
      program.process = process
      program.token = token
    }
    guard let program = programs[launch], let wish = launches[program.session],
      wish.stage == .starting(launch)
    else { return }
    effects.timers.append(.set(.launch(program.session), manifest.budgets.connect))
    let count = wish.bringing.starts
    tell(
      .launched, program.session, process: program.reference, by: wish.asker,
      detail: count > 1 ? "attempt \(count) of \(Self.mostStarts)" : nil)
  }

  /// It could not even be started, and trying again at once would change nothing.
  mutating func takeNotLaunched(_ launch: LaunchIdentifier, _ problem: String) {
    guard let program = programs.end(launch),
      launches[program.session]?.stage == .starting(launch)
    else { return }
    launches[program.session]?.stage = .undecided
    giveUpLaunch(of: program.session, BrokerError(.launchFailed, problem))
  }

  mutating func take(_ exit: ClientExit, of launch: LaunchIdentifier) {
    guard let program = programs[launch] else { return }
    if let connection = program.connection { peers[connection]?.exit = exit }
    tellExit(exit, of: program)
    for (session, hold) in program.lost { amendEnd(of: session, hold: hold, exit) }
    launchEnded(launch, of: program.session, exit)
    _ = programs.end(launch)
  }

  /// Of every session that it had, or was started for and has not had yet.
  private mutating func tellExit(_ exit: ClientExit, of program: LaunchedPrograms.Program) {
    var sessions = program.lost.map(\.session)
    sessions += program.connection.flatMap { peers[$0]?.held } ?? []
    if launches[program.session]?.process.map({ programs[$0]?.process }) == program.process {
      sessions.append(program.session)
    }
    var told: Set<SessionIdentifier> = []
    let known = sessions.filter {
      (session($0) != nil || decidedCreation($0) != nil) && told.insert($0).inserted
    }
    let reference = program.reference
    if known.isEmpty { tell(.exited, process: reference, detail: exit.description) }
    for session in known { tell(.exited, session, process: reference, detail: exit.description) }
  }

  /// The scene's end is known already, and now how its client's process went.
  private mutating func amendEnd(
    of identifier: SessionIdentifier, hold: Int64, _ exit: ClientExit
  ) {
    guard var tenure = stored[identifier]?.tenure, tenure.hold == hold,
      tenure.end?.reason == .connectionLost, storageRefusal(of: .little) == nil
    else { return }
    tenure.end?.exit = exit
    record(.held(tenure))
    noteChange(of: identifier)
    tellDelegate(exit, of: identifier)
  }

  /// A connection is about to end, whose process may be known to have ended only later.
  mutating func noteLost(by peer: Peer) {
    guard let launch = peer.launch, peer.exit == nil else { return }
    let held = peer.held.compactMap { session in
      stored[session].map { (session: session, hold: $0.tenure.hold) }
    }
    programs.change(launch) { $0.lost = held }
  }

  /// Which process shows a token.
  func launch(showing token: String, as kind: ClientKind) throws(BrokerError) -> LaunchIdentifier {
    guard kind == .scene else {
      throw BrokerError(.invalidParams, "launch: is for clients that make scenes")
    }
    guard let launch = programs.launch(showing: token), let program = programs[launch] else {
      throw BrokerError(
        .notPermitted,
        "launch: no process that runs was started with this token; it is another broker's, or its "
          + "process has ended")
    }
    guard program.connection == nil else {
      throw BrokerError(
        .notPermitted,
        "launch: this token was shown before, and is good for one connection; what a program that "
          + "was started starts itself must go without \(Initialize.launchVariable)")
    }
    guard launches[program.session]?.stage == .starting(launch) else {
      throw BrokerError(
        .notPermitted,
        "launch: the session that this process was started for does not wait for it any more")
    }
    return launch
  }

  // MARK: - What a clock must wait for

  /// Processes that were started and have not said who they are.
  package var startingProcesses: [ClientProcess] {
    launches.values.compactMap { launch in
      guard case .starting(let process) = launch.stage else { return nil }
      return programs[process]?.process
    }
  }

  /// Whether a session waits for a process that failed to be gone.
  package var awaitsProcessEnd: Bool {
    launches.values.contains { if case .ending = $0.stage { true } else { false } }
  }
}

extension LaunchedPrograms.Program {
  var reference: ClientReference { ClientReference(name: name, pid: process?.pid ?? 0) }
}
