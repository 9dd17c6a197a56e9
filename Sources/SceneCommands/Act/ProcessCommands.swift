import SceneCommandLine
import SceneControl
import SceneJSON
import SceneModel
import ScenePlatform
import SceneScript
import SceneWire

extension Verb {
  static let kill = Verb(
    "kill", "Send a signal to the process that holds a session.", run: CommandContext.kill,
    details: """
      Returns when the broker has seen the end of the process. After a signal that stops or \
      continues a process, the verb returns at once. `scenectl why` and `scenectl history` name \
      the sender. The verb does not use $SCENE_SESSION.
      """,
    arguments: [.repeated("SESSION", "the sessions", .session)],
    options: [
      .value(
        "signal", short: "s", "NAME", "the signal; also -NAME or -NUMBER",
        .suggested(Signal.words), default: "KILL"
      ).dashed(Signal.words),
      .timeout("10s"), .noWait,
    ],
    examples: [
      "scenectl kill packing": "Ends the process as a crash does.",
      "scenectl kill -TERM packing": "Asks the process to end.",
    ],
    exits: [
      .failure: "no process holds the session", .notAllowed: "another user owns the process",
      .timedOut: "the process still runs",
    ])

  static let ping = Verb(
    "ping", "Ask whether the client of a session responds.", script: .acts,
    run: CommandContext.ping,
    details: """
      The client answers from the queue of the scene's delegate, so a delegate that is blocked \
      does not answer. For a wrapped command, `scene` itself answers.
      """,
    arguments: [.optional("SESSION", "the session; default: $SCENE_SESSION", .session)],
    options: [.timeout("5s")],
    examples: ["scenectl ping packing": "Prints the time that the client needed."],
    exits: [
      .failure: "the session has no scene",
      .tryAgain: "the client has not answered in the time, is stopped or is being debugged",
    ])

  static let memoryWarning = Verb(
    "memory-warning", "Tell every client that memory is low.", script: .acts,
    run: CommandContext.memoryWarning,
    details: """
      The broker then disconnects the scenes in the background. A scene with an assertion stays. \
      With --pressure, the broker takes one step, as when the system reports memory pressure: the \
      warning, the end of an idle launched program, or the reclaim of one scene. After 30 s \
      without a step, the next one is the warning.
      """,
    options: [
      .flag("pressure", "take one step against memory pressure instead"), .timeout(),
    ],
    examples: [
      "scenectl memory-warning": "Returns when the scenes in the background are unattached.",
      "scenectl memory-warning --pressure": "Warns all clients; the next call goes further.",
    ])

  static let timeChange = Verb(
    "time-change", "Tell every client that the day or the clock changed.", script: .acts,
    run: CommandContext.timeChange,
    options: [.timeout()],
    examples: ["scenectl time-change": "Every client gets the same notification as at midnight."])

  static let shutdown = Verb(
    "shutdown", "End the application cleanly, and then its broker.", script: .acts,
    run: CommandContext.shutdown,
    details: """
      The broker disconnects every scene cleanly. All scenes together have 4 s for that. If \
      the broker has not read all answers by then, they have 8 s. The verb returns when the broker has \
      ended.
      """,
    options: [.timeout(), .noWait],
    examples: [
      "scenectl shutdown": "Returns when all scenes have saved and the broker has ended."
    ])
}

extension CommandContext {
  fileprivate func kill() throws -> ExitCode {
    let signal = try requestedSignal()
    // Observe before the query, so that no end is missed.
    let waits = SentSignal.endsProcesses(signal.name) && !invocation.has("no-wait")
    if waits { _ = try request(SessionObserve()) }
    let held = try holders(of: try findSessions(try sessionArguments()))
    var reached: Set<Int32> = []
    for held in held where reached.insert(held.pid).inserted { try send(signal, to: held) }
    if waits { try waitForEnds(of: held) }
    return .success
  }

  private func requestedSignal() throws -> Signal {
    let name = invocation.value("signal") ?? ""
    if let signal = Signal(name: name) { return signal }
    if name == "0" {
      let session = invocation.arguments("SESSION").first?.shellWord ?? "SESSION"
      throw ProgramError(
        .usage,
        "kill does not support signal \"0\"\n"
          + "Test for a process with: " + suggestions().line("is \(session) 'client.pid!=null'"))
    }
    let suggestion = suggestion(for: name, among: Signal.words.filter { Int($0) == nil })
    let advice =
      suggestion.isEmpty ? "; use a name such as TERM, or a number such as 15" : suggestion
    throw invocation.usageError("unknown signal \"\(PlainText.escaped(name))\"\(advice)")
  }

  private struct HeldSession {
    let session: SessionSummary
    let pid: Int32
    /// The start time of the process; nil if the broker does not know it.
    let startTime: UInt64?

    var process: ProcessIdentity? {
      startTime.map { ProcessIdentity(pid: pid, startTime: $0) } ?? ProcessIdentity.of(pid)
    }
  }

  private func holders(of sessions: [FoundSession]) throws -> [HeldSession] {
    var held: [HeldSession] = []
    for summary in sessions.map(\.details.summary) {
      guard let client = summary.client else {
        throw ProgramError(.failure, "\(summary.label) is unattached: no process holds it")
      }
      // Numbers below 1 select process groups; 1 is the system's first process.
      guard let pid = Int32(exactly: client.pid), pid > 1 else {
        throw ProgramError(.failure, "\(summary.label): the broker does not know the process")
      }
      held.append(HeldSession(session: summary, pid: pid, startTime: client.startTime))
    }
    return held
  }

