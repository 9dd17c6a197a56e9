import SceneModel

/// A virtual clock advances only by request, so that a test waits for no timeout.
extension Broker {
  mutating func advanceClock(_ message: AdvanceClock, _ requester: Requester) throws(BrokerError) {
    guard environment.clock == .virtual else {
      throw BrokerError(
        .notPermitted, "this broker uses the real clock; start a broker with --clock virtual")
    }
    guard let time = Interval(seconds: message.seconds) else {
      throw BrokerError(.invalidParams, "seconds: expected a number from 0 to 31536000")
    }
    guard !isShuttingDown else { throw BrokerError.shuttingDown }
    conditionWaiters.wait(for: .clock, requester)
    effects.commands.append(.advance(time))
  }

  /// The clock has reached the time of the first request.
  mutating func clockAdvanced() {
    if let requester = conditionWaiters.completeFirst(.clock) { replyAboutAll(requester, .empty) }
  }

  /// The clients with a callback without a reply.
  package var awaitedClients: Set<ConnectionIdentifier> {
    Set(scenes.all.values.lazy.filter { $0.pendingCallback != nil }.map(\.holder))
  }
}
