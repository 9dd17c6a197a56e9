import SceneBroker
import SceneCommandLine
import SceneJSON
import SceneJournal
import SceneModel
import ScenePlatform

/// A process of the new program that checks whether it can replace this one.
package struct UpgradeCheck {
  /// The output of a program that can replace this one. Many other programs end with status 0.
  package static let consent = "can take over\n"

  let child: ChildProcess
  let output: TemporaryFile
  /// By the monotonic clock.
  let deadline: Int64
}

/// The replacement of this program in the same process.
extension Server {
  /// Nanoseconds that the new program has to check the state.
  private static let checkTimeout: Int64 = 10_000_000_000
  /// Nanoseconds for running callbacks, and then for unread output.
  private static let drainTimeout: Int64 = 1_000_000_000

  /// Lets the new program check the state. Returns why it cannot begin.
  func beginUpgradeCheck() -> BrokerError? {
    // The outcome of a running check answers all requests.
    guard upgradeCheck == nil else { return nil }
    guard configuration.command == nil else {
      return BrokerError(
        .notPermitted, "the broker runs for one command; to upgrade, run that command again")
    }
    guard configuration.durability != .none else {
      return BrokerError(
        .notPermitted,
        "the broker keeps its sessions only in memory (--durability none), so that an upgrade "
          + "would lose them; the broker goes on")
    }
    guard let program else {
      return BrokerError(
        .notPermitted, "this system cannot name the broker's program; restart the broker")
    }
    do throws(SystemError) {
      let upgrade = upgradeState()
      let state = try TemporaryFile(inMemory: upgrade.json.bytes)
      let output = try TemporaryFile(inMemory: [])
      let null = try File.open("/dev/null", .read)
      Signal.restoreChildEnds()
      let child = try ChildProcess.spawn(
        program, ["--check-upgrade", "3"] + upgrade.words.dropFirst(),
        descriptors: [0: null.number, 1: output.number, 2: output.number, 3: state.number])
      upgradeCheck = UpgradeCheck(
        child: child, output: output, deadline: SystemClock.monotonic() + Self.checkTimeout)
      return nil
    } catch {
      return BrokerError(
        .requestDenied, "\(program) cannot take over: \(error); the broker goes on")
    }
  }

  /// Takes in the outcome of the check, if the check has ended or its time is over.
  func finishUpgradeCheck() {
    guard let check = upgradeCheck,
      check.child.endIfEnded != nil || SystemClock.monotonic() >= check.deadline
    else { return }
    upgradeCheck = nil
    eventLoop.upgradeChecked(problem(of: check))
  }

  private func problem(of check: UpgradeCheck) -> BrokerError? {
    let program = program ?? ""
    guard let end = check.child.reap(until: 0) else {
      return BrokerError(
        .requestDenied, "\(program) has not checked the state within 10 s; the broker goes on")
    }
    if end.isSuccess {
      guard !check.output.text.hasSuffix(UpgradeCheck.consent) else { return nil }
      return BrokerError(
        .requestDenied,
        "\(program) cannot take over: it has not checked the state; the broker goes on")
    }
    let line =
      check.output.text.split(separator: "\n").first.map { ": \(String($0).clipped(to: 200))" }
      ?? ""
    return BrokerError(
      .requestDenied, "\(program) cannot take over: it \(end)\(line); the broker goes on")
  }

  private func upgradeState() -> UpgradeState {
    var state = UpgradeState()
    state.previous = PreviousBroker(
      version: configuration.version, instance: eventLoop.instance)
    state.path = program ?? ""
    state.words = CurrentProcess.words.map { String(decoding: $0, as: UTF8.self) }
    state.take(listeningSocket)
    if let stateLock { state.take(stateLock) }
    if !hasLostLifetime { state.lifetime = configuration.lifetimeDescriptor.map(Int64.init) }
    if let source = configuration.manifestSource, source.directory == nil {
      state.manifest = eventLoop.manifestInUse
    }
    if configuration.clock == .virtual {
      let now = eventLoop.now
      (state.monotonic, state.wall) = (now.monotonic, now.wall)
    }
    return state
  }

  /// Replaces this program. Clients that connect meanwhile wait in the queue of the socket.
  func upgrade() throws(ProgramError) {
    log.note("upgrading: the program at \(program ?? "") takes over")
    _ = try? Supervisor.notify("RELOADING=1\nSTATUS=Upgrading")
    try drain()
    // An orderly end has begun meanwhile.
    guard !eventLoop.broker.isShuttingDown else { return }
    directories.end()
    journal.requestStop()
    try pollEvents { !journal.status.hasEnded }
    guard !isEnding else { return }
    if let failure = journal.status.failure { throw ProgramError(failure, configuration) }
    // The connections are closed, so that the clients wait for the next broker. A blocked signal
    // stays pending.
    if eventLoop.broker.isShuttingDown {
      log.note("the new program ends the broker")
      try? Signal.terminate.send(to: ProcessIdentity.currentPID)
    }
    var state = upgradeState()
    state.broker = eventLoop.broker.carriedState
    state.previous.scenes = Int64(eventLoop.broker.holdCount)
    if let program = try? File.open("/proc/self/exe", .read) {
      state.program = Int64(program.release())
    }
    let error = state.execute()
    state.giveBack(because: "\(error)", version: "the new program")
    throw ProgramError(.inputOutput, "cannot replace the program: \(error)")
  }

  /// Performs or refuses each request that a client has sent, and sends the replies.
  private func drain() throws(ProgramError) {
    // The call cannot fail: the poller has this descriptor.
    if acceptPause == nil { try? poller.remove(listeningSocket.listener.number) }
    acceptPause = nil
    try iterate { !eventLoop.isAtRest && !eventLoop.broker.isShuttingDown }
    guard !eventLoop.broker.isShuttingDown else { return }
    eventLoop.endInput(upgrading: true)
    performAndSend()
    try iterate { eventLoop.hasUnsentOutput }
  }

  /// Goes on while `isAwaited` is true, at most for the time of the drain.
  private func iterate(while isAwaited: () -> Bool) throws(ProgramError) {
    let deadline = SystemClock.monotonic() + Self.drainTimeout
    var events: ContiguousArray<PollEvent> = []
    while isAwaited() {
      let now = SystemClock.monotonic()
      guard now < deadline else { return }
      let time = min(deadline - now, timeToWait(at: now) ?? .max)
      try serverCall { () throws(SystemError) in
        try poller.wait(nanoseconds: time, into: &events)
      }
      try iterate(events)
    }
  }
}
