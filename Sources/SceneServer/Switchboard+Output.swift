import SceneModel

/// What leaves.
extension Switchboard {
  package func listForOutput(_ connection: Connection) {
    guard !connection.isListedForOutput else { return }
    connection.isListedForOutput = true
    outgoing.append(connection)
  }

  /// Offers each connection what may leave; `send` says how many bytes were taken.
  package func flush(_ send: (Connection, RawSpan) -> Int) {
    swap(&outgoing, &leaving)
    for connection in leaving {
      connection.isListedForOutput = false
      guard connection.stage != .closed else { continue }
      connection.outbox.flush(returningTo: &spares) { send(connection, $0) }
      watchOutput(of: connection)
    }
    leaving.removeAll(keepingCapacity: true)
  }

  private func watchOutput(of connection: Connection) {
    let free = connection.outbox.freeByteCount
    if connection.stage == .lingering, connection.outbox.isEmpty {
      return hangUp(connection, .violation)
    }
    if free > limits.outboxBytes || connection.outbox.byteCount > limits.backlogBytes {
      return dropSlowReader(connection)
    }
    let isSlow = free > limits.slowReaderBytes
    guard isSlow != connection.hasSlowReaderTimer else { return }
    connection.hasSlowReaderTimer = isSlow
    if isSlow {
      set(
        .slowReader(connection.identifier), after: .seconds(Int64(limits.slowReaderSeconds)))
    } else {
      timers.cancel(.slowReader(connection.identifier))
    }
  }

  func dropSlowReader(_ connection: Connection) {
    let outbox = connection.outbox
    let fault = outbox.freeByteCount > limits.slowReaderBytes ? "does not read" : "asks too much"
    log.note(
      "client \(connection.process.pid) \(fault): \(outbox.freeByteCount) bytes wait for it, "
        + "\(outbox.byteCount - outbox.freeByteCount) for the disk; closed")
    hangUp(connection, .slowReader)
  }
}
