import SceneBroker
package import SceneModel
import ScenePlatform

/// How connections end.
extension Switchboard {
  /// The other end is gone, or is to be left at once.
  package func hangUp(_ connection: Connection, _ reason: DisconnectReason) {
    askRules()
    connection.isGone = true
    hearRest(of: connection)
    guard connection.stage != .closed else { return }
    hasHeard = true
    tellClosed(connection, reason)
    close(connection)
  }

  /// To the rules it is gone already.
  func close(_ connection: Connection) {
    connection.stage = .closed
    waitingByteCount -= connection.countedByteCount
    connection.countedByteCount = 0
    connections.remove(connection.identifier)
    // A disk that hangs must not keep its socket open.
    if connection.isListedAsHeldBack { heldBack.removeAll { $0 === connection } }
    for timer: EdgeTimer in [
      .greeting(connection.identifier), .frame(connection.identifier),
      .slowReader(connection.identifier), .linger(connection.identifier),
      .resend(connection.identifier),
    ] {
      cancel(timer)
    }
  }

  /// The other end says no more. Unless it is gone altogether it still reads: it is left once all
  /// that it asked was answered.
  package func finish(_ connection: Connection, isGone: Bool = false) {
    askRules()
    if isGone { connection.isGone = true }
    hearRest(of: connection)
    guard connection.stage.isHeard else { return }
    hasHeard = true
    connection.stage = .finishing
    guard !isGone, connection.requestsInFlight > 0 else { return finishing.append(connection) }
    handle(.finished(connection.identifier))
    set(.linger(connection.identifier), after: Self.patienceWithQuestions)
  }

  /// A request of it was answered, and nothing holds the answer back.
  func noteAnswered(on connection: Connection) {
    connection.requestsInFlight -= 1
    guard connection.stage == .finishing, connection.requestsInFlight == 0 else { return }
    finishing.append(connection)
  }

  /// The time for its last answers, or for its last words to leave, is over.
  func endWait(of connection: Connection) {
    if connection.stage == .finishing {
      finishing.append(connection)
    } else {
      offerOnceMore(connection)
    }
  }

  func leaveFinished() {
    for connection in finishing { linger(connection.identifier, .connectionLost) }
    finishing.removeAll(keepingCapacity: true)
  }

  /// Lets a connection's last words leave, with little patience. To the rules it is gone.
  func linger(_ identifier: ConnectionIdentifier, _ reason: DisconnectReason) {
    guard let connection = connections[identifier] else { return }
    tellClosed(connection, reason)
    guard !connection.isGone else { return close(connection) }
    connection.stage = .lingering
    set(.linger(identifier), after: Self.patience)
    listForOutput(connection)
  }

  /// Tells everybody why the process ends. What is held back for the disk never leaves now; a
  /// connection on which a frame is half sent is told nothing.
  func sayFarewell(_ message: String) {
    let frame = Dismissal.frame(BrokerError(.shuttingDown, message))
    for identifier in connections.identifiers {
      guard let connection = connections[identifier], connection.stage != .lingering,
        connection.outbox.freeByteCount == 0
      else { continue }
      // Nobody is waited for.
      connection.withDescriptor { _ = $0.send(frame.span.bytes) }
    }
  }

  private static let patience = Interval.seconds(1)
  /// As long as somebody who says no more may wait for an answer: that may be the answer of others,
  /// each with a budget of its own.
  package static let patienceWithQuestions = Interval.seconds(60)

  private func tellClosed(_ connection: Connection, _ reason: DisconnectReason) {
    switch connection.stage {
    case .greeting, .open, .finishing: handle(.closed(connection.identifier, reason))
    case .leaving: handle(.closed(connection.identifier, .violation))
    case .lingering, .closed: break
    }
  }
}
