import SceneBroker
import SceneModel
import SceneWire

/// Requests that were parsed: the broker gets them, or the loop refuses them.
extension EventLoop {
  /// Gives all parsed requests to the broker, and writes the replies.
  ///
  /// The requests of many connections wait together. The broker must get them before any other
  /// event, so `handle` calls this method first. Replies change the timers, and the output and the
  /// stage of a connection. Other code calls this method before it reads or changes one of these.
  func processRequests() {
    if requests.isEmpty { return }
    while let request = requests.next() { process(request) }
    postMessages(of: &effects)
  }

  /// Gives the requests to the broker if the connection has one among them. The limits of its next
  /// frame depend on the replies.
  func processRequests(of connection: Connection) {
    if connection.input.hasParsedRequest { processRequests() }
  }

  private func process(_ request: consuming RequestPipeline.ParsedRequest) {
    broker.waitingByteCount = output.waitingByteCount
    switch consume request {
    case .valid(let connection, let identifier, let method, let content):
      if let identifier {
        if let error = overload(of: connection) { return refuse(connection, identifier, error) }
        connection.beginRequest()
      }
      if content.concernsProcess, let process = connection.identify() {
        broker.handle(.identified(connection.identifier, process), at: now, into: &effects)
      }
      broker.handle(
        content, method, identifier, from: connection.identifier, at: now, into: &effects)
      if connection.stage == .handshake { _ = openIfInitialized(connection) }
    case .invalid(let connection, let identifier, let error):
      guard let identifier else { return }
      refuse(connection, identifier, overload(of: connection) ?? error)
    }
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
    processRequests()
    log.note("client \(connection.process.pid) violated the protocol: \(error.message)")
    refuse(connection, identifier, error)
    effects.closes.append(connection.identifier)
    connection.beginClosing()
  }
}
