import SceneModel

/// A clock that stands still until it is told to go on: budgets and ages pass in no time, and never
/// by themselves.
extension Broker {
  mutating func advanceClock(_ message: AdvanceClock, _ requester: Requester) {
    guard environment.clock == .virtual else {
      return refuse(
        requester,
        BrokerError(
          .notPermitted, "this broker uses the real clock; start a broker with --clock virtual"))
    }
    guard let time = Interval(seconds: message.seconds) else {
      return refuse(
        requester, BrokerError(.invalidParams, "seconds: expected a number from 0 to 31536000"))
    }
    guard !isShuttingDown else { return refuse(requester, shuttingDown) }
    completions.wait(for: .clock, requester)
    effects.advances.append(time)
  }

  /// The clock is where the first of those who are waiting wanted it.
  mutating func answerAdvance() {
    if let requester = completions.completeFirst(.clock) { replyAboutAll(requester, .empty) }
  }

  /// Clients that have not answered a callback whose budget runs.
  package var awaitedClients: Set<ConnectionIdentifier> { scenes.awaitedClients }
}
