import SceneBroker
import SceneModel
package import ScenePlatform
import SceneWire

/// What leaves.
extension Switchboard {
  package func listForOutput(_ connection: Connection) {
    guard !connection.isListedForOutput else { return }
    connection.isListedForOutput = true
    outgoing.append(connection)
  }

  /// Offers each connection what may leave. Bytes that `send` does not take stay. `readRest` hands in
  /// what the socket of a disconnected client still holds.
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
    swap(&outgoing, &leaving)
    for connection in leaving {
      connection.isListedForOutput = false
      guard connection.stage != .closed else { continue }
      connection.writtenByteCount = 0
      var outcome = SendOutcome.bytes(0)
      connection.outbox.flush(returningTo: &spares) { bytes in
        if let fatal = connection.fatalMessage {
          outcome = self.send(bytes, with: fatal, on: connection, send)
        } else {
          outcome = send(connection, bytes)
        }
        return outcome.byteCount
      }
      countWaiting(of: connection)
      guard staysOpen(connection, after: outcome, readRest) else { continue }
      watchOutput(of: connection, hasTaken: outcome.byteCount > 0)
      tellDrained(connection)
      if !connection.heldInput.isEmpty, !connection.isPaused { waitForTurn(connection) }
    }
    leaving.removeAll(keepingCapacity: true)
  }

  /// Closes the connection after an error of its socket, but for a lack of memory in the kernel:
  /// then the output is offered again by a timer.
  private func staysOpen(
    _ connection: Connection, after outcome: SendOutcome, _ readRest: (Connection) -> Void
  ) -> Bool {
    switch outcome {
    case .bytes(0), .wouldBlock: return true
    case .bytes:
      if connection.waitsForMemory { cancel(.resend(connection.identifier)) }
      (connection.waitsForMemory, connection.resendCount) = (false, 0)
      return true
    case .failed(let code) where code.isOutOfMemory:
      if connection.waitsForMemory { return true }
      if connection.resendCount < Self.mostResends { return resendLater(to: connection) }
      log.warn("client \(connection.process.pid): send: \(code), for too long; closed")
    case .failed(let code) where code.isDisconnected:
      // A client may exit right after its last save. The poller reports its end only to a later round.
      if connection.stage.isHeard { readRest(connection) }
    case .failed(let code):
      log.warn("client \(connection.process.pid): send: \(code); closed")
    }
    hangUp(connection, .connectionLost)
    return false
  }

  /// A kernel without memory has about ten seconds to find some.
  static let resendPause = Interval.milliseconds(10)
  static let mostResends = 1000

  private func resendLater(to connection: Connection) -> Bool {
    connection.waitsForMemory = true
    connection.resendCount += 1
    set(.resend(connection.identifier), after: Self.resendPause)
    return true
  }

  func resend(to identifier: ConnectionIdentifier) {
    guard let connection = connections[identifier] else { return }
    connection.waitsForMemory = false
    listForOutput(connection)
  }

  /// The rules want to be told when it has taken everything, which may be so already.
  func drain(_ identifier: ConnectionIdentifier) {
    guard let connection = connections[identifier] else { return }
    connection.isDraining = true
    listForOutput(connection)
  }

  /// What comes of it belongs to the next round.
  private func tellDrained(_ connection: Connection) {
    guard connection.isDraining, connection.outbox.isEmpty else { return }
    connection.isDraining = false
    handle(.drained(connection.identifier))
  }

  /// Its time to read is over. But the broker itself may have been stopped or late, and it may have
  /// read since it was last offered something.
  func offerOnceMore(_ connection: Connection) {
    connection.isOfferedOnceMore = true
    listForOutput(connection)
  }

  private func watchOutput(of connection: Connection, hasTaken: Bool) {
    let isLate = connection.isOfferedOnceMore
    connection.isOfferedOnceMore = false
    if connection.stage == .lingering {
      if isLate || connection.outbox.isEmpty { close(connection) }
      return
    }
    let free = connection.outbox.freeByteCount
    if free > limits.outboxBytes { return dropSlowReader(connection) }
    if connection.outbox.byteCount > limits.backlogBytes { return dropForDisk(connection) }
    guard free > limits.slowReaderBytes else { return stopWatch(of: connection) }
    switch connection.slowness {
    case .none: startWatch(of: connection, .slow)
    case .slow where isLate && hasTaken: startWatch(of: connection, .slowOnceMore)
    case .slow, .slowOnceMore: if isLate { dropSlowReader(connection) }
    }
  }

  private func startWatch(of connection: Connection, _ slowness: Connection.Slowness) {
    connection.slowness = slowness
    set(.slowReader(connection.identifier), after: .seconds(Int64(limits.slowReaderSeconds)))
  }

  private func stopWatch(of connection: Connection) {
    guard connection.slowness != .none else { return }
    connection.slowness = .none
    cancel(.slowReader(connection.identifier))
  }

  private func dropSlowReader(_ connection: Connection) {
    note(connection, "does not read")
    hangUp(connection, .slowReader)
  }

  /// It is not its fault, or not its alone.
  private func dropForDisk(_ connection: Connection) {
    note(connection, "cannot be told any more while the disk is behind")
    hangUp(connection, .diskBehind)
  }

  func countWaiting(of connection: Connection) {
    guard connection.stage != .closed else { return }
    let count = connection.waitingByteCount
    waitingByteCount += count - connection.countedByteCount
    connection.countedByteCount = count
  }

  /// Too much waits in all connections together, and most of it in this one: it is told so, and left.
  private func dropFullest(_ connection: Connection) {
    // Its last words have no room either.
    guard connection.stage != .lingering else { return close(connection) }
    let outbox = connection.outbox
    let waitsForDisk = outbox.byteCount - outbox.freeByteCount > outbox.freeByteCount
    if let often = droppedFullest.often(at: machineTime) {
      log.note(
        "client \(connection.process.pid): \(connection.countedByteCount) bytes wait for this "
          + "connection, the most of \(waitingByteCount) bytes for all; closed\(often)")
    }
    let error = BrokerError(
      .tooMany,
      "\(connection.countedByteCount) bytes wait for this connection, the most of all, and all "
        + "together may have \(limits.waitingBytes)", retry: .later)
    connection.outbox.dropFrames()
    connection.heldInput = []
    connection.decoder = FrameDecoder(limit: limits.frameBytes)
    _ = connection.outbox.append(
      Outbound(connection: connection.identifier, message: .error(nil, error), after: 0),
      durable: durable, borrowingFrom: &spares)
    countWaiting(of: connection)
    linger(connection.identifier, waitsForDisk ? .diskBehind : .slowReader)
  }

  private func note(_ connection: Connection, _ what: String) {
    let outbox = connection.outbox
    log.note(
      "client \(connection.process.pid) \(what): \(outbox.freeByteCount) bytes wait for it, "
        + "\(outbox.byteCount - outbox.freeByteCount) for the disk; closed")
  }
}
