import SceneBroker
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
      let before = connection.outbox.byteCount
      connection.outbox.flush(returningTo: &spares) { bytes in
        guard let fatal = connection.fatalMessage else { return send(connection, bytes) }
        return self.send(bytes, with: fatal, on: connection, send)
      }
      watchOutput(of: connection, hasTaken: connection.outbox.byteCount < before)
      tellDrained(connection)
    }
    leaving.removeAll(keepingCapacity: true)
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

  private func note(_ connection: Connection, _ what: String) {
    let outbox = connection.outbox
    log.note(
      "client \(connection.process.pid) \(what): \(outbox.freeByteCount) bytes wait for it, "
        + "\(outbox.byteCount - outbox.freeByteCount) for the disk; closed")
  }
}
