import SceneBroker
import SceneModel
import ScenePlatform
import SceneWire

/// Connections and their sockets.
extension Server {
  /// How much one connection may say in a round, so that others are heard too.
  package static let bytesPerRound = 1 << 13

  /// How much a busy connection may say in its turn.
  private static let bytesPerTurn = 1 << 12

  /// How much of a long frame, which is only kept until it is whole, is read at once.
  private static let longestRead = 1 << 16

  /// How much of a round all connections that are not busy may say before each has only as much as
  /// makes it busy.
  private static let bytesBeforeShortReads = 1 << 14

  /// Reads from a connection that has something to say; what it says is heard when the others are.
  /// A busy one waits for its turn.
  func read(from connection: Connection) {
    guard connection.stage.isHeard, connection.isBusy || !connection.heldInput.isEmpty else {
      let isShort = readByteCount >= Self.bytesBeforeShortReads
      readByteCount += read(from: connection, upTo: isShort ? Share.busyInput : Self.bytesPerRound)
      return
    }
    switchboard.waitForTurn(connection)
  }

  func takeTurn(of connection: Connection) -> Int {
    let length = min(
      max(Self.bytesPerTurn, connection.decoder.missingByteCount), Self.longestRead)
    let count = read(from: connection, upTo: length)
    hear()
    return count
  }

  private func read(from connection: Connection, upTo length: Int) -> Int {
    if !readAhead.hasRoom(for: length) { hear() }
    return readAhead.read(from: connection, upTo: length, in: switchboard.round)
  }

  func hear() {
    readAhead.takeAll { connection, outcome, bytes in
      switch outcome {
      case .bytes: switchboard.receive(bytes, from: connection)
      case .end: finish(connection, isGone: false)
      case .failed: switchboard.hangUp(connection, .connectionLost)
      case .wouldBlock: break
      }
    }
  }

  /// It has said its last word, but may still read: only a full hang-up is looked for from now on.
  private func finish(_ connection: Connection, isGone: Bool) {
    connection.hasEnded = true
    watch(connection, isFull: connection.interest.contains(.writable))
    switchboard.finish(connection, isGone: isGone)
  }

  /// The other end says no more. What it said before counts: very likely it is its restoration
  /// activity.
  func drain(_ event: PollEvent) {
    switch event.token {
    case Source.leash: return watchLeash()
    case Source.listener: return loseListener()
    default: break
    }
    guard let connection = switchboard.connection(event.token) else {
      _ = programs.hears(event.token, hungUp: true)
      return
    }
    guard !connection.hasEnded else { return switchboard.hangUp(connection, .connectionLost) }
    // One that still reads is heard like the others, to its end.
    guard event.isGone || !connection.stage.isHeard else { return read(from: connection) }
    switch readToEnd(connection) {
    case .end: finish(connection, isGone: event.isGone)
    case .failed, .bytes, .wouldBlock, nil: switchboard.hangUp(connection, .connectionLost)
    }
  }

  /// No socket holds more of a client that is gone. A client that only stopped reading may send on and
  /// on.
  private static let mostRest = 1 << 24

  /// Reads what a client sent before a send to it failed.
  func readRest(of connection: Connection) {
    _ = readToEnd(connection, upTo: Self.mostRest)
  }

  /// Reads and takes in until there is nothing left, or so much was read; the last outcome.
  private func readToEnd(_ connection: Connection, upTo limit: Int = .max) -> ReceiveOutcome? {
    connection.fullReadRound = nil
    var total = 0
    while true {
      let room = input.bytes
      guard let outcome = connection.withDescriptor({ $0.receive(into: room) }) else { return nil }
      guard case .bytes(let count) = outcome else { return outcome }
      input.withSpan(of: count) { switchboard.receive($0, from: connection) }
      total += count
      guard total < limit else { return outcome }
    }
  }

  /// A socket that is writable although the kernel lacks memory would keep the loop busy, so only
  /// one that is full is watched for room.
  func send(_ bytes: RawSpan, on connection: Connection) -> SendOutcome {
    guard let outcome = connection.withDescriptor({ $0.send(bytes) }) else {
      preconditionFailure("the server's connections have sockets")
    }
    let isFull: Bool
    switch outcome {
    case .bytes(let count): isFull = count < bytes.byteCount
    case .wouldBlock: isFull = true
    case .failed: isFull = false
    }
    let isPaused = bytes.byteCount - outcome.byteCount > Share.waitingOutput
    watch(connection, isFull: isFull, isPaused: isPaused)
    return outcome
  }

  private func watch(_ connection: Connection, isFull: Bool, isPaused: Bool = false) {
    var interest: PollInterest = connection.hasEnded || isPaused ? [] : .readable
    if isFull { interest.insert(.writable) }
    guard interest != connection.interest else { return }
    connection.interest = interest
    connection.withDescriptor { descriptor in
      // It can only fail for a descriptor that is closed, and this one is open.
      try? poller.modify(
        descriptor.number, token: connection.identifier.number, interest: interest)
    }
  }
}
