import SceneBroker
import SceneModel
import ScenePlatform

/// Schedules the output of all connections: which connection is sent to next, which one waits for
/// the disk, and which client reads too slowly.
///
/// The bytes stay in the outbox of each connection. The scheduler hands out one connection at a
/// time, so that what the loop does for that connection may schedule others. It never calls back.
struct OutputScheduler {
  /// Connections with output for the next pass.
  private var ready = Passes()
  /// Connections with output that waits for the disk, in the order in which the wait began.
  private var awaitingSync = Passes()
  private var buffers = BufferPool()
  /// Unsent and unprocessed bytes of all connections.
  private(set) var waitingByteCount = 0
  /// Limits the log of connections that are closed because too much waits for all of them.
  private var overflowNote = RateLimitedLog()

  /// Part of the scheduler's state, stored in each connection so that a look-up takes no hashing.
  struct Membership {
    /// Bytes of output since the last flush.
    fileprivate(set) var writtenByteCount = 0
    fileprivate var isReady = false
    fileprivate var awaitsSync = false
    /// The part of this connection in the scheduler's `waitingByteCount`.
    fileprivate(set) var countedByteCount = 0
    fileprivate(set) var slowness = Slowness.none
    /// The time to read is over, except for one last offer.
    fileprivate var isLastOffer = false
    /// A timer runs until the loop sends again, because the kernel lacks memory.
    fileprivate var awaitsMemory = false
    /// How many such timers ran since the socket took something.
    fileprivate(set) var resendCount = 0
    /// Whether the broker wants to know when the client has taken all output.
    fileprivate var isDraining = false
  }

  /// Whether a timer runs because the client does not read.
  enum Slowness {
    case none
    case slow
    /// The client had read something when the first timer expired. A second timer runs.
    case slowAgain
  }

  /// A list that is worked off in passes: what is added during a pass belongs to the next one.
  private struct Passes {
    var next: [Connection] = []
    /// In reverse order: `popLast` moves a connection out, and a subscript copies it.
    private var current: [Connection] = []

    mutating func begin() {
      swap(&next, &current)
      current.reverse()
    }

    mutating func take() -> Connection? { current.popLast() }
  }

  // MARK: - Writing

  /// Writes a message to the outbox of its connection. Returns what begins if the message may leave
  /// at once.
  mutating func append(
    _ outbound: borrowing Outbound, to connection: Connection, durable: UInt64
  ) -> Outbox.OnRelease? {
    let before = connection.outbox.byteCount
    let release = connection.outbox.append(outbound, durable: durable, borrowingFrom: &buffers)
    didAppend(to: connection, before)
    return release
  }

  /// Adds an event for an observation of the connection or of a scene.
  mutating func append(
    _ frame: EventFrame, for session: SessionIdentifier?, to connection: Connection
  ) {
    let before = connection.outbox.byteCount
    connection.outbox.append(frame, for: session, borrowingFrom: &buffers)
    didAppend(to: connection, before)
  }

  private mutating func didAppend(to connection: Connection, _ before: Int) {
    connection.output.writtenByteCount += connection.outbox.byteCount - before
    recount(connection)
    schedule(connection)
    scheduleForSync(connection)
  }

  /// Updates the count of waiting bytes after a change of the connection's input or output.
  mutating func recount(_ connection: Connection) {
    guard connection.stage != .closed else { return }
    let count = connection.waitingByteCount
    waitingByteCount += count - connection.output.countedByteCount
    connection.output.countedByteCount = count
  }

  /// Forgets a connection that was closed. The disk may hang for long, and must not keep its socket
  /// open.
  mutating func remove(_ connection: Connection) {
    waitingByteCount -= connection.output.countedByteCount
    connection.output.countedByteCount = 0
    if connection.output.awaitsSync { awaitingSync.next.removeAll { $0 === connection } }
  }

  // MARK: - Passes

  /// Whether the next pass has a connection.
  var hasReady: Bool { !ready.next.isEmpty }
  /// Whether output waits for the disk.
  var awaitsDisk: Bool { !awaitingSync.next.isEmpty }

  /// Puts the connection into the next pass.
  mutating func schedule(_ connection: Connection) {
    guard !connection.output.isReady else { return }
    connection.output.isReady = true
    ready.next.append(connection)
  }

  /// Begins a pass over all connections that are scheduled.
  mutating func beginPass() { ready.begin() }

  /// The next connection of the pass, with its output in one buffer; nil at the end of the pass.
  mutating func next() -> Connection? {
    while let connection = ready.take() {
      connection.output.isReady = false
      guard connection.stage != .closed else { continue }
      connection.output.writtenByteCount = 0
      connection.outbox.gather(borrowingFrom: &buffers)
      return connection
    }
    return nil
  }

  /// Takes back the empty buffer of an outbox.
  mutating func recycle(_ buffer: consuming OutputBuffer) { buffers.give(buffer) }

  /// The broker wants to know when the client has taken all output. The next pass looks at the
  /// connection, even without output.
  mutating func reportWhenDrained(_ connection: Connection) {
    connection.output.isDraining = true
    schedule(connection)
  }

  /// Whether the client has taken all output and the broker wants to know, once.
  mutating func takeDrained(_ connection: Connection) -> Bool {
    guard connection.output.isDraining, connection.outbox.isEmpty else { return false }
    connection.output.isDraining = false
    return true
  }

