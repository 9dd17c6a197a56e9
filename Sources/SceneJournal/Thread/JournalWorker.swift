import ScenePlatform

/// The work of the journal's thread in steps, so that tests need no thread.
struct JournalWorker: ~Copyable, Sendable {
  /// The time of the next step.
  enum Next: Equatable, Sendable {
    case now
    /// At this time or at the next submission; nil waits for a submission only.
    case wait(until: Int64?)
    case ended
  }

  /// The delay of the commit marker and the interval of checks for free space, in nanoseconds.
  static var idleTime: Int64 { 1_000_000_000 }

  /// The minimum interval of requested checks for free space, in nanoseconds.
  static var minimumCheckInterval: Int64 { 50_000_000 }

  private var writer: JournalWriter
  private let queue: JournalQueue
  private var lastCommit: Int64
  /// The time of the next check for free space; nil while there is enough. Also the time at which a
  /// blocked batch is tried again.
  private var nextSpaceCheck: Int64?
  private var lastSpaceCheck: Int64 = 0
  /// Whether a batch waits for free space. No later batch may overtake it.
  private(set) var isBlocked = false

  init(_ writer: consuming JournalWriter, _ queue: JournalQueue, now: Int64) {
    self.writer = writer
    self.queue = queue
    lastCommit = now
    // The owner must know about missing space before the first step.
    publishState()
  }

  /// Works until the end, on a thread of its own.
  mutating func run() {
    while true {
      switch step(now: SystemClock.monotonic()) {
      case .wait(let time) where !queue.hasWork: queue.waitForWork(until: time)
      // The owner runs if it waits for this processor. It answers the last batch, and the next
      // saves of these clients join the next batch, so that more saves share a sync.
      case .now, .wait: Thread.yield()
      case .ended: return
      }
    }
  }

  /// Does the work due at `now`, in nanoseconds of a monotonic clock: at most one batch, and one
  /// step of each other task.
  mutating func step(now: Int64) -> Next {
    do throws(JournalError) {
      let next = try work(now: now)
      if next == .ended { queue.publish { $0.hasEnded = true } }
      return next
    } catch {
      queue.end(error)
      return .ended
    }
  }

  private mutating func work(now: Int64) throws(JournalError) -> Next {
    if queue.takeSpaceCheckRequest(), let time = nextSpaceCheck {
      nextSpaceCheck = min(time, lastSpaceCheck + Self.minimumCheckInterval)
    }
    // Without a shortage, each step may need space, and each failure is the first.
    let mayRetry = nextSpaceCheck.map { $0 <= now } ?? true
    let input = queue.take(withBatch: !isBlocked || mayRetry)
    writer.reservedBatchCount = input.reservedBatchCount
    var hasCommitted = false
    if let batch = input.batch { hasCommitted = try commit(batch, now: now) }
    try prepareAhead(retrying: mayRetry, now: now)
    if writer.isCompacting { _ = try writer.compactStep() }
    publishState()
    if hasCommitted && input.isMoreWaiting { return .now }
    if writer.isCompacting && !input.isStopping { return .now }
    if input.isStopping {
      try writer.writeCommitMarker()
      try writer.flush()
      publishState()
      return .ended
    }
    return try idle(now: now)
  }

  /// Commits a batch. Returns false and puts the batch back if there is no space.
  private mutating func commit(
    _ batch: JournalQueue.Batch, now: Int64
  ) throws(JournalError) -> Bool {
    lastCommit = now
    do throws(JournalError) {
      try writer.commit(batch.records)
    } catch {
      guard case .noRoom = error else { throw error }
      queue.putBack(batch)
      isBlocked = true
      return false
    }
    isBlocked = false
    publishState(durable: batch.through)
    return true
  }

  private mutating func prepareAhead(retrying: Bool, now: Int64) throws(JournalError) {
    try writer.prepareAhead(retrying: retrying)
    if writer.state == .ok {
      nextSpaceCheck = nil
      if isBlocked { nextSpaceCheck = now }
    } else if retrying {
      lastSpaceCheck = now
      nextSpaceCheck = now + Self.idleTime
    }
  }

  private mutating func idle(now: Int64) throws(JournalError) -> Next {
    guard writer.awaitsCommitMarker else { return .wait(until: nextSpaceCheck) }
    let markerTime = lastCommit + Self.idleTime
    if now < markerTime { return .wait(until: min(markerTime, nextSpaceCheck ?? .max)) }
    try writer.writeCommitMarker()
    publishState()
    // Without spare space there is no commit marker; try again after `idleTime`.
    if writer.awaitsCommitMarker { lastCommit = now }
    return .now
  }

  /// Publishes the state and, after a commit, the number of its last submission. An owner that saw
  /// only the number would submit more than fits.
  private func publishState(durable: UInt64? = nil) {
    let state = writer.state
    let spaceShortage = writer.spaceShortage
    let counts = writer.counts
    let compactionFailure = writer.compactionFailure
    queue.publish { status in
      if let durable { status.durable = durable }
      status.storage = state
      status.spaceShortage = spaceShortage
      status.counts = counts
      status.compactionFailure = compactionFailure
    }
  }
}
