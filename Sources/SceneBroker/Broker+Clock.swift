import SceneModel

/// A clock that stands still until it is told to go on: budgets and ages pass in no time, and never
/// by themselves.
extension Broker {
  mutating func advanceClock(_ message: AdvanceClock, _ asker: Asker) {
    guard environment.clock == .virtual else {
      return refuse(
        asker,
        BrokerError(
          .notPermitted, "this broker lives by the real clock; start one with --clock virtual"))
    }
    guard let time = Interval(seconds: message.seconds) else {
      return refuse(
        asker, BrokerError(.invalidParams, "seconds: expected a number from 0 to 31536000"))
    }
    guard !isShuttingDown else { return refuse(asker, shuttingDown) }
    advancing.append(asker)
    effects.advances.append(time)
  }

  /// The clock is where the first of those who are waiting wanted it.
  mutating func answerAdvance() {
    guard !advancing.isEmpty else { return }
    replyAboutAll(advancing.removeFirst(), .empty)
  }

  /// Clients that have not answered a callback whose budget runs.
  package var awaitedClients: Set<ConnectionIdentifier> {
    Set(scenes.values.lazy.filter { $0.running != nil }.map(\.holder))
  }
}
