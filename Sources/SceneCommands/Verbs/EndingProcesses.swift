import CommandLine
import SceneControl
import SceneModel
import ScenePlatform
import SceneWire

extension Errand {
  // MARK: - kill

  func kill() throws(ProgramError) -> ExitCode {
    let signal = try requestedSignal()
    // Observing comes first, so that no end is missed.
    let waits = SentSignal.endsProcesses(signal.name) && !invocation.has("no-wait")
    if waits {
      _ = try ask { broker throws(ControlError) in
        try broker.request(SessionObserve(), until: patience())
      }
    }
    let held = try holders(of: try find(try sessionWords()))
    var reached: Set<Int32> = []
    for held in held where reached.insert(held.pid).inserted { try send(signal, to: held) }
    if waits { try waitForEnds(of: held) }
    return .success
  }

  private func requestedSignal() throws(ProgramError) -> Signal {
    let name = invocation.value("signal") ?? ""
    if let signal = Signal(name: name) { return signal }
    if name == "0" {
      let session = invocation.arguments("SESSION").first?.shellWord ?? "SESSION"
      throw ProgramError(
        .usage,
        "kill does not support signal \"0\"\n"
          + "Test for a process with: " + advice().line("is \(session) 'client.pid!=null'"))
    }
    let suggestion = suggestion(for: name, among: Signal.words.filter { Int($0) == nil })
    let advice =
      suggestion.isEmpty ? "; use a name such as TERM, or a number such as 15" : suggestion
    throw usageFailure("unknown signal \"\(PlainText.escaped(name))\"\(advice)")
  }

  private struct Held {
    let session: SessionSummary
    let pid: Int32
    /// When the process started; nil where the broker does not know.
    let startTime: UInt64?

    /// Whether the process is gone, and another has its number by now.
    var isGone: Bool {
      guard let startTime, let now = ProcessIdentity.of(pid) else { return false }
      return now.startTime != startTime
    }
  }

  private func holders(of sessions: [FoundSession]) throws(ProgramError) -> [Held] {
    var held: [Held] = []
    for summary in sessions.map(\.details.summary) {
      guard let client = summary.client else {
        throw ProgramError(.failure, "\(summary.label) is unattached: no process holds it")
      }
      // 0 and less stand for groups of processes, 1 for the system's own.
      guard let pid = Int32(exactly: client.pid), pid > 1 else {
        throw ProgramError(.failure, "\(summary.label): the broker does not know the process")
      }
      held.append(Held(session: summary, pid: pid, startTime: client.startTime))
    }
    return held
  }

  /// The broker sends the signal, so that it can name the sender. A process that is gone already, or
  /// that no longer holds the session, has done what was wanted of it.
  private func send(_ signal: Signal, to held: Held) throws(ProgramError) {
    let request = SceneSignal(
      session: held.session.session, signal: signal.name, pid: Int64(held.pid))
    let refusal = try ask { broker throws(ControlError) -> RemoteError? in
      do throws(ControlError) {
        _ = try broker.result(of: broker.post(request), until: patience())
        return nil
      } catch .refused(let refusal) {
        return refusal
      }
    }
    guard let refusal else { return }
    if refusal.is(.methodNotFound) { return try sendDirectly(signal, to: held) }
    let wentMeanwhile: [ErrorReason] = [.sessionNotFound, .sessionNotHeld, .sessionInUse]
    guard !wentMeanwhile.contains(where: refusal.is) else { return }
    throw ProgramError(refusal, about: held.session.label)
  }

  /// A broker of an earlier version does not send signals.
  private func sendDirectly(_ signal: Signal, to held: Held) throws(ProgramError) {
    guard !held.isGone else { return }
    do throws(SystemError) {
      try signal.send(to: held.pid)
    } catch {
      if error.code == .noSuchProcess { return }
      throw ProgramError(ExitCode(for: error), "process \(held.pid): \(error.code)")
    }
  }

  private func waitForEnds(of held: [Held]) throws(ProgramError) {
    var rest = held
    while !rest.isEmpty {
      let change = try ask { broker throws(ControlError) in
        try broker.nextNotification(until: deadline)
      }
      guard let change else {
        let labels = rest.map { "\($0.session.label) (process \($0.pid))" }
        throw ProgramError(
          .timedOut,
          "timed out after \(invocation.value("timeout") ?? ""): still held: "
            + labels.joined(separator: ", "))
      }
      switch try ask({ (_) throws(ControlError) in try change.read() }) {
      case .sessionChanged(let summary):
        rest.removeAll { $0.session.session == summary.session && !summary.isHeld(by: $0.pid) }
      case .sessionDiscarded(let session):
        rest.removeAll { $0.session.session == session }
      case .phaseChanged, .memoryWarning, .significantTimeChange, .posted, .trace,
        .delegate, nil:
        continue
      }
    }
  }

  // MARK: - shutdown

  func shutdown() throws(ProgramError) -> ExitCode {
    let progress = console.beginProgress()
    defer { progress?.end() }
    let pid = try brokerPID()
    let process = Int32(exactly: pid).flatMap(ProcessIdentity.of)
    let json = try ask { broker throws(ControlError) in
      try broker.result(of: broker.post(Terminate()), until: patience())
    }
    if printsJSON { console.print(json) }
    if invocation.has("no-wait") { return .success }
    let isClosed = try ask { broker throws(ControlError) in
      guard let progress else { return try broker.waitForEnd(until: deadline) }
      var wait = ShutdownWait(pid: pid)
      return try wait.run(broker, until: deadline, showing: progress)
    }
    guard isClosed else {
      let holder = LockHolder(readFrom: LockHolder.file(besideSocket: try socketPath()))
      throw ProgramError(
        .timedOut,
        "timed out after \(invocation.value("timeout") ?? ""): the broker still runs"
          + (holder.map { " (process \($0.pid))\n\($0.adviceOnSilence)" } ?? ""))
    }
    if let process { try waitForEnd(of: process) }
    return .success
  }

  private func brokerPID() throws(ProgramError) -> Int64 {
    try ask { broker throws(ControlError) in
      try broker.broker(until: patience()).broker.pid
    }
  }

  /// The connection is closed a moment before the process lets its locks go. The kernel tells only
  /// a parent of a process's end, so it is looked for, for a while.
  private func waitForEnd(of process: ProcessIdentity) throws(ProgramError) {
    let deadline = SystemClock.monotonic() + 2_000_000_000
    do throws(SystemError) {
      var pipe = try FileDescriptor.pipe()
      let neverReadable = pipe.takeFirst()
      let other = pipe.takeSecond()
      while process.isAlive, SystemClock.monotonic() < deadline {
        _ = try neverReadable.waitReadable(nanoseconds: 1_000_000)
      }
      other.close()
    } catch {
      throw ProgramError(error)
    }
  }
}

extension SessionSummary {
  fileprivate func isHeld(by pid: Int32) -> Bool { client?.pid == Int64(pid) }
}
