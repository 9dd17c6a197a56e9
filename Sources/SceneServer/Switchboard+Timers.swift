import SceneBroker
import SceneModel

/// What is done when its time has come.
extension Switchboard {
  func set(_ timer: EdgeTimer, after time: Interval) {
    timers.set(timer, at: now.monotonic + time.nanoseconds)
  }

  /// When something is next to be done without anything coming in; nil for never.
  package var nextWakeUp: Int64? {
    postponed.isEmpty && effects.isEmpty ? timers.nextDue() : now.monotonic
  }

  /// Fires what is due.
  package func fireTimers() {
    endPostponed()
    while let timer = timers.takeDue(at: now.monotonic) {
      switch timer {
      case .broker(.callback(let connection, let callback)):
        postpone(callback, on: connection)
      case .broker(let timer):
        handle(.due(timer, debugged: false))
      case .greeting(let identifier):
        guard let connection = connections[identifier] else { continue }
        violate(
          connection, nil,
          BrokerError(
            .notInitialized, "no initialize within \(limits.handshakeSeconds) s"))
      case .frame(let identifier):
        guard let connection = connections[identifier] else { continue }
        violate(
          connection, nil,
          BrokerError(
            .invalidRequest, "a frame did not become whole within \(limits.frameSeconds) s"))
      case .slowReader(let identifier):
        if let connection = connections[identifier] { dropSlowReader(connection) }
      case .linger(let identifier):
        if let connection = connections[identifier] { hangUp(connection, .violation) }
      }
    }
  }

  private func postpone(_ callback: Int64, on connection: ConnectionIdentifier) {
    guard let kind = broker.kind(ofCallback: callback, on: connection) else { return }
    let budgetOnceMore = broker.manifest.budgets.budget(for: kind)
    postponed.add(
      callback, on: connection, round: round,
      latest: now.monotonic + budgetOnceMore.nanoseconds)
  }

  private func endPostponed() {
    let ended = postponed.takeEnded(round: round, at: now.monotonic) {
      connections[$0]?.hasUnreadInput ?? false
    }
    for (timer, connection) in ended where !isMoved(timer) {
      let pid = connections[connection]?.process.pid ?? 0
      handle(.due(timer, debugged: pid > 0 && processes.isDebugged(pid)))
    }
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
        postponed.remove(timer)
        set(.broker(timer), after: time)
      case .extend(let timer, let time):
        postponed.remove(timer)
        extend(timer, to: time)
      case .cancel(let timer):
        postponed.remove(timer)
        timers.cancel(.broker(timer))
      }
    }
  }

  /// More time, never less.
  func extend(_ timer: BrokerTimer, to time: Interval) {
    let due = now.monotonic + time.nanoseconds
    if due > timers.due(.broker(timer)) ?? .min { timers.set(.broker(timer), at: due) }
  }
}
