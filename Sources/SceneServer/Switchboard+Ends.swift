import SceneBroker
package import SceneModel

/// How connections end.
extension Switchboard {
  /// The other end is gone, or is to be left at once.
  package func hangUp(_ connection: Connection, _ reason: DisconnectReason) {
    guard connection.stage != .closed else { return }
    hasHeard = true
    tellClosed(connection, reason)
    close(connection)
  }

  /// To the rules it is gone already.
  func close(_ connection: Connection) {
    connection.stage = .closed
    connections.remove(connection.identifier)
    for timer: EdgeTimer in [
      .greeting(connection.identifier), .frame(connection.identifier),
      .slowReader(connection.identifier), .linger(connection.identifier),
    ] {
      cancel(timer)
    }
  }

  /// The other end says no more; it may still read what answers what it has said.
  package func finish(_ connection: Connection) {
    guard connection.stage.isHeard else { return }
    hasHeard = true
    connection.stage = .finishing
    finishing.append(connection)
  }

  /// Lets a connection's last words leave, with little patience. To the rules it is gone.
  func linger(_ identifier: ConnectionIdentifier, _ reason: DisconnectReason) {
    guard let connection = connections[identifier] else { return }
    tellClosed(connection, reason)
    connection.stage = .lingering
    set(.linger(identifier), after: Self.patience)
    listForOutput(connection)
  }

  private static let patience = Interval.seconds(1)

  private func tellClosed(_ connection: Connection, _ reason: DisconnectReason) {
    switch connection.stage {
    case .greeting, .open, .finishing: handle(.closed(connection.identifier, reason))
    case .leaving: handle(.closed(connection.identifier, .violation))
    case .lingering, .closed: break
    }
  }
}