  /// Asks the broker to send the signal, so that the trace names the sender. A process that no
  /// longer holds the session is not an error.
  private func send(_ signal: Signal, to held: HeldSession) throws {
    let request = SceneSignal(
      session: held.session.session, signal: signal.name, pid: Int64(held.pid))
    do {
      _ = try broker.result(of: broker.post(request), until: replyDeadline())
    } catch ControlError.refused(let refusal) {
      if refusal.is(.methodNotFound) { return try sendDirectly(signal, to: held) }
      let wentMeanwhile: [ErrorReason] = [.sessionNotFound, .sessionNotHeld, .sessionInUse]
      guard !wentMeanwhile.contains(where: refusal.is) else { return }
      throw ProgramError(refusal, about: held.session.label)
    }
  }

  /// For a broker of an earlier version, which cannot send signals.
  private func sendDirectly(_ signal: Signal, to held: HeldSession) throws {
    do throws(SystemError) {
      _ = try held.process?.signal(signal)
    } catch {
      throw ProgramError(ExitCode(for: error), "process \(held.pid): \(error.code)")
    }
  }

  private func waitForEnds(of held: [HeldSession]) throws {
    var rest = held
    var hasReconnected = false
    func remains(_ held: HeldSession, in summary: SessionSummary) -> Bool {
      // The next broker reserves the session until its client has resumed.
      summary.isHeld(by: held.pid)
        || hasReconnected && summary.client == nil && summary.disconnect == nil
    }
    while !rest.isEmpty {
      let end = deadline ?? .max
      // The next broker learns late of a process that ends before it resumes.
      let pollEnd = hasReconnected ? SystemClock.monotonic() + 50_000_000 : end
      let change = try broker.nextNotification(until: min(pollEnd, end))
      if hasReconnected { rest.removeAll { $0.process?.isAlive != true } }
      guard let change else {
        if pollEnd < end { continue }
        let labels = rest.map { "\($0.session.label) (process \($0.pid))" }
        throw ProgramError(
          .timedOut,
          "timed out after \(timeoutText ?? ""): still held: "
            + labels.joined(separator: ", "))
      }
      if change.interruption == .reconnected {
        hasReconnected = true
        let known = try broker.sessions(until: replyDeadline())
        rest = rest.filter { held in
          known.contains { $0.session == held.session.session && remains(held, in: $0) }
        }
      }
      switch change.content {
      case .sessionChanged(let summary):
        rest.removeAll { $0.session.session == summary.session && !remains($0, in: summary) }
      case .sessionDiscarded(let session):
        rest.removeAll { $0.session.session == session }
      default: continue
      }
    }
  }

  fileprivate func ping() throws -> ExitCode {
    let time = try boundedTimeout()
    let session = try findSession()
    let request = SessionPing(
      session: session.identifier, seconds: Double(time) / 1_000_000_000)
    let json: RawJSON
    do {
      // The broker reports the end of the time.
      json = try broker.result(
        of: broker.post(request),
        until: SystemClock.monotonic() &+ time &+ 2_000_000_000)
    } catch ControlError.refused(let refusal) {
      throw ProgramError(refusal, suggestions: suggestions())
    }
    if printsJSON { return succeed(json) }
    let reply = try ControlConnection.read(SessionPing.Reply.self, from: json)
    let summary = session.details.summary
    let process = summary.client.map { " " + PlainText.escaped($0.processLabel) } ?? ""
    console.print("\(summary.label):\(process) answered in \(reply.milliseconds) ms")
    return .success
  }

  fileprivate func memoryWarning() throws -> ExitCode {
    try send(MemoryWarning(pressure: invocation.has("pressure")))
  }

  fileprivate func timeChange() throws -> ExitCode {
    try send(SignificantTimeChange())
  }

  fileprivate func shutdown() throws -> ExitCode {
    let progress = console.beginProgress()
    defer { progress?.end() }
    let pid = try broker.greeting(until: replyDeadline()).broker.pid
    let process = Int32(exactly: pid).flatMap(ProcessIdentity.of)
    let json = try broker.result(of: broker.post(Terminate()), until: replyDeadline())
    if printsJSON { console.print(json) }
    if invocation.has("no-wait") { return .success }
    let isClosed =
      try progress.map { try ShutdownWait.run(broker, of: pid, until: deadline, showing: $0) }
      ?? broker.waitForEnd(until: deadline)
    guard isClosed else {
      let holder = LockHolder(readFrom: LockHolder.file(besideSocket: try socketPath()))
      throw ProgramError(
        .timedOut,
        "timed out after \(timeoutText ?? ""): the broker still runs"
          + (holder.map { " (process \($0.pid))" + adviceOnSilence(of: $0) } ?? ""))
    }
    // The process releases its locks after it closes the connection.
    if let process { [process].awaitEnds(nanoseconds: 2_000_000_000) }
    return .success
  }
}

extension SessionSummary {
  fileprivate func isHeld(by pid: Int32) -> Bool { client?.pid == Int64(pid) }
}
