import SceneModel

/// Exits of clients that the broker did not start. The system tells them only after the parent of
/// the process has waited for it.
struct PeerExits {
  typealias Hold = (session: SessionIdentifier, hold: Int64)

  private var waits: [ConnectionIdentifier: (holds: [Hold], attempts: Int)] = [:]

  /// The attempts to read an exit end after 2.5 s.
  private static let attempts = 8

  /// A client held these sessions when its connection closed.
  mutating func await(_ connection: ConnectionIdentifier, holding holds: [Hold]) {
    waits[connection] = (holds, 0)
  }

  /// The delay before the next attempt; nil after the last one. The delay doubles.
  mutating func nextAttempt(_ connection: ConnectionIdentifier) -> Interval? {
    guard let count = waits[connection]?.attempts, count < Self.attempts else { return nil }
    waits[connection]?.attempts += 1
    return .milliseconds(10 << Int64(count))
  }

  mutating func finish(_ connection: ConnectionIdentifier) -> [Hold] {
    waits.removeValue(forKey: connection)?.holds ?? []
  }
}

extension Broker {
  /// Whether the exit of the client's process explains the end of its scenes.
  package func needsExit(of connection: ConnectionIdentifier) -> Bool {
    guard let client = clients[connection] else { return false }
    return client.launch == nil && client.exit == nil && !client.held.isEmpty
  }

  mutating func awaitExit(
    of connection: ConnectionIdentifier, holding sessions: [SessionIdentifier]
  ) {
    let holds = sessions.compactMap { session in store[session].map { (session, $0.hold.number) } }
    launches.peerExits.await(connection, holding: holds)
    scheduleExit(of: connection)
  }

  private mutating func scheduleExit(of connection: ConnectionIdentifier) {
    if let delay = launches.peerExits.nextAttempt(connection) {
      effects.timers.append(.set(.exit(connection), delay))
    } else {
      _ = launches.peerExits.finish(connection)
      effects.commands.append(.forgetExit(connection))
    }
  }

  /// The event loop has tried to read the exit.
  mutating func exitRead(_ connection: ConnectionIdentifier, _ exit: ClientExit?) {
    guard var exit else { return scheduleExit(of: connection) }
    exit.isOfClient = true
    if let client = clients[connection] { return client.exit = exit }
    for (session, hold) in launches.peerExits.finish(connection) {
      addExit(exit, toEndOf: session, hold)
    }
  }
}
