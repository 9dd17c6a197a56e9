package import SceneBroker
package import SceneModel
package import ScenePlatform

/// The connection of one client: its socket, its unprocessed input and its unsent output.
package final class Connection {
  package let identifier: ConnectionIdentifier
  /// The start time is unknown until `identify`.
  package private(set) var process: ClientProcess
  private var isIdentified: Bool
  /// Nil for a connection in memory.
  let descriptor: FileDescriptor?

  // No call that changes one of these values comes back to this connection.
  @exclusivity(unchecked)
  var input: ConnectionInput
  @exclusivity(unchecked)
  var outbox = Outbox()
  /// The output scheduler's state of this connection.
  @exclusivity(unchecked)
  var output = OutputScheduler.Membership()
  /// Whether the client has closed its sending direction. Then the poller reports only a full
  /// close.
  @exclusivity(unchecked)
  var hasEnded = false
  /// Whether the socket takes nothing more.
  @exclusivity(unchecked)
  var isFull = false

  var stage = Stage.handshake
  /// Whether the client has closed both directions.
  var isGone = false
  /// Requests without a reply, or with a reply that waits for the disk.
  private(set) var requestsInFlight = 0

  enum Stage {
    /// The client has not sent `initialize`. Next: any other stage.
    case handshake
    /// Next: half closed, closing, lingering or closed.
    case open
    /// The client sends nothing more and awaits replies. Next: lingering or closed.
    case halfClosed
    /// The client violated the protocol. Next, at the end of the iteration: lingering.
    case closing
    /// The broker knows the connection as closed; output may still leave. Next: closed.
    case lingering
    case closed

    /// Whether the loop processes input.
    var acceptsInput: Bool {
      switch self {
      case .handshake, .open: true
      case .halfClosed, .closing, .lingering, .closed: false
      }
    }
  }

  package init(
    _ identifier: ConnectionIdentifier, process: ClientProcess,
    descriptor: consuming FileDescriptor?, frameLimit: Int
  ) {
    self.identifier = identifier
    self.process = process
    isIdentified = process.startTime != 0
    self.descriptor = descriptor
    input = ConnectionInput(frameLimit: frameLimit)
  }

  // MARK: - Life

  func beginRequest() { requestsInFlight += 1 }

  /// The reply to a request may leave. Returns whether it is the last one of a half-closed
  /// connection.
  func endRequest() -> Bool {
    requestsInFlight -= 1
    return stage == .halfClosed && requestsInFlight == 0
  }

  // MARK: - The process

  /// Finds out the start time of the client's process, once. Returns the process if it became
  /// known.
  ///
  /// That takes several system calls, and the broker needs the time only of few clients.
  func identify() -> ClientProcess? {
    guard !isIdentified else { return nil }
    isIdentified = true
    let pid = Int32(truncatingIfNeeded: process.pid)
    guard let identity = withDescriptor({ $0.peerIdentity(of: pid) }) ?? nil else { return nil }
    process.startTime = identity.startTime
    return process
  }

  // MARK: - Bytes

  /// Bytes of unprocessed input and of unsent output.
  var waitingByteCount: Int { outbox.byteCount + input.byteCount }

  /// Whether so much output waits that the loop reads nothing more.
  var isPaused: Bool { outbox.releasedByteCount > Share.waitingOutput }

  /// Whether the client has read all output.
  var hasRead: Bool { outbox.isEmpty && (withDescriptor { $0.unreadByPeer ?? 0 } ?? 0) == 0 }

  /// Reads once from the socket; nil without one.
  func receive(
    into room: UnsafeMutableRawBufferPointer, in iteration: UInt64
  ) -> ReceiveOutcome? {
    guard let outcome = withDescriptor({ $0.receive(into: room) }) else { return nil }
    input.didRead(isFull: outcome == .bytes(room.count), in: iteration)
    return outcome
  }

  /// Lends the socket, if there is one.
  @discardableResult
  func withDescriptor<Result>(_ body: (borrowing FileDescriptor) -> Result) -> Result? {
    switch descriptor {
    case .some(let descriptor): body(descriptor)
    case nil: nil
    }
  }
}
