import SceneBroker
import SceneModel
import ScenePlatform

/// Expired timers, the virtual clock, and the return of unused memory.
extension EventLoop {
  /// Adds the nanoseconds in which the broker did not run to all running timers, at the start of an
  /// iteration.
  package func extendTimers(by time: Int64) { timers.extendAll(by: time) }

  /// When the loop must run without an event, in nanoseconds of the machine's monotonic clock; nil
  /// for never.
  package var nextWakeUp: Int64? {
    guard effects.isEmpty, !input.hasTurns, !output.hasReady else { return machineTime }
    return timers.nextWakeUp { connections[$0]?.isPaused == true }
  }

  /// Fires the timers that have expired.
  package func fireTimers() {
    endPostponed()
    moveClock()
    while let timer = timers.takeExpired() { fire(timer) }
    if timers.completeAdvance() { handle(.clockAdvanced) }
  }

  private func fire(_ timer: TimerKey) {
    switch timer {
    case .broker(let timer): fire(timer)
    case .handshake(let identifier):
      postpone(timer, on: identifier, .seconds(Int64(limits.handshakeSeconds)))
    case .frame(let identifier):
      postpone(timer, on: identifier, .seconds(Int64(limits.frameSeconds)))
    case .slowReader(let identifier):
      if let connection = connections[identifier] { output.scheduleLastOffer(connection) }
    case .linger(let identifier):
      if let connection = connections[identifier] { endWait(of: connection) }
    case .resend(let identifier):
      if let connection = connections[identifier] { output.resend(connection) }
    case .returnMemory: returnMemoryIfIdle()
    }
  }

  private func fire(_ timer: BrokerTimer) {
    switch timer {
    case .callback(let connection, let callback): overrun(callback, on: connection)
    case .reservations: postpone(.broker(timer), .reservation)
    case .livenessPoll, .resumption, .reclaim, .assertion, .relaunch, .restart, .exit, .trash,
      .pressurePause, .ping:
      handle(.due(timer))
    case .launch: postpone(.broker(timer), broker.manifest.budgets.connect)
    case .livenessQuery: postpone(.broker(timer), Broker.exitTimeout)
    case .shutdown: postpone(.broker(timer), Broker.shutdownTime)
    }
  }

  private func overrun(_ callback: Int64, on connection: ConnectionIdentifier) {
    guard let kind = broker.kind(ofCallback: callback, on: connection) else { return }
    postpone(
      .broker(.callback(connection, callback)), on: connection,
      broker.budget(for: kind))
  }

  /// The process itself may be late, and a message that was sent in time may still be unread.
  private func postpone(
    _ timer: TimerKey, on connection: ConnectionIdentifier? = nil, _ time: Interval
  ) {
    timers.postpone(timer, on: connection, iteration: iteration, atMost: time)
  }

  private func endPostponed() {
    guard !timers.postponed.isEmpty else { return }
    // A paused client may pause for any time, so timers of no connection do not wait for it.
    let isAnyUnread =
      input.hasNewClients || connections.contains { input.hasUnreadInput($0) && !$0.isPaused }
    let isReal = timers.clockKind == .real
    let ended = timers.takePostponed(iteration: iteration) { identifier in
      guard let identifier else { return isAnyUnread }
      // A closed connection has no unread input.
      guard let connection = connections[identifier] else { return false }
      guard connection.isPaused else { return input.hasUnreadInput(connection) }
      // The reply of a paused client may be unread, so the timer waits until its latest time. A
      // virtual clock has already waited for that client.
      return isReal
    }
    for timer in ended { end(timer) }
  }

  private func end(_ timer: TimerKey) {
    switch timer {
    case .broker(let timer):
      guard !isMoved(timer) else { return }
      handle(.due(timer, halt(of: timer)))
      if timer == .reservations { endSurvivors() }
    case .handshake(let identifier):
      // The client may have been initialized while its timer was postponed.
      if let connection = connections[identifier], openIfInitialized(connection) { return }
      giveUp(
        identifier, .notInitialized,
        "the client sent no initialize within \(limits.handshakeSeconds) s")
    case .frame(let identifier) where connections[identifier]?.isPaused == true:
      timers.set(timer, after: .seconds(Int64(limits.frameSeconds)))
    case .frame(let identifier):
      giveUp(
        identifier, .invalidRequest,
        "the client did not complete a frame within \(limits.frameSeconds) s")
    case .slowReader, .linger, .resend, .returnMemory:
      preconditionFailure("these timers do not end with input")
    }
  }

