import SceneBroker
import SceneModel

/// What is done when its time has come.
extension Switchboard {
  func set(_ timer: EdgeTimer, after time: Interval) {
    postponed.remove(timer)
    timers.set(timer, at: machineTime + time.nanoseconds)
  }

  func cancel(_ timer: EdgeTimer) {
    postponed.remove(timer)
    timers.cancel(timer)
  }

  private func set(_ timer: BrokerTimer, after time: Interval) {
    if timer.isOfTheApplication {
      applicationTimers.set(timer, at: now.monotonic + time.nanoseconds)
    } else {
      set(.broker(timer), after: time)
    }
  }

  private func cancel(_ timer: BrokerTimer) {
    if timer.isOfTheApplication {
      applicationTimers.cancel(timer)
    } else {
      cancel(.broker(timer))
    }
  }

  /// Adds the nanoseconds in which the broker did not run to all running timers, at the start of a
  /// round.
  package func prolongTimers(by time: Int64) {
    timers.prolong(by: time)
    switch clock.kind {
    case .real: applicationTimers.prolong(by: time)
    case .virtual: resting.removeAll()
    }
    postponed.prolong(by: time)
  }

  /// When something is next to be done without anything coming in; nil for never.
  package var nextWakeUp: Int64? {
    guard effects.isEmpty, turns.isEmpty, outgoing.isEmpty else { return machineTime }
    var due = timers.nextDue()
    if let look = postponed.nextLook(at: machineTime, isPaused: isPaused) {
      due = min(due ?? .max, look)
    }
    switch clock.kind {
    case .real:
      guard let dueInApplication = applicationTimers.nextDue() else { return due }
      return min(due ?? .max, dueInApplication)
    case .virtual: return clock.isMoving ? machineTime + Self.lookAgain.nanoseconds : due
    }
  }

  /// Fires what is due.
  package func fireTimers() {
    askRules()
    endPostponed()
    moveClock()
    while let timer = applicationTimers.takeDue(at: now.monotonic) { fire(timer) }
    fireMachineTimers()
    arriveInTime()
  }

  private func fire(_ timer: BrokerTimer) {
    switch timer {
    case .callback(let connection, let callback): overrun(callback, on: connection)
    case .grace: postpone(.broker(timer), Broker.grace)
    case .watch, .reclaim, .assertion, .relaunch: handle(.due(timer, debugged: false))
    case .launch: postpone(.broker(timer), broker.manifest.budgets.connect)
    case .inquiry: postpone(.broker(timer), Broker.patience)
    case .shutdown: postpone(.broker(timer), Broker.shutdownTime)
    }
  }

  private func fireMachineTimers() {
    while let timer = timers.takeDue(at: machineTime) {
      switch timer {
      case .broker(let timer): fire(timer)
      case .greeting(let identifier):
        postpone(timer, on: identifier, .seconds(Int64(limits.handshakeSeconds)))
      case .frame(let identifier):
        postpone(timer, on: identifier, .seconds(Int64(limits.frameSeconds)))
      case .slowReader(let identifier):
        if let connection = connections[identifier] { offerOnceMore(connection) }
      case .linger(let identifier):
        if let connection = connections[identifier] { endWait(of: connection) }
      case .resend(let identifier): resend(to: identifier)
      case .returnMemory: returnMemoryIfIdle()
      }
    }
  }

  private func overrun(_ callback: Int64, on connection: ConnectionIdentifier) {
    guard let kind = broker.kind(ofCallback: callback, on: connection) else { return }
    postpone(
      .broker(.callback(connection, callback)), on: connection,
      broker.budget(for: kind))
  }

  /// The broker itself may be late, and what the client, or any client, said in time may still lie in
  /// the socket.
  private func postpone(
    _ timer: EdgeTimer, on connection: ConnectionIdentifier? = nil, _ timeOnceMore: Interval
  ) {
    postponed.add(
      timer, on: connection, round: round, latest: machineTime + timeOnceMore.nanoseconds)
  }

