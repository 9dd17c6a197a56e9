import SceneCommandLine
import SceneControl
import SceneJSON
import SceneModel
import ScenePlatform

/// The end of a script: ends all processes and checks the invariants.
struct FinalCheck {
  let environment: ScriptEnvironment

  private var settings: ScriptEnvironment.Settings { environment.settings }

  /// Ends the clients, then the broker; returns the violations.
  func run() -> [InvariantViolation] {
    environment.deadline = SystemClock.monotonic() + settings.lineTimeout
    environment.fetchTrace()
    environment.history.end = environment.trace.count
    environment.clearOccurredFault()
    var sessions: [SessionSummary]?
    var kept: [SessionIdentifier: RawJSON] = [:]
    var violations: [InvariantViolation] = []
    // The end of the clients can cause the pending fault.
    let wasFaultPending = environment.isFaultPending
    if !environment.hasFaultOccurred() { environment.markFaultMissed() }
    do throws(StepFailure) {
      for client in environment.clients where client.process.end == nil {
        try environment.kill(client.name, .kill)
      }
      environment.killCommands()
      let detachedProcesses = environment.supervisor.detachedProcesses
      environment.supervisor.killDetachedProcesses()
      // A stray process can hold a connection, so it ends before the descriptors are counted.
      violations += killStrayProcesses()
      for process in detachedProcesses { try environment.awaitDisconnect(of: process.pid) }
      try restartBroker()
      try environment.settle()
      sessions = try listedSessions()
      kept = try activitiesKept(of: sessions ?? [])
      violations += try openDescriptors()
      environment.deadline = SystemClock.monotonic() + settings.exitTimeout
      if environment.hasBroker { try environment.stopBroker() }
      violations += killStrayProcesses()
    } catch {
      if !environment.hasFaultOccurred(), !wasFaultPending || environment.hasBroker {
        violations.append(
          InvariantViolation(sentence: "final check failed: \(error.message)"))
      }
    }
    environment.recordSaves()
    environment.history.sessions = sessions
    environment.history.contents.kept = kept
    return [environment.missedFault].compactMap { $0 }
      + Invariants.violations(in: environment.history) + violations
  }

  /// Starts a broker if the script has ended its own, because only a broker can list the sessions.
  private func restartBroker() throws(StepFailure) {
    guard !environment.hasBroker, environment.hasStarted else { return }
    do throws(StepFailure) {
      // The words behind -- are a command, which must not run again.
      try environment.startBroker(Array(environment.brokerOptions.prefix { $0 != "--" }))
    } catch {
      throw .unrunnable("the broker could not be restarted: \(error.message)")
    }
  }

  /// Kills the processes that are still running after `strayTimeout`.
  private func killStrayProcesses() -> [InvariantViolation] {
    var processes = strayProcesses()
    var delay = PollDelay()
    while !processes.isEmpty, delay.isBelow(settings.strayTimeout) {
      delay.wait()
      processes = strayProcesses()
    }
    return processes.sorted { $0.pid < $1.pid }.map { process in
      let pid = process.pid
      let command = ProcessIdentity.command(of: pid) ?? "(unknown command)"
      process.end()
      return InvariantViolation(
        sentence: PlainText.escaped(
          "process \(pid) was still running at the end and was killed: \(command)"))
    }
  }

  /// The broker ends its own children, so these do not count. The program of a client has its own
  /// process group.
  private func strayProcesses() -> Set<ProcessIdentity> {
    Set(environment.supervisor.members + environment.programs.filter(\.isAlive))
      .filter { !$0.descends(from: environment.broker?.process.pid) }
  }

  private func listedSessions() throws(StepFailure) -> [SessionSummary]? {
    guard let broker = environment.broker else { return nil }
    let sessions = try environment.brokerReply(
      broker.control.sessions(until: environment.deadline))
    environment.collectTrace()
    return sessions
  }

  /// The stored activities of the sessions that a client of the script has saved.
  private func activitiesKept(
    of sessions: [SessionSummary]
  ) throws(StepFailure) -> [SessionIdentifier: RawJSON] {
    guard let broker = environment.broker else { return [:] }
    environment.recordSaves()
    let saved = environment.history.contents.saved
    var kept: [SessionIdentifier: RawJSON] = [:]
    for session in sessions.map(\.session) where saved[session] != nil {
      let show = SessionShow(session: session)
      let reply = try environment.brokerReply(
        broker.control.request(show, until: environment.deadline))
      kept[session] = reply.sceneSession.stateRestorationActivity?.json ?? .null
    }
    return kept
  }

  /// Compares the broker's open descriptors with those at its start.
  private func openDescriptors() throws(StepFailure) -> [InvariantViolation] {
    guard let broker = environment.broker, let before = broker.descriptors else { return [] }
    var delay = PollDelay()
    while let open = OpenDescriptors(of: broker.process.pid) {
      let excess = open.excess(over: before)
      guard !excess.isEmpty else { return [] }
      guard delay.isBelow(settings.closeTimeout) else {
        return [
          InvariantViolation(
            sentence: PlainText.escaped(
              "after the last client left, the broker has more open descriptors than at its start: "
                + excess.joined(separator: "; ")))
        ]
      }
      // The broker can restart a process that it launched.
      environment.supervisor.killDetachedProcesses()
      // A trace entry about a lost connection ends the delay early.
      _ = try environment.brokerReply(environment.readTrace(broker, until: delay.nextPoll()))
    }
    return []
  }
}

extension ProcessIdentity {
  fileprivate func descends(from ancestor: Int32?) -> Bool {
    var process: Int32? = pid
    while let next = process, next > 1 {
      if next == ancestor { return true }
      process = ProcessIdentity.parent(of: next)
    }
    return false
  }
}
