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
      turns.isEmpty, postponed.isEmpty, nobodyWillAnswer()
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
    let awaited =
      broker.awaitedClients.map(Awaited.client) + broker.startingProcesses.map(Awaited.program)
    resting = resting.filter { awaited.contains($0.key) }
    // All are looked at each time, so that they rest at the same time.
    return awaited.map(willNotAnswer).allSatisfy(\.self) && !broker.awaitsProcessEnd
  }

  private func willNotAnswer(_ awaited: Awaited) -> Bool {
    let activity: ProcessActivity?
    let isDeaf: Bool
    switch awaited {
    case .client(let identifier):
      guard let connection = connections[identifier] else { return true }
      activity = processes.activity(of: connection.process.pid)
      isDeaf =
        (!hasUnreadInput(connection) || connection.isPaused)
        && (connection.hasRead || activity?.state == .stopped)
    case .program(let process):
      activity = processes.groupActivity(of: process.pid)
      isDeaf = !hasNewcomers
    }
    guard isDeaf, activity?.state != .running else {
      resting[awaited] = nil
      return false
    }
    let runs = activity?.runs ?? 0
    if let rest = resting[awaited], rest.runs == runs {
      let patience = activity == nil ? Self.blindPatience : Self.patience
      return machineTime - rest.since >= patience.nanoseconds
    }
    resting[awaited] = Rest(runs: runs, since: machineTime)
    return false
  }
}

/// Who is waited for: a client's answer to a callback, or that a process which was started says who
/// it is.
enum Awaited: Hashable {
  case client(ConnectionIdentifier)
  case program(ClientProcess)
}

/// A process that has not run since then.
struct Rest {
  var runs: UInt64
  /// By the machine's monotonic clock.
  var since: Int64
}
