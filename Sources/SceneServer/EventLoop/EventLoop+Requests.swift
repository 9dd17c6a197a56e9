import SceneBroker
import SceneJSON
import SceneModel

/// Requests: the broker gets them, or the loop refuses them.
extension EventLoop {
  /// Gives a request to the broker, and writes the reply. The limits of the next frame of the
  /// connection depend on the reply.
  func process(
    _ identifier: RequestIdentifier?, _ method: JSONValue, _ params: JSONValue?,
    from connection: Connection
  ) {
    // A request without an identifier gets no reply.
    if let identifier {
      if let error = overload(of: connection) {
        refuse(connection, identifier, error)
        return postMessages(of: &effects)
      }
      connection.beginRequest()
    }
    broker.waitingByteCount = output.waitingByteCount
    broker.handle(
      method, params, identifier, from: connection.identifier, at: now, into: &effects
    ) { connection.identify() }
    if connection.stage == .handshake { _ = openIfInitialized(connection) }
    postMessages(of: &effects)
  }

  /// The error for any request of an overloaded connection.
  private func overload(of connection: Connection) -> BrokerError? {
    if connection.requestsInFlight >= limits.requestsInFlight {
      BrokerError(
        .tooMany, "this connection already has \(limits.requestsInFlight) waiting requests",
        retry: .later)
    } else if connection.outbox.byteCount > limits.outboxBytes {
      BrokerError(
        .tooMany, "\(connection.outbox.byteCount) bytes already wait for this connection",
        retry: .later)
    } else {
      nil
    }
  }

  /// Opens the connection if its client is initialized. Returns whether it is.
  func openIfInitialized(_ connection: Connection) -> Bool {
    guard broker.isInitialized(connection.identifier) else { return false }
    connection.open()
    timers.cancel(.handshake(connection.identifier))
    return true
  }

  /// Replies with an error in the place of the broker, behind the broker's earlier replies.
  private func refuse(
    _ connection: Connection, _ identifier: RequestIdentifier?, _ error: BrokerError
  ) {
    if identifier != nil { connection.beginRequest() }
    effects.messages.append(
      Outbound(
        connection: connection.identifier, message: .error(identifier, error), after: 0))
  }

  /// Tells the client which rule of the protocol it violated, and closes the connection.
  func closeForViolation(
    _ connection: Connection, _ identifier: RequestIdentifier?, _ error: BrokerError
  ) {
    log.note("client \(connection.process.pid) violated the protocol: \(error.message)")
    refuse(connection, identifier, error)
    effects.closes.append(connection.identifier)
    connection.beginClosing()
  }
}
