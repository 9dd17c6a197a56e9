import SceneBroker
import SceneModel
import ScenePlatform
import SceneWire

/// Connections and their sockets.
extension Server {
  /// How much one connection may say in a round, so that others are heard too: about as many small
  /// requests as a crowd of others makes in that time. Of a long frame, which is only kept until it
  /// is whole, more is read at once.
  package static let bytesPerRound = 1 << 13

  /// How much of a long frame is read at once.
  private static let longestRead = 1 << 16

  /// Reads from a connection that has something to say; what it says is heard when the others are.
  func read(from connection: Connection) {
    let length = min(
      max(Self.bytesPerRound, connection.decoder.missingByteCount), Self.longestRead)
    if !readAhead.hasRoom(for: length) { hear() }
    readAhead.read(from: connection, upTo: length, in: switchboard.round)
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
    switch readToEnd(connection) {
    case .end: finish(connection, isGone: event.isGone)
    case .failed, .bytes, .wouldBlock, nil: switchboard.hangUp(connection, .connectionLost)
    }
  }

  /// Reads and takes in until there is nothing left; the last outcome.
  private func readToEnd(_ connection: Connection) -> ReceiveOutcome? {
    connection.fullReadRound = nil
    while true {
      let room = input.bytes
      guard let outcome = connection.withDescriptor({ $0.receive(into: room) }) else { return nil }
      guard case .bytes(let count) = outcome else { return outcome }
      input.withSpan(of: count) { switchboard.receive($0, from: connection) }
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
    watch(connection, isFull: isFull)
    return outcome
  }

  private func watch(_ connection: Connection, isFull: Bool) {
    var interest: PollInterest = connection.hasEnded ? [] : .readable
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
