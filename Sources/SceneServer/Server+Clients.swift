import SceneBroker
import SceneModel
import ScenePlatform

/// New clients.
extension Server {
  /// How many new connections a round accepts, so that a storm of them does not delay the clients
  /// that are connected. All come from the broker's own user; those of others are refused, and count
  /// as well. The poller reports the rest again.
  private static let clientsPerRound = 2

  func accept() throws(SystemError) {
    do throws(SystemError) {
      for _ in 0..<Self.clientsPerRound {
        guard let socket = try UnixSocket.accept(from: claim.listener) else { return }
        greet(socket)
      }
      switchboard.hasNewcomers = true
    } catch {
      guard error.isOutOfDescriptors else { throw error }
      try closeDoor(error)
    }
  }

  /// Whoever comes waits in the socket's queue. Asking for them again and again would only keep a
  /// core busy.
  private func closeDoor(_ error: SystemError) throws(SystemError) {
    let now = SystemClock.monotonic()
    try poller.remove(claim.listener.number)
    doorOpens = now + 1_000_000_000
    if let often = couldNotTake.often(at: now) {
      log.warn("nothing is left for a new client, who has to wait: \(error)\(often)")
    }
  }

  func openDoor() throws(ServerError) {
    guard let opens = doorOpens, SystemClock.monotonic() >= opens else { return }
    doorOpens = nil
    try orServerError { () throws(SystemError) in
      try poller.add(claim.listener.number, token: Source.listener, interest: .readable)
    }
  }

  /// A client that cannot be taken is nobody else's trouble.
  private func greet(_ socket: consuming FileDescriptor) {
    do throws(SystemError) {
      try admit(socket)
    } catch {
      guard let often = couldNotTake.often(at: SystemClock.monotonic()) else { return }
      log.warn("a client could not be taken: \(error)\(often)")
    }
  }

  /// Who it is, is asked before the first byte is read.
  private func admit(_ socket: consuming FileDescriptor) throws(SystemError) {
    let credentials = try socket.peerCredentials()
    if let refusal = refusal(of: credentials) { return turnAway(socket, credentials, refusal) }
    let number = socket.number
    let connection = switchboard.accept(
      process: processes.identity(of: credentials.process), descriptor: socket)
    do throws(SystemError) {
      try poller.add(number, token: connection.identifier.number, interest: .readable)
    } catch {
      switchboard.hangUp(connection, .connectionLost)
      throw error
    }
  }

  private func refusal(of credentials: PeerCredentials) -> BrokerError? {
    guard credentials.user == user else {
      return BrokerError(
        .notPermitted, "this broker belongs to user \(user); you are \(credentials.user)")
    }
    guard !switchboard.isStopping else {
      return BrokerError(.shuttingDown, "the application has ended")
    }
    let limit = configuration.limits.connections
    guard switchboard.connectionCount < limit else {
      return BrokerError(.tooMany, "there are \(limit) connections already")
    }
    return nil
  }

  private func turnAway(
    _ socket: consuming FileDescriptor, _ credentials: PeerCredentials, _ error: BrokerError
  ) {
    _ = socket.send(Dismissal.frame(error).span.bytes)
    guard let often = turnedAway.often(at: SystemClock.monotonic()) else { return }
    log.warn(
      "process \(credentials.process) of user \(credentials.user) was turned away: "
        + "\(error.message)\(often)")
  }
}
