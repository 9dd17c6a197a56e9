import SceneBroker
import SceneModel
import ScenePlatform

/// A virtual clock goes on from one timer to the next. Processes are real all the same: before each
/// step everybody who was asked something has had the chance to answer, however busy the machine
/// is. So only a client that does not answer overruns its budget.
extension Switchboard {
  /// How long a client that was asked something must rest, by the machine's clock, to be taken for
  /// one that will not answer.
  private static let patience = Interval.milliseconds(50)
  /// The same where the system does not tell whether a process rests.
  private static let blindPatience = Interval.seconds(1)
  /// How long to wait before looking again.
  static let lookAgain = Interval.milliseconds(2)

  func moveClock() {
    guard clock.isMoving, !hasHeard, effects.isEmpty, heldBack.isEmpty, outgoing.isEmpty,
      postponed.isEmpty, nobodyWillAnswer()
    else { return }
    clock.move(to: applicationTimers.nextDue())
  }

  /// Once everything that was due on the way has been done.
  func arriveInTime() {
    guard clock.isMoving, postponed.isEmpty, applicationTimers.nextDue() ?? .max > now.monotonic,
      clock.arrive()
    else { return }
    handle(.clockAdvanced)
  }

  private func nobodyWillAnswer() -> Bool {
    let awaited = broker.awaitedClients
    resting = resting.filter { awaited.contains($0.key) }
    // All are looked at each time, so that they rest at the same time.
    return awaited.map(willNotAnswer).allSatisfy(\.self)
  }

  private func willNotAnswer(_ identifier: ConnectionIdentifier) -> Bool {
    guard let connection = connections[identifier] else { return true }
    let activity = processes.activity(of: connection.process.pid)
    guard !hasUnreadInput(connection), connection.hasRead || activity?.state == .stopped,
      activity?.state != .running
    else {
      resting[identifier] = nil
      return false
    }
    let runs = activity?.runs ?? 0
    if let rest = resting[identifier], rest.runs == runs {
      let patience = activity == nil ? Self.blindPatience : Self.patience
      return machineTime - rest.since >= patience.nanoseconds
    }
    resting[identifier] = Rest(runs: runs, since: machineTime)
    return false
  }
}

/// A process that has not run since then.
struct Rest {
  var runs: UInt64
  /// By the machine's monotonic clock.
  var since: Int64
}