  private func endPostponed() {
    guard !postponed.isEmpty else { return }
    // A paused client may pause for any time, so timers of no connection do not wait for it.
    let isAnyUnread =
      hasNewcomers || connections.contains { hasUnreadInput($0) && !$0.isPaused }
    let ended = postponed.takeEnded(round: round, at: machineTime) { identifier in
      guard let identifier else { return isAnyUnread }
      // Nothing is known of a connection that is gone.
      guard let connection = connections[identifier] else { return false }
      guard connection.isPaused else { return hasUnreadInput(connection) }
      // A virtual clock moves only once a paused client rests.
      return clock.kind == .real
    }
    for timer in ended { end(timer) }
  }

  private func isPaused(_ identifier: ConnectionIdentifier) -> Bool {
    connections[identifier]?.isPaused == true
  }

  /// Whether this round may have left bytes unheard. What an earlier one left in the socket was
  /// reported again in this one, or was nothing.
  func hasUnreadInput(_ connection: Connection) -> Bool {
    connection.fullReadRound == round || connection.waitsForTurn
      || !connection.heldInput.isEmpty
  }

  private func end(_ timer: EdgeTimer) {
    switch timer {
    case .broker(let timer):
      guard !isMoved(timer) else { return }
      handle(.due(timer, debugged: isDebugged(timer)))
      if timer == .grace { endSurvivors() }
    case .greeting(let identifier):
      // Who had to wait to be let in may be in by now.
      if let connection = connections[identifier], greet(connection) { return }
      giveUp(
        identifier, .notInitialized, "no initialize within \(limits.handshakeSeconds) s")
    case .frame(let identifier) where connections[identifier]?.isPaused == true:
      set(timer, after: .seconds(Int64(limits.frameSeconds)))
    case .frame(let identifier):
      giveUp(
        identifier, .invalidRequest,
        "a frame did not become whole within \(limits.frameSeconds) s")
    case .slowReader, .linger, .resend, .returnMemory:
      preconditionFailure("they are not about what a client says")
    }
  }

  private func endSurvivors() {
    guard broker.manifest.roles.contains(where: { !$0.launches.isEmpty }) else { return }
    let connected = connections.identifiers.compactMap { connections[$0]?.process.pid }
    launcher?.endSurvivors(sparing: Set(connected))
  }

  private func isDebugged(_ timer: BrokerTimer) -> Bool {
    guard case .callback(let identifier, _) = timer,
      let pid = connections[identifier]?.process.pid, pid > 0
    else { return false }
    return processes.isDebugged(pid)
  }

  private func giveUp(
    _ identifier: ConnectionIdentifier, _ reason: ErrorReason, _ message: String
  ) {
    guard let connection = connections[identifier], connection.stage.isHeard else { return }
    violate(connection, nil, BrokerError(reason, message))
  }

  /// Whether the rules have given a timer another time in this round, or none.
  private func isMoved(_ timer: BrokerTimer) -> Bool {
    effects.timers.contains { change in
      switch change {
      case .set(timer, _), .extend(timer, _), .cancel(timer): true
      case .set, .extend, .cancel: false
      }
    }
  }

  func changeTimers(_ changes: [TimerChange]) {
    for change in changes {
      switch change {
      case .set(let timer, let time):
        postponed.remove(.broker(timer))
        set(timer, after: time)
      case .extend(let timer, let time):
        guard !waitsToBegin(timer, extendedBy: time) else { continue }
        postponed.remove(.broker(timer))
        extend(timer, by: time)
      case .cancel(let timer):
        postponed.remove(.broker(timer))
        cancel(timer)
      }
    }
  }

  /// Whether a callback waits for the disk: then so does the time that was asked for.
  private func waitsToBegin(_ timer: BrokerTimer, extendedBy time: Interval) -> Bool {
    guard case .callback(let connection, let callback) = timer else { return false }
    return connections[connection]?.outbox.extend(callback, by: time) ?? false
  }

  /// More time for a callback, never less.
  func extend(_ timer: BrokerTimer, by time: Interval) {
    let due = now.monotonic + time.nanoseconds
    if due > applicationTimers.due(timer) ?? .min { applicationTimers.set(timer, at: due) }
  }
}

extension BrokerTimer {
  /// Whether it goes by the application's clock, which may stand still. A dying process dies by the
  /// machine's, and a daemon that is told to end does not ask who moves the clock.
  fileprivate var isOfTheApplication: Bool {
    switch self {
    case .callback, .grace, .reclaim, .assertion, .launch, .relaunch: true
    case .watch, .inquiry, .shutdown: false
    }
  }
}