  private func halt(of timer: BrokerTimer) -> ProcessHalt? {
    guard case .callback(let identifier, _) = timer, let connection = connections[identifier]
    else { return nil }
    return processes.halt(of: connection.process)
  }

  private func giveUp(
    _ identifier: ConnectionIdentifier, _ reason: ErrorReason, _ message: String
  ) {
    guard let connection = connections[identifier], connection.stage.acceptsInput else { return }
    closeForViolation(connection, nil, BrokerError(reason, message))
  }

  /// Whether the broker has set, extended or canceled the timer in this iteration.
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
      case .set(let timer, let time): timers.set(.broker(timer), after: time)
      case .extend(let timer, let time):
        if !waitsToBegin(timer, extendedBy: time) { timers.extend(.broker(timer), by: time) }
      case .cancel(let timer): timers.cancel(.broker(timer))
      }
    }
  }

  /// Whether a callback waits for the disk. Then the extension changes the budget, which begins
  /// when the callback leaves.
  private func waitsToBegin(_ timer: BrokerTimer, extendedBy time: Interval) -> Bool {
    guard case .callback(let connection, let callback) = timer else { return false }
    return connections[connection]?.outbox.extend(callback, by: time) ?? false
  }

  // MARK: - The virtual clock

  /// Moves the virtual clock, in steps from timer to timer.
  ///
  /// Processes do not share the virtual clock. Before each step every client with an open callback
  /// has the chance to reply, however busy the machine is. So only a client that does not reply
  /// exceeds its budget.
  func moveClock() {
    guard timers.canMoveClock, !input.hasInput, !input.hasTurns, effects.isEmpty,
      !output.awaitsDisk, !output.hasReady, allAreIdle()
    else { return }
    timers.moveClock()
  }

  private func allAreIdle() -> Bool {
    let samples =
      broker.awaitedClients.compactMap(sample) + broker.startingProcesses.map(sample)
    return timers.areIdle(samples) && !broker.awaitsProcessEnd
  }

  /// Nil for a closed connection.
  private func sample(of client: ConnectionIdentifier) -> ProcessSample? {
    guard let connection = connections[client] else { return nil }
    let activity = processes.inspector.activity(of: connection.process.pid)
    let isCaughtUp =
      (!input.hasUnreadInput(connection) || connection.isPaused)
      && (connection.hasRead || activity?.state == .stopped)
    return ProcessSample(process: .client(client), isCaughtUp: isCaughtUp, activity: activity)
  }

  private func sample(of program: ClientProcess) -> ProcessSample {
    ProcessSample(
      process: .program(program), isCaughtUp: !input.hasNewClients,
      activity: processes.inspector.groupActivity(of: program.pid))
  }

  // MARK: - Memory

  /// About the memory of a connection or session, without the bytes that are counted.
  private static let baseByteCount = 1 << 10

  private func usedByteCount(_ figures: BrokerFigures) -> Int {
    figures.byteCount + (connections.count + figures.sessionCount) * Self.baseByteCount
  }

  /// Starts a timer at the end of an iteration in which much memory became unused.
  func noteMemory(_ figures: BrokerFigures) {
    if memory.note(usedByteCount(figures)) { timers.set(.returnMemory, after: MemoryMonitor.delay) }
  }

  func returnMemoryIfIdle() {
    guard !input.hasInput, !input.hasTurns else {
      return timers.set(.returnMemory, after: MemoryMonitor.delay)
    }
    let byteCount = usedByteCount(broker.figures())
    broker.returnUnusedMemory()
    timers.returnUnusedCapacity()
    memory.returnUnused(byteCount)
  }
}

/// Decides when the process returns unused memory to the system.
struct MemoryMonitor {
  /// The largest size since memory was returned.
  private var largest = 0
  private(set) var isScheduled = false
  private let returnMemory: () -> Void

  /// Memory is returned when the size has fallen by so many bytes.
  static let threshold = 8 << 20
  /// Memory is returned so much later, and only by an idle broker, because it takes some
  /// milliseconds.
  static let delay = Interval.seconds(2)

  init(_ returnMemory: @escaping () -> Void) { self.returnMemory = returnMemory }

  /// Whether the loop must start the timer: the size has fallen enough.
  mutating func note(_ byteCount: Int) -> Bool {
    largest = max(largest, byteCount)
    guard !isScheduled, largest - byteCount >= Self.threshold else { return false }
    isScheduled = true
    return true
  }

  /// Returns unused memory of the process, which has this size now.
  mutating func returnUnused(_ byteCount: Int) {
    isScheduled = false
    largest = byteCount
    returnMemory()
  }
}
