import SceneBroker
import SceneCommandLine
import SceneModel
import ScenePlatform
import SceneWire

/// New clients.
extension Server {
  /// The most new connections of one iteration, so that many of them do not delay connected
  /// clients. They cost as much time as the turn of a busy connection. Rejected clients of other
  /// users count as well. The poller reports the rest again.
  private static let clientsPerIteration = 8
  /// The most errors of one iteration.
  private static let errorsPerIteration = 2

  func accept() throws(SystemError) {
    let room = mostDescriptors - openDescriptors
    guard room > 0 else {
      return try pauseAccepting(SystemError(call: "accept", code: .tooManyFiles))
    }
    var failures = 0
    for _ in 0..<min(room, Self.clientsPerIteration) {
      do throws(SystemError) {
        guard let socket = try UnixSocket.accept(from: listeningSocket.listener) else { return }
        greet(socket)
      } catch {
        if error.code.isOfListener { throw error }
        failures += 1
        // The error of one client removes that client from the queue. A repeated error may not.
        if error.isOutOfDescriptors || failures == Self.errorsPerIteration {
          return try pauseAccepting(error)
        }
        if let often = acceptLog.suffix(at: SystemClock.monotonic()) {
          log.warn("cannot accept a connection: \(error)\(often)")
        }
      }
    }
    // More clients may wait to be accepted.
    if room > Self.clientsPerIteration { eventLoop.input.hasNewClients = true }
  }

  /// Leaves new clients in the socket's queue. Further attempts to accept would only use the
  /// processor.
  private func pauseAccepting(_ error: SystemError) throws(SystemError) {
    let now = SystemClock.monotonic()
    try poller.remove(listeningSocket.listener.number)
    acceptPause = AcceptPause(at: now, openDescriptors: openDescriptors)
    if let often = admissionLog.suffix(at: now) {
      log.warn("the broker accepts no connections for now, and new clients wait: \(error)\(often)")
    }
  }

  /// Accepts again if a descriptor became free. Call this after the iteration has closed
  /// connections.
  func resumeAccepting() {
    guard let pause = acceptPause else { return }
    let now = SystemClock.monotonic()
    guard pause.isOver(at: now, openDescriptors: openDescriptors) else { return }
    do throws(SystemError) {
      try poller.add(listeningSocket.listener.number, token: Source.listener, interest: .readable)
      acceptPause = nil
    } catch {
      acceptPause = AcceptPause(at: now, openDescriptors: openDescriptors)
    }
  }

  /// The open descriptors of clients and programs.
  private var openDescriptors: Int { eventLoop.connectionCount + programs.outputCount }

  /// Admits a client. An error concerns this client only.
  private func greet(_ socket: consuming FileDescriptor) {
    do throws(SystemError) {
      try admit(socket)
    } catch {
      guard let often = admissionLog.suffix(at: SystemClock.monotonic()) else { return }
      log.warn("cannot serve a new client: \(error)\(often)")
    }
  }

  /// Checks the user of the client before the first byte is read.
  private func admit(_ socket: consuming FileDescriptor) throws(SystemError) {
    let credentials = try socket.peerCredentials()
    if let refusal = refusal(of: credentials) { return reject(socket, credentials, refusal) }
    let number = socket.number
    let connection = eventLoop.accept(
      process: ClientProcess(pid: Int64(credentials.process), startTime: 0), descriptor: socket)
    do throws(SystemError) {
      try poller.add(number, token: connection.identifier.number, interest: .readable)
    } catch {
      eventLoop.close(connection, .connectionLost)
      throw error
    }
  }

  private func refusal(of credentials: PeerCredentials) -> BrokerError? {
    guard credentials.user == user else {
      return BrokerError(
        .notPermitted,
        "this broker belongs to user \(user); the client runs as user \(credentials.user)")
    }
    guard !eventLoop.isStopping else {
      return BrokerError(.shuttingDown, "the broker is ending")
    }
    let limit = configuration.limits.connections
    guard eventLoop.connectionCount < limit else {
      return BrokerError(
        .tooMany,
        "the broker already has \(limit) connections, its limit; end a client, or start scened "
          + "with a higher --limit connections or ulimit -n")
    }
    return nil
  }

  private func reject(
    _ socket: consuming FileDescriptor, _ credentials: PeerCredentials, _ error: BrokerError
  ) {
    _ = socket.send(ShutdownFrame.frame(error).span.bytes)
    guard let often = rejectionLog.suffix(at: SystemClock.monotonic()) else { return }
    log.warn(
      "refused process \(credentials.process) of user \(credentials.user): "
        + "\(error.message)\(often)")
  }
}

/// A time in which no client is accepted, because the last attempt failed.
struct AcceptPause {
  /// When the next attempt is due if no descriptor is closed before; by the monotonic clock.
  let end: Int64
  private let openDescriptors: Int

  /// In nanoseconds. Descriptors that other processes close become free without any notice.
  private static let longest: Int64 = 1_000_000_000

  init(at now: Int64, openDescriptors: Int) {
    end = now + Self.longest
    self.openDescriptors = openDescriptors
  }

  /// Whether the pause has ended, or a descriptor was closed since and is free for a client.
  func isOver(at now: Int64, openDescriptors: Int) -> Bool {
    now >= end || openDescriptors < self.openDescriptors
  }
}

/// The last frame to a client that violated no rule. The server rejects a client with it, or tells
/// all clients that the broker cannot continue.
enum ShutdownFrame {
  static func frame(_ error: BrokerError) -> ContiguousArray<UInt8> {
    var writer = FrameWriter()
    writer.error(nil, error)
    return writer.take()
  }
}