  // MARK: - Output that waits for the disk

  private mutating func scheduleForSync(_ connection: Connection) {
    guard connection.outbox.waitsForDisk, !connection.output.awaitsSync else { return }
    connection.output.awaitsSync = true
    awaitingSync.next.append(connection)
  }

  /// Begins a pass over all connections with output that waits for the disk.
  mutating func beginRelease() { awaitingSync.begin() }

  /// The next connection of that pass; nil at its end.
  mutating func nextToRelease() -> Connection? {
    while let connection = awaitingSync.take() {
      connection.output.awaitsSync = false
      if connection.stage != .closed { return connection }
    }
    return nil
  }

  /// The loop released what the disk has. The rest of the output waits further.
  mutating func didRelease(_ connection: Connection) {
    schedule(connection)
    scheduleForSync(connection)
  }

  // MARK: - Errors of a socket

  enum SendResult: Equatable {
    /// The connection stays open.
    case open
    /// The kernel has memory again: the resend timer is not needed.
    case recovered
    /// The kernel lacks memory: the loop sends again later.
    case resendLater
    /// The kernel lacked memory for too long.
    case keepsFailing(ErrorCode)
    /// The client has closed its end.
    case disconnected
    case failed(ErrorCode)
  }

  /// A kernel without memory has about ten seconds to find some.
  static let resendDelay = Interval.milliseconds(10)
  static let maxResends = 1000

  /// Takes in the outcome of a send.
  mutating func didSend(_ outcome: SendOutcome, to connection: Connection) -> SendResult {
    switch outcome {
    case .bytes(0), .wouldBlock: return .open
    case .bytes:
      let isRecovered = connection.output.awaitsMemory
      (connection.output.awaitsMemory, connection.output.resendCount) = (false, 0)
      return isRecovered ? .recovered : .open
    case .failed(let code) where code.isOutOfMemory:
      if connection.output.awaitsMemory { return .open }
      guard connection.output.resendCount < Self.maxResends else { return .keepsFailing(code) }
      connection.output.awaitsMemory = true
      connection.output.resendCount += 1
      return .resendLater
    case .failed(let code): return code.isDisconnected ? .disconnected : .failed(code)
    }
  }

  /// The resend timer has expired.
  mutating func resend(_ connection: Connection) {
    connection.output.awaitsMemory = false
    schedule(connection)
  }

  // MARK: - Slow readers

  enum ReaderState: Equatable {
    case keepsUp
    /// The loop starts the slow reader timer.
    case startTimer
    /// The loop stops the slow reader timer.
    case stopTimer
    /// A lingering connection has nothing left to send, or no time left.
    case close
    case slowReader
    /// Too much output waits for the disk. The client may have read everything else.
    case diskBehind
  }

  /// The timer of the connection has expired: offers its output once more. The process itself may
  /// have been stopped, or the client may have read since the last offer.
  mutating func scheduleLastOffer(_ connection: Connection) {
    connection.output.isLastOffer = true
    schedule(connection)
  }

  /// Checks after a send whether the client reads fast enough.
  mutating func checkReader(
    _ connection: Connection, hasTaken: Bool, limits: Limits
  ) -> ReaderState {
    let isLate = connection.output.isLastOffer
    connection.output.isLastOffer = false
    guard connection.stage != .lingering else {
      return isLate || connection.outbox.isEmpty ? .close : .keepsUp
    }
    let released = connection.outbox.releasedByteCount
    if released > limits.outboxBytes { return .slowReader }
    if connection.outbox.byteCount > limits.backlogBytes { return .diskBehind }
    guard released > limits.slowReaderBytes else {
      defer { connection.output.slowness = .none }
      return connection.output.slowness == .none ? .keepsUp : .stopTimer
    }
    switch connection.output.slowness {
    case .none:
      connection.output.slowness = .slow
      return .startTimer
    case .slow where isLate && hasTaken:
      connection.output.slowness = .slowAgain
      return .startTimer
    case .slow, .slowAgain: return isLate ? .slowReader : .keepsUp
    }
  }

  // MARK: - Overflow

  /// The end of such a log line; nil if it is too early for another line.
  mutating func overflowSuffix(at now: Int64) -> String? { overflowNote.suffix(at: now) }

  // MARK: - Invariants

  /// Every invariant of the scheduler and of these connections, the open ones, that does not hold
  /// between two passes, as a sentence.
  func flaws(of connections: [Connection]) -> [String] {
    var flaws: [String] = []
    let counted = connections.reduce(0) { $0 + $1.output.countedByteCount }
    if counted != waitingByteCount {
      flaws.append("\(waitingByteCount) bytes wait, \(counted) in the open connections")
    }
    let ready = Set(ready.next.map { ObjectIdentifier($0) })
    let awaitingSync = Set(awaitingSync.next.map { ObjectIdentifier($0) })
    for connection in connections {
      let number = connection.identifier.number
      if connection.output.isReady != ready.contains(ObjectIdentifier(connection)) {
        flaws.append("the list of ready connections is wrong about \(number)")
      }
      let waits = awaitingSync.contains(ObjectIdentifier(connection))
      if connection.output.awaitsSync != waits || connection.outbox.waitsForDisk && !waits {
        flaws.append("the list of connections that wait for the disk is wrong about \(number)")
      }
    }
    return flaws
  }
}
