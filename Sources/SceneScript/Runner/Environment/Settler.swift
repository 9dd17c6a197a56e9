import SceneControl
import SceneModel
import ScenePlatform

/// Waits until the effects of a line are complete.
struct Settler {
  let environment: ScriptEnvironment

  private var clients: [ScriptClient] { environment.clients }
  private var deadline: Int64 { environment.deadline }

  /// Waits until nothing is in progress, and reads everything that the broker and the clients sent.
  ///
  /// A client can react to each message, so this repeats until no message is new. Clients that do
  /// not answer are excluded.
  func settle() throws(StepFailure) {
    var before: Int
    repeat {
      before = messageCount
      try settleBroker()
      for client in clients { try drain(client) }
      for client in clients
      where client.hasClosedOutput || client.hasSceneEnded && !client.isFrozen {
        try environment.awaitExit(client)
      }
      environment.collectTrace()
    } while messageCount != before
    environment.recordSettlePoint()
  }

  private var messageCount: Int {
    environment.trace.count
      + clients.reduce(0) { $0 + $1.messageCount + ($1.hasClosedOutput ? 1 : 0) }
  }

  // MARK: - Broker

  private func settleBroker() throws(StepFailure) {
    guard let broker = environment.broker else { return }
    var pollCount = 0
    do throws(ControlError) {
      settling: while true {
        let excluded = unresponsiveProcesses()
        let request = broker.control.post(Settle(except: excluded))
        var isAnswered = false
        defer { if !isAnswered { broker.control.forget(request) } }
        while unresponsiveProcesses() == excluded {
          isAnswered = try hasSettled(request, broker.control)
          if isAnswered { return environment.collectTrace() }
          pollCount += 1
          if pollCount % Self.pollsPerStopCheck == 0, environment.stoppedClient != nil {
            break settling
          }
        }
      }
    } catch {
      throw environment.brokerFailure(error)
    }
    try environment.checkNoneIsStopped()
    return try settleBroker()
  }

  /// The check for a stopped process reads /proc, which is slow.
  private static let pollsPerStopCheck = 10

  private func hasSettled(
    _ request: Int64, _ control: ControlConnection
  ) throws(ControlError) -> Bool {
    do throws(ControlError) {
      _ = try control.result(of: request, until: environment.nextPoll)
      return true
    } catch .timedOut where SystemClock.monotonic() < deadline {
      return false
    }
  }

  private func unresponsiveProcesses() -> [Int64] {
    for client in clients {
      client.readAvailable()
      updateFrozenState(of: client)
    }
    return clients.filter { $0.isAlive && $0.mayNotAnswer }.map { Int64($0.process.pid) }
  }

  /// Whether a wait can never end: only unresponsive clients are left, and the virtual clock that
  /// would disconnect them stands still until the next line. Nil means unknown.
  func waitCannotFinish() -> Bool? {
    guard let broker = environment.broker else { return nil }
    let excluded = unresponsiveProcesses()
    guard !excluded.isEmpty else { return nil }
    do throws(ControlError) {
      let settling = broker.control.post(Settle(except: excluded))
      while !(try hasSettled(settling, broker.control)) {
        guard unresponsiveProcesses() == excluded, SystemClock.monotonic() < deadline else {
          broker.control.forget(settling)
          return nil
        }
      }
      let status = try broker.control.request(ApplicationStatus(), until: deadline)
      return status.clock == "virtual" && unresponsiveProcesses() == excluded
    } catch {
      // The wait itself reports this error.
      return nil
    }
  }

  // MARK: - Clients

  /// Another process can resume or kill a frozen client.
  private func updateFrozenState(of client: ScriptClient) {
    guard client.isFrozen else { return }
    client.isFrozen =
      client.isAlive && ProcessActivity(of: client.process.pid)?.state == .stopped
  }

  /// Reads all output that a client has for the messages so far.
  ///
  /// The answer to `status` follows all earlier messages of the broker. Without a broker the client
  /// answers `help` by itself.
  private func drain(_ client: ScriptClient) throws(StepFailure) {
    updateFrozenState(of: client)
    if client.isFrozen { return client.readAvailable() }
    let hasBroker = environment.hasBroker
    if !hasBroker { try awaitDisconnectNotice(client) }
    // A client without a broker answers its pending lines after it has reconnected.
    if !hasBroker, client.hasPendingLines, client.isAlive { return client.readAvailable() }
    while hasBroker, client.hasLostBroker, client.isAlive {
      guard client.nextOutput(until: deadline) == nil, client.isAlive else { continue }
      throw .unrunnable("\(client.name) did not reconnect to the broker")
    }
    do throws(StepFailure) {
      if client.isAlive {
        let question = try client.type(hasBroker ? "status" : "help", until: deadline)
        if try environment.answer(of: client, to: question) == nil, !client.hasClosedOutput {
          throw .unrunnable("\(client.name) does not answer")
        }
      }
    } catch {
      try environment.checkNoneIsStopped()
      // A client that exits cannot answer.
      guard client.process.waitForEnd(until: deadline) != nil else { throw error }
    }
    if client.process.end != nil { client.readToEnd(until: deadline) }
  }

  /// Waits until a client has noticed the end of its broker, and has printed all earlier messages.
  private func awaitDisconnectNotice(_ client: ScriptClient) throws(StepFailure) {
    while client.hasLostBroker, client.isAlive, !client.isWaiting, !client.isIdle {
      guard client.nextOutput(until: deadline) == nil, client.isAlive else { continue }
      throw .unrunnable("\(client.name) did not notice that the broker ended")
    }
  }
}

extension ScriptEnvironment {
  private static let pollInterval: Int64 = 10_000_000

  /// The time of the next poll for a change that causes no message.
  var nextPoll: Int64 { min(SystemClock.monotonic() + Self.pollInterval, deadline) }

  /// Whether the wait of the current line can never end; see ``Settler/waitCannotFinish()``.
  package func waitCannotFinish() -> Bool {
    guard let result = Settler(environment: self).waitCannotFinish() else { return false }
    cannotFinish = result
    return result
  }

  /// A client that another process stopped.
  var stoppedClient: ScriptClient? {
    clients.first { client in
      client.isAlive && !client.isFrozen
        && ProcessActivity(of: client.process.pid)?.state == .stopped
    }
  }

  func checkNoneIsStopped() throws(StepFailure) {
    guard let client = stoppedClient else { return }
    let pid = client.process.pid
    throw .unrunnable(
      "\(client.name) (process \(pid)) is stopped, but not by the script; resume it with: "
        + "kill -CONT \(pid)\nTo stop a client in a script, use: freeze \(client.name)")
  }

  /// The answer of a client, as ``ScriptClient/answer(to:until:)``; throws if the client is
  /// stopped.
  func answer(of client: ScriptClient, to number: Int64) throws(StepFailure) -> ClientOutput? {
    while true {
      // The check for a stopped process takes longer than most answers.
      let nextCheck = min(SystemClock.monotonic() + 100_000_000, deadline)
      if let answer = client.answer(to: number, until: nextCheck) { return answer }
      if client.hasClosedOutput || nextCheck == deadline { return nil }
      try checkNoneIsStopped()
    }
  }

  /// Waits until a client whose scene has ended has exited, and the broker has noticed the exit.
  func awaitExit(_ client: ScriptClient) throws(StepFailure) {
    guard !client.isFinished else { return }
    guard client.process.waitForEnd(until: deadline) != nil else {
      throw .unrunnable("\(client.name) did not exit after its scene ended")
    }
    client.readToEnd(until: deadline)
    try awaitDisconnect(of: client.process.pid)
    client.isFinished = true
  }
}
