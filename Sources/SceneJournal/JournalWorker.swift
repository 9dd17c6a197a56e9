/// What the journal's thread does, one turn at a time, so that tests can do it without a thread.
struct JournalWorker<Content: JournalContent>: ~Copyable, Sendable {
  /// When the next turn is due.
  enum Next: Equatable, Sendable {
    case now
    /// At this time, or when something was handed over; nil: only then.
    case wait(until: Int64?)
    case ended
  }

  /// A second, in nanoseconds: how long a batch stays unattested, and how often room is looked for.
  static var idleTime: Int64 { 1_000_000_000 }

  /// How often room is looked for at most, however many want it.
  static var wishTime: Int64 { 50_000_000 }

  private var writer: JournalWriter<Content>
  private let shared: JournalShared
  private var lastCommit: Int64
  /// When room is looked for again; nil while there is enough.
  private var retryTime: Int64?
  private var lastLook: Int64 = 0
  /// Whether a unit was put back for want of room; nothing may overtake it.
  private(set) var isBlocked = false

  init(_ writer: consuming JournalWriter<Content>, _ shared: JournalShared, now: Int64) {
    self.writer = writer
    self.shared = shared
    lastCommit = now
    // The owner is not to learn only after the first turn that there is no room.
    publishState()
  }

  /// Does what is due at `now`, in nanoseconds of a clock that only goes forward: at most one
  /// batch, and at most one step of anything else.
  mutating func turn(now: Int64) -> Next {
    do throws(JournalError) {
      let next = try work(now: now)
      if next == .ended { shared.publish { $0.hasEnded = true } }
      return next
    } catch {
      end(error)
      return .ended
    }
  }

  /// Tells the owner why there is no further turn.
  func end(_ error: JournalError) {
    shared.publish { news in
      news.failure = error
      news.hasEnded = true
    }
  }

  private mutating func work(now: Int64) throws(JournalError) -> Next {
    if let time = retryTime, shared.isRoomWishedFor {
      retryTime = min(time, lastLook + Self.wishTime)
    }
    let isDue = retryTime.map { $0 <= now } ?? true
    if isDue { shared.forgetWish() }
    let (unit, setAside, isStopping) = shared.take(withUnit: !isBlocked || isDue)
    writer.setAside = setAside
    var hasCommitted = false
    if let unit { hasCommitted = try commit(unit, now: now) }
    try prepareAhead(retrying: isDue, now: now)
    if writer.isCompacting { _ = try writer.compactStep() }
    publishState()
    if hasCommitted || (writer.isCompacting && !isStopping) { return .now }
    if isStopping {
      try writer.attestIdle()
      try writer.flush()
      publishState()
      return .ended
    }
    return try idle(now: now)
  }

  /// Whether the unit found room; if not it waits.
  private mutating func commit(
    _ unit: JournalHandover.Unit, now: Int64
  ) throws(JournalError) -> Bool {
    lastCommit = now
    do throws(JournalError) {
      try writer.commit(unit.records)
    } catch {
      guard case .noRoom = error else { throw error }
      shared.putBack(unit)
      isBlocked = true
      return false
    }
    isBlocked = false
    let counts = writer.counts
    let state = writer.state
    let missingRoom = writer.missingRoom
    shared.publish { news in
      // Both at once: who sees the one without the other would submit more than there is room for.
      news.storage = state
      news.missingRoom = missingRoom
      news.syncedThrough = unit.through
      news.counts = counts
    }
    return true
  }

  private mutating func prepareAhead(retrying: Bool, now: Int64) throws(JournalError) {
    try writer.prepareAhead(retrying: retrying)
    if writer.state == .ok {
      retryTime = nil
      if isBlocked { retryTime = now }
    } else if retrying {
      lastLook = now
      retryTime = now + Self.idleTime
    }
  }

  private mutating func idle(now: Int64) throws(JournalError) -> Next {
    guard writer.awaitsAttestation else { return .wait(until: retryTime) }
    let attestTime = lastCommit + Self.idleTime
    if now < attestTime { return .wait(until: min(attestTime, retryTime ?? .max)) }
    try writer.attestIdle()
    publishState()
    // With no room to spare the batch stays unattested; a second later there may be.
    if writer.awaitsAttestation { lastCommit = now }
    return .now
  }

  private func publishState() {
    let state = writer.state
    let missingRoom = writer.missingRoom
    let counts = writer.counts
    let compactionFailure = writer.compactionFailure
    shared.publish { news in
      news.storage = state
      news.missingRoom = missingRoom
      news.counts = counts
      news.compactionFailure = compactionFailure
    }
  }
}
