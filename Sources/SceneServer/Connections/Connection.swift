package import SceneBroker
package import SceneModel
package import ScenePlatform
import SceneWire

/// The connection of one client: its socket, its unprocessed input and its unsent output.
package final class Connection {
  package let identifier: ConnectionIdentifier
  package let process: ClientProcess
  /// Nil for a connection in memory.
  let descriptor: FileDescriptor?

  // No call that changes one of these values comes back to this connection.
  @exclusivity(unchecked)
  var decoder: FrameDecoder
  @exclusivity(unchecked)
  var outbox = Outbox()
  /// Requests without a reply, or with a reply that waits for the disk.
  var requestsInFlight = 0
  /// Input that waits for a turn or until output has left. It begins with the start of a frame.
  @exclusivity(unchecked)
  var heldInput: ContiguousArray<UInt8> = []
  /// Whether the last input or the output was so large that the connection must take turns.
  var isBusy = false
  var waitsForTurn = false
  /// Bytes of output since the last flush.
  var writtenByteCount = 0
  /// Whether all input is processed at once, because the client is gone.
  var processesAllInput = false
  /// Whether the client has closed both directions.
  var isGone = false
  var stage = Stage.handshake
  /// Whether the pipeline has a request of this connection.
  var hasParsedRequest = false
  /// The iteration in which a read filled its buffer, so that the socket may have more.
  var fullReadIteration: UInt64?
  /// The events that the poller reports for the socket.
  var interest = PollInterest.readable
  /// Whether the client has closed its sending direction.
  var hasEnded = false
  /// The scheduler's state of this connection.
  var output = OutputScheduler.Membership()
  /// A message in the outbox with which the process dies, in a test.
  var fatalMessage: FatalMessage?
  /// Whether the timer of an incomplete frame runs.
  var hasFrameTimer = false
  /// Whether the broker wants to know when the client has taken all output.
  var isDraining = false

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

  /// Bytes of unprocessed input and of unsent output.
  var waitingByteCount: Int {
    outbox.byteCount + heldInput.count + decoder.keptByteCount
  }

  /// Whether so much output waits that the loop reads nothing more.
  var isPaused: Bool { outbox.freeByteCount > Share.waitingOutput }

  /// Lends the socket, if there is one.
  @discardableResult
  func withDescriptor<Result>(_ body: (borrowing FileDescriptor) -> Result) -> Result? {
    switch descriptor {
    case .some(let descriptor): body(descriptor)
    case nil: nil
    }
  }

  /// Whether the client has read all output.
  var hasRead: Bool { outbox.isEmpty && (withDescriptor { $0.unreadByPeer ?? 0 } ?? 0) == 0 }

  package init(
    _ identifier: ConnectionIdentifier, process: ClientProcess,
    descriptor: consuming FileDescriptor?, frameLimit: Int
  ) {
    self.identifier = identifier
    self.process = process
    self.descriptor = descriptor
    decoder = FrameDecoder(limit: frameLimit)
  }
}
