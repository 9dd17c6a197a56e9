package import SceneBroker
package import SceneModel
package import ScenePlatform
import SceneWire

/// One client at the edge: its socket, what came of its bytes, and what waits to leave.
package final class Connection {
  package let identifier: ConnectionIdentifier
  package let process: ClientProcess
  /// Nil for a connection that is fed in memory.
  let descriptor: FileDescriptor?

  // Nothing that runs while one of these is changed can come back to this connection.
  @exclusivity(unchecked)
  var decoder: FrameDecoder
  @exclusivity(unchecked)
  var outbox = Outbox()
  /// Requests that were not answered yet, or whose answer waits for the disk.
  var requestsInFlight = 0
  /// Bytes that were read and wait until output has left, from the beginning of a frame on.
  var heldInput: ContiguousArray<UInt8> = []
  /// Whether it said or was told much when it was last heard, so that it is heard in turn.
  var isBusy = false
  var waitsForTurn = false
  /// What it adds to what waits for all connections together.
  var countedByteCount = 0
  /// Bytes of output since the last flush.
  var writtenByteCount = 0
  /// Whether everything it said is heard at once, because it is gone.
  var isHeardAtOnce = false
  /// Whether its process reads nothing any more.
  var isGone = false
  var stage = Stage.greeting
  /// Whether a request of it was heard that the rules were not asked yet.
  var asks = false
  /// The round in which as much was read as may be, so that there may be more in the socket.
  var fullReadRound: UInt64?
  /// What the poller watches the socket for.
  var interest = PollInterest.readable
  /// Whether a timer runs until its output is offered again, because the kernel lacks memory, and how
  /// many such timers ran since it took something.
  var waitsForMemory = false
  var resendCount = 0
  /// Whether the other end will say no more.
  var hasEnded = false
  var isListedForOutput = false
  var isListedAsHeldBack = false
  /// What the broker dies with, in a test.
  var fatalMessage: FatalMessage?
  /// Whether a timer runs against a frame that was begun.
  var hasFrameTimer = false
  var slowness = Slowness.none
  /// Whether the rules want to know when it has taken everything.
  var isDraining = false
  /// Whether its time to read is over, but for one last offer.
  var isOfferedOnceMore = false

  /// Whether a timer runs against output that is not taken.
  enum Slowness {
    case none
    case slow
    /// It took something when its time was over, and has that time once more.
    case slowOnceMore
  }

  enum Stage {
    /// It has not said who it is.
    case greeting
    case open
    /// The other end has said its last word; what it asked is still answered.
    case finishing
    /// It broke the protocol; once the round ends, the rules are told that it is gone.
    case leaving
    /// To the rules it is gone; what is written may still leave.
    case lingering
    case closed

    /// Whether what it says counts.
    var isHeard: Bool {
      switch self {
      case .greeting, .open: true
      case .finishing, .leaving, .lingering, .closed: false
      }
    }
  }

  /// Bytes that were read and not dealt with, or wait to leave.
  var waitingByteCount: Int {
    outbox.byteCount + heldInput.count + decoder.keptByteCount
  }

  /// Whether so much output waits that nothing more is read.
  var isPaused: Bool { outbox.freeByteCount > Share.waitingOutput }

  /// Lends the socket, if there is one.
  @discardableResult
  func withDescriptor<Result>(_ body: (borrowing FileDescriptor) -> Result) -> Result? {
    switch descriptor {
    case .some(let descriptor): body(descriptor)
    case nil: nil
    }
  }

  /// Whether all that was sent to it has been read by its process.
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
