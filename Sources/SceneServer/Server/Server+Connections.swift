import SceneBroker
import SceneModel
import ScenePlatform
import SceneWire

/// Connections and their sockets.
extension Server {
  /// The most bytes that an iteration reads from one connection.
  package static let bytesPerIteration = 1 << 13

  /// The most bytes that the server reads from a busy connection in its turn.
  private static let bytesPerTurn = 1 << 12

  /// The most bytes of a long frame that one read takes.
  private static let longestRead = 1 << 16

  /// After so many bytes of one iteration, the server reads only short pieces from each connection
  /// that is not busy.
  private static let bytesBeforeShortReads = 1 << 14

  /// Reads from a connection that is readable. A busy connection waits for its turn.
  func read(from connection: Connection) {
    guard connection.stage.acceptsInput, connection.input.isBusy || !connection.input.held.isEmpty
    else {
      let isShort = readByteCount >= Self.bytesBeforeShortReads
      readByteCount += read(
        from: connection, upTo: isShort ? Share.busyInput : Self.bytesPerIteration)
      return
    }
    eventLoop.waitForTurn(connection)
  }

  func takeTurn(of connection: Connection) -> Int {
    let length = min(
      max(Self.bytesPerTurn, connection.input.missingByteCount), Self.longestRead)
    return read(from: connection, upTo: length)
  }

  /// Reads once, and returns the number of bytes.
  private func read(from connection: Connection, upTo length: Int) -> Int {
    let room = UnsafeMutableRawBufferPointer(rebasing: input.bytes[..<length])
    switch connection.receive(into: room, in: eventLoop.iteration) {
    case .bytes(let count):
      input.withSpan(of: count) { eventLoop.receive($0, from: connection) }
      return count
    case .end: finish(connection, isGone: false)
    case .failed: eventLoop.close(connection, .connectionLost)
    case .wouldBlock, nil: break
    }
    return 0
  }

  /// The client sends nothing more, but may still read: the poller reports only a full close.
  private func finish(_ connection: Connection, isGone: Bool) {
    connection.hasEnded = true
    // The loop closes the socket of a client that is gone.
    if !isGone { updateInterest(of: connection) }
    eventLoop.finish(connection, isGone: isGone)
  }

  /// Reads the rest of a closed connection. The last message of a client is often its activity.
  func readToEnd(_ event: PollEvent) {
    switch event.token {
    case Source.lifetime: return readLifetime()
    case Source.listener: return loseListener()
    case Source.pressureSource: return losePressure()
    default: break
    }
    guard let connection = eventLoop.connection(event.token) else {
      _ = programs.read(event.token, isClosed: true)
      return
    }
    guard !connection.hasEnded else { return eventLoop.close(connection, .connectionLost) }
    // A client that still reads is read like the others, to its end.
    guard event.isGone || !connection.stage.acceptsInput else { return read(from: connection) }
    switch readToEnd(connection) {
    case .end: finish(connection, isGone: event.isGone)
    case .failed, .bytes, .wouldBlock, nil: eventLoop.close(connection, .connectionLost)
    }
  }

  /// A socket holds no more bytes of a client that is gone. A client that only stopped reading may
  /// send without end.
  private static let mostRest = 1 << 24

  /// Reads what a client sent before a send to it failed.
  func readRest(of connection: Connection) {
    _ = readToEnd(connection, upTo: Self.mostRest)
  }

  /// No client can send after this.
  func endReceiving(from connection: Connection) {
    connection.withDescriptor { $0.endReceiving() }
    readRest(of: connection)
    connection.hasEnded = true
    updateInterest(of: connection)
  }

  /// Reads and processes input up to the end or the limit. Returns the last outcome.
  private func readToEnd(_ connection: Connection, upTo limit: Int = .max) -> ReceiveOutcome? {
    connection.input.didRead(isFull: false, in: eventLoop.iteration)
    var total = 0
    while true {
      let room = input.bytes
      guard let outcome = connection.withDescriptor({ $0.receive(into: room) }) else { return nil }
      guard case .bytes(let count) = outcome else { return outcome }
      input.withSpan(of: count) { eventLoop.receive($0, from: connection) }
      total += count
      guard total < limit else { return outcome }
    }
  }

  /// Watches the socket for room only if it is full: a socket that is writable although the kernel
  /// lacks memory would keep the loop busy.
  func send(_ bytes: RawSpan, on connection: Connection) -> SendOutcome {
    guard let outcome = connection.withDescriptor({ $0.send(bytes) }) else {
      preconditionFailure("the server's connections have sockets")
    }
    switch outcome {
    case .bytes(let count): connection.isFull = count < bytes.byteCount
    case .wouldBlock: connection.isFull = true
    case .failed: connection.isFull = false
    }
    updateInterest(
      of: connection, isPaused: bytes.byteCount - outcome.byteCount > Share.waitingOutput)
    return outcome
  }

  /// The loop reads nothing more from a paused connection.
  private func updateInterest(of connection: Connection, isPaused: Bool = false) {
    let interest = PollInterest(
      readable: !connection.hasEnded && !isPaused, writable: connection.isFull)
    connection.withDescriptor { descriptor in
      // The call fails only for a closed descriptor, and this one is open.
      try? poller.modify(
        descriptor.number, token: connection.identifier.number, interest: interest)
    }
  }
}
