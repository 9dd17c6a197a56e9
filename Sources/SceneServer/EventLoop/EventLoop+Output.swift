import SceneBroker
import SceneCommandLine
import SceneModel
package import ScenePlatform
import SceneWire

/// Output to the clients.
extension EventLoop {
  package func scheduleOutput(_ connection: Connection) { output.schedule(connection) }

  /// Bytes that wait in all connections together.
  var waitingByteCount: Int { output.waitingByteCount }

  /// Sends what may leave on each connection. `readRest` hands in what the socket of a disconnected
  /// client still holds.
  package func flush(
    readRest: (Connection) -> Void = { _ in }, _ send: (Connection, RawSpan) -> SendOutcome
  ) {
    flushOnce(readRest, send)
    while waitingByteCount > limits.waitingBytes, let connection = connections.fullest {
      dropFullest(connection)
      flushOnce(readRest, send)
    }
  }

  private func flushOnce(
    _ readRest: (Connection) -> Void, _ send: (Connection, RawSpan) -> SendOutcome
  ) {
    output.beginPass()
    let hasFaults = faults.isActive
    while let connection = output.next() {
      var outcome = SendOutcome.bytes(0)
      let empty = connection.outbox.flush { bytes in
        outcome =
          hasFaults
          ? faults.send(bytes, on: connection.identifier) { send(connection, $0) }
          : send(connection, bytes)
        return outcome.byteCount
      }
      if let empty { output.recycle(empty) }
      output.recount(connection)
      guard staysOpen(connection, after: outcome, readRest) else { continue }
      checkReader(connection, hasTaken: outcome.byteCount > 0)
      reportDrained(connection)
      if !connection.input.held.isEmpty, !connection.isPaused { waitForTurn(connection) }
    }
  }

  /// Handles an error of the socket. Returns whether the connection is still open.
  private func staysOpen(
    _ connection: Connection, after outcome: SendOutcome, _ readRest: (Connection) -> Void
  ) -> Bool {
    switch output.didSend(outcome, to: connection) {
    case .open: return true
    case .recovered:
      timers.cancel(.resend(connection.identifier))
      return true
    case .resendLater:
      timers.set(.resend(connection.identifier), after: OutputScheduler.resendDelay)
      return true
    case .keepsFailing(let code):
      log.warn("client \(connection.process.pid): send keeps failing: \(code); connection closed")
    case .disconnected:
      // A client may exit right after its last save. The poller reports its end only to a later
      // iteration.
      if connection.stage.acceptsInput { readRest(connection) }
    case .failed(let code):
      log.warn("client \(connection.process.pid): send: \(code); connection closed")
    }
    close(connection, .connectionLost)
    return false
  }

  /// Tells the broker when the client has taken all output, at the next flush if it has already.
  func reportWhenDrained(_ identifier: ConnectionIdentifier) {
    guard let connection = connections[identifier] else { return }
    output.reportWhenDrained(connection)
  }

  /// The next iteration carries out the effects.
  private func reportDrained(_ connection: Connection) {
    if output.takeDrained(connection) { handle(.drained(connection.identifier)) }
  }

  private func checkReader(_ connection: Connection, hasTaken: Bool) {
    switch output.checkReader(connection, hasTaken: hasTaken, limits: limits) {
    case .keepsUp: break
    case .startTimer:
      timers.set(
        .slowReader(connection.identifier), after: .seconds(Int64(limits.slowReaderSeconds)))
    case .stopTimer: timers.cancel(.slowReader(connection.identifier))
    case .close: remove(connection)
    case .slowReader:
      logClose(connection, "does not read")
      close(connection, .slowReader)
    case .diskBehind:
      logClose(connection, "has too much output that waits for the disk")
      close(connection, .diskBehind)
    }
  }

  /// Closes the connection with the most waiting bytes, because too many bytes wait in all.
  private func dropFullest(_ connection: Connection) {
    // The last output of a lingering connection counts as well.
    guard connection.stage != .lingering else { return remove(connection) }
    let outbox = connection.outbox
    let waitsForDisk = outbox.unreleasedByteCount > outbox.releasedByteCount
    let count = connection.output.countedByteCount
    if let often = output.overflowSuffix(at: machineTime) {
      log.note(
        "client \(connection.process.pid): \(count) bytes wait for this "
          + "connection, the most of \(waitingByteCount) for all; connection closed\(often)")
    }
    let error = BrokerError(
      .tooMany,
      "\(count) bytes wait for this connection, the most of all; the limit "
        + "for all connections is \(limits.waitingBytes)", retry: .later)
    connection.outbox.dropFrames()
    connection.input.removeAll()
    _ = output.append(
      Outbound(connection: connection.identifier, message: .error(nil, error), after: 0),
      to: connection, durable: journal.durable)
    linger(connection.identifier, waitsForDisk ? .diskBehind : .slowReader)
  }

  private func logClose(_ connection: Connection, _ what: String) {
    let outbox = connection.outbox
    log.note(
      "client \(connection.process.pid) \(what): \(outbox.releasedByteCount) bytes wait for the "
        + "client, \(outbox.unreleasedByteCount) for the disk; connection closed")
  }
}
