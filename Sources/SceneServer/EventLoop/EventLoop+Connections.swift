import SceneBroker
package import SceneModel
package import ScenePlatform

/// The life of a connection.
extension EventLoop {
  package var connectionCount: Int { connections.count }

  package func connection(_ number: UInt64) -> Connection? {
    connections[ConnectionIdentifier(number)]
  }

  package func accept(
    process: ClientProcess, descriptor: consuming FileDescriptor? = nil
  ) -> Connection {
    input.noteInput()
    input.noteNewClients()
    let connection = Connection(
      connections.nextIdentifier(), process: process, descriptor: descriptor,
      frameLimit: limits.frameBytes)
    connections.add(connection)
    handle(.opened(connection.identifier, process))
    timers.set(.handshake(connection.identifier), after: .seconds(Int64(limits.handshakeSeconds)))
    return connection
  }

  /// More clients may wait to be accepted.
  func noteWaitingClients() { input.noteNewClients() }

  /// Closes the connection at once: the client is gone, or must be disconnected.
  package func close(_ connection: Connection, _ reason: DisconnectReason) {
    connection.markGone()
    processRest(of: connection)
    guard connection.stage != .closed else { return }
    input.noteInput()
    reportClosed(connection, reason)
    remove(connection)
  }

  /// Closes a connection that the broker knows to be closed.
  func remove(_ connection: Connection) {
    connection.close()
    connections.remove(connection.identifier)
    output.remove(connection)
    faults.remove(connection.identifier)
    for timer: TimerKey in [
      .handshake(connection.identifier), .frame(connection.identifier),
      .slowReader(connection.identifier), .linger(connection.identifier),
      .resend(connection.identifier),
    ] {
      timers.cancel(timer)
    }
  }

  /// The client sends nothing more. If it still reads, the loop closes the connection when all its
  /// requests have replies.
  package func finish(_ connection: Connection, isGone: Bool = false) {
    if isGone { connection.markGone() }
    processRest(of: connection)
    guard connection.stage.acceptsInput else { return }
    input.noteInput()
    connection.halfClose()
    guard !isGone, connection.requestsInFlight > 0 else {
      return connections.addFinished(connection)
    }
    handle(.finished(connection.identifier))
    timers.set(.linger(connection.identifier), after: Self.replyTimeout)
  }

  /// The reply to a request may leave.
  func replyReleased(on connection: Connection) {
    if connection.endRequest() { connections.addFinished(connection) }
  }

  /// The time for the last replies, or for the last output, is over.
  func endWait(of connection: Connection) {
    if connection.stage == .halfClosed {
      connections.addFinished(connection)
    } else {
      output.scheduleLastOffer(connection)
    }
  }

  func lingerFinished() {
    for connection in connections.takeFinished() {
      linger(connection.identifier, .connectionLost)
    }
  }

  /// Tells the broker that the connection is closed, and closes it when the output has left.
  func linger(_ identifier: ConnectionIdentifier, _ reason: DisconnectReason) {
    guard let connection = connections[identifier] else { return }
    reportClosed(connection, reason)
    guard !connection.isGone else { return remove(connection) }
    connection.linger()
    timers.set(.linger(identifier), after: Self.lingerTimeout)
    output.schedule(connection)
  }

  /// The broker has nothing left to do. Clients have a short time to read what was sent.
  func stop() {
    for identifier in connections.stop() { linger(identifier, .shutdown) }
  }

  /// Tells all clients why the process ends. Output that waits for the disk is never sent. A client
  /// with unsent output gets no message, because it may have a part of a frame.
  func broadcastShutdown(_ message: String) {
    let frame = ShutdownFrame.frame(BrokerError(.shuttingDown, message))
    for identifier in connections.identifiers {
      guard let connection = connections[identifier], connection.stage != .lingering,
        connection.outbox.releasedByteCount == 0
      else { continue }
      // The process does not wait for clients.
      connection.withDescriptor { _ = $0.send(frame.span.bytes) }
    }
  }

  /// The time for the last output.
  private static let lingerTimeout = Interval.seconds(1)
  /// The time for the last replies, which may depend on other clients with budgets of their own.
  package static let replyTimeout = Interval.seconds(60)

  private func reportClosed(_ connection: Connection, _ reason: DisconnectReason) {
    switch connection.stage {
    case .handshake, .open, .halfClosed: handle(.closed(connection.identifier, reason))
    case .closing: handle(.closed(connection.identifier, .violation))
    case .lingering, .closed: break
    }
  }
}
