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
    var failures = 0
    for _ in 0..<Self.clientsPerRound {
      do throws(SystemError) {
        guard let socket = try UnixSocket.accept(from: claim.listener) else { return }
        greet(socket)
      } catch {
        if error.code.isOfListener { throw error }
        failures += 1
        // An error of one client takes that client out of the queue. One that comes again may not.
        if error.isOutOfDescriptors || failures == Self.clientsPerRound {
          return try pauseAccepting(error)
        }
        if let often = couldNotAccept.often(at: SystemClock.monotonic()) {
          log.warn("a client could not be accepted: \(error)\(often)")
        }
      }
    }
    switchboard.hasNewcomers = true
  }

  /// New clients wait in the socket's queue. To ask for them again and again would only keep a core
  /// busy.
  private func pauseAccepting(_ error: SystemError) throws(SystemError) {
    let now = SystemClock.monotonic()
    try poller.remove(claim.listener.number)
    acceptPause = AcceptPause(at: now, openDescriptors: openDescriptors)
    if let often = couldNotTake.often(at: now) {
      log.warn("accepting pauses, and new clients wait: \(error)\(often)")
    }
  }

  /// To be called when the round has closed what it closes.
  func resumeAccepting() {
    guard let pause = acceptPause else { return }
    let now = SystemClock.monotonic()
    guard pause.isOver(at: now, openDescriptors: openDescriptors) else { return }
    do throws(SystemError) {
      try poller.add(claim.listener.number, token: Source.listener, interest: .readable)
      acceptPause = nil
    } catch {
      acceptPause = AcceptPause(at: now, openDescriptors: openDescriptors)
    }
  }

  /// Those that come and go while the broker runs.
  private var openDescriptors: Int { switchboard.connectionCount + programs.outputCount }

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
