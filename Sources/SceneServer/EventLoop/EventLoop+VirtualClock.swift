import SceneBroker
import SceneModel
import ScenePlatform

/// Moving a virtual clock, in steps from timer to timer.
///
/// Processes do not share the virtual clock. Before each step every client with an open callback
/// has the chance to reply, however busy the machine is. So only a client that does not reply
/// exceeds its budget.
extension EventLoop {
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
    let activity = processes.activity(of: connection.process)
    let isCaughtUp =
      (!input.hasUnreadInput(connection) || connection.isPaused)
      && (connection.hasRead || activity?.state == .stopped)
    return ProcessSample(process: .client(client), isCaughtUp: isCaughtUp, activity: activity)
  }

  private func sample(of program: ClientProcess) -> ProcessSample {
    ProcessSample(
      process: .program(program), isCaughtUp: !input.hasNewClients,
      activity: processes.groupActivity(of: program))
  }
}
