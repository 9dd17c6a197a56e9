package import SceneBroker
package import SceneModel

/// The clocks and the timers of the event loop.
///
/// Times of a virtual clock and times of the machine's clock have no common order, so each clock
/// has a queue of its own. The loop may postpone a timer that has expired: a postponed timer ends
/// by iteration, not by time. A key is in at most one queue or postponed.
struct TimerService {
  private var clock: ApplicationClock
  /// The monotonic time of the machine at the start of the iteration, in nanoseconds.
  private(set) var machineTime: Int64
  private var machineTimers = TimerQueue<TimerKey>()
  private var applicationTimers = TimerQueue<TimerKey>()
  /// Expired timers that wait for the input that they depend on.
  private(set) var postponed = PostponedTimers<TimerKey>()
  private var idleDetector = IdleDetector()

  /// The interval between two checks whether a moving virtual clock can take its next step.
  static let pollInterval = Interval.milliseconds(2)

  init(_ kind: ClockKind, at now: Instant) {
    clock = ApplicationClock(kind, at: now)
    machineTime = now.monotonic
  }

  mutating func beginIteration(at now: Instant) {
    machineTime = now.monotonic
    clock.follow(now)
  }

  // MARK: - One timer

  /// Starts the timer, or moves it if it is running.
  mutating func set(_ key: TimerKey, after time: Interval) {
    postponed.remove(key)
    switch key.clock {
    case .machine: machineTimers.set(key, at: machineTime + time.nanoseconds)
    case .application: applicationTimers.set(key, at: now.monotonic + time.nanoseconds)
    }
  }

  mutating func cancel(_ key: TimerKey) {
    postponed.remove(key)
    switch key.clock {
    case .machine: machineTimers.cancel(key)
    case .application: applicationTimers.cancel(key)
    }
  }

  /// Sets the timer unless it expires later than that already.
  mutating func extend(_ key: TimerKey, by time: Interval) {
    postponed.remove(key)
    switch key.clock {
    case .machine: machineTimers.extend(key, to: machineTime + time.nanoseconds)
    case .application: applicationTimers.extend(key, to: now.monotonic + time.nanoseconds)
    }
  }

  /// When the timer expires, in nanoseconds of its own clock; nil if it is not running.
  func due(_ key: TimerKey) -> Int64? {
    switch key.clock {
    case .machine: machineTimers.due(key)
    case .application: applicationTimers.due(key)
    }
  }

  // MARK: - Expiry

  /// Removes and returns a timer that has expired: those of the application's clock come first.
  mutating func takeExpired() -> TimerKey? {
    applicationTimers.takeDue(at: now.monotonic) ?? machineTimers.takeDue(at: machineTime)
  }

  /// Keeps an expired timer until a later iteration has read all input that it depends on, for at
  /// most `time`. A timer without a connection depends on the input of all clients.
  mutating func postpone(
    _ key: TimerKey, on connection: ConnectionIdentifier? = nil, iteration: UInt64,
    atMost time: Interval
  ) {
    postponed.add(
      key, on: connection, iteration: iteration, latest: machineTime + time.nanoseconds)
  }

  /// Removes and returns the postponed timers that end now, in the order in which they expired.
  mutating func takePostponed(
    iteration: UInt64, isUnread: (ConnectionIdentifier?) -> Bool
  ) -> [TimerKey] {
    postponed.takeEnded(iteration: iteration, at: machineTime, isUnread: isUnread)
  }

  // MARK: - Clocks

  /// The time of the application.
  var now: Instant { clock.now }
  var clockKind: ClockKind { clock.kind }

  /// Whether a virtual clock is on its way, and no postponed timer stops it.
  var canMoveClock: Bool { clock.isMoving && postponed.isEmpty }

  /// Advances a virtual clock, in steps from timer to timer.
  mutating func advanceClock(by time: Interval) { clock.advance(by: time) }

  /// Whether a virtual clock needs to wait for none of these processes: each has been idle for long
  /// enough.
  mutating func areIdle(_ awaited: [ProcessSample]) -> Bool {
    idleDetector.areIdle(awaited, at: machineTime)
  }

  /// Moves a virtual clock to its next timer, or to the end of the advance.
  mutating func moveClock() { clock.move(to: applicationTimers.nextDue) }

  /// Whether an advance of a virtual clock ends now: all timers on the way have ended.
  mutating func completeAdvance() -> Bool {
    guard canMoveClock, applicationTimers.nextDue ?? .max > now.monotonic else { return false }
    return clock.arrive()
  }

  /// Adds to all running timers the nanoseconds in which the process did not run. A virtual clock
  /// did not run either.
  mutating func extendAll(by time: Int64) {
    machineTimers.prolong(by: time)
    if clock.kind == .real { applicationTimers.prolong(by: time) }
    postponed.prolong(by: time)
    // The awaited processes may not have run either.
    idleDetector.removeAll()
  }

  /// When the loop must look at the timers without an event, in nanoseconds of the machine's
  /// monotonic clock; nil for never. Mutating, because a call of a nonmutating method would copy
  /// the structure.
  mutating func nextWakeUp(isPaused: (ConnectionIdentifier) -> Bool) -> Int64? {
    var due = machineTimers.nextDue ?? .max
    due = min(due, postponed.nextLook(at: machineTime, isPaused: isPaused) ?? .max)
    switch clock.kind {
    case .real: due = min(due, applicationTimers.nextDue ?? .max)
    case .virtual: if clock.isMoving { due = machineTime + Self.pollInterval.nanoseconds }
    }
    return due == .max ? nil : due
  }

  // MARK: - Memory

  mutating func returnUnusedCapacity() {
    machineTimers.returnUnusedCapacity()
    applicationTimers.returnUnusedCapacity()
  }

  // MARK: - Invariants

  /// Every invariant of this part that does not hold, as a sentence.
  var flaws: [String] {
    var flaws: [String] = []
    for (clock, queue) in [
      (TimerKey.Clock.machine, machineTimers), (.application, applicationTimers),
    ] {
      for key in queue.timers where key.clock != clock {
        flaws.append("\(key) is in the queue of the \(clock) clock")
      }
    }
    for key in postponed.timers where due(key) != nil {
      flaws.append("\(key) is running and postponed")
    }
    return flaws
  }

  /// Entries of both queues, with those of moved and canceled timers that the queues still hold.
  var entryCount: Int { machineTimers.heap.count + applicationTimers.heap.count }
}

/// Timers that have expired, while unread input may still cancel them.
///
/// A timer ends in a later iteration that has read all input that the timer depends on. It ends at
/// the latest when its time has passed once more.
struct PostponedTimers<Timer: Hashable & SendableMetatype> {
  private struct Item {
    /// Nil if the timer depends on the input of all clients.
    let connection: ConnectionIdentifier?
    /// The iteration in which the timer expired.
    let iteration: UInt64
    /// When the timer ends in any case, by the machine's monotonic clock.
    var latest: Int64
    let number: UInt64
  }

  private var items: [Timer: Item] = [:]
  private var lastNumber: UInt64 = 0

  var isEmpty: Bool { items.isEmpty }

  var timers: [Timer] { Array(items.keys) }

  mutating func add(
    _ timer: Timer, on connection: ConnectionIdentifier?, iteration: UInt64, latest: Int64
  ) {
    lastNumber += 1
    items[timer] = Item(
      connection: connection, iteration: iteration, latest: latest, number: lastNumber)
  }

  /// Removes a timer that was set again or canceled.
  mutating func remove(_ timer: Timer) {
    if !items.isEmpty { items[timer] = nil }
  }

  /// When the loop looks at the timers again; nil without timers. The timer of a paused connection
  /// ends at its latest time, unless an event ends the pause before.
  func nextLook(at now: Int64, isPaused: (ConnectionIdentifier) -> Bool) -> Int64? {
    if items.isEmpty { return nil }
    return items.values.map { item in
      item.connection.map(isPaused) == true ? item.latest : now
    }.min()
  }

  mutating func prolong(by time: Int64) {
    for timer in items.keys { items[timer]?.latest += time }
  }

  /// Removes and returns the timers that end now, in the order in which they expired.
  mutating func takeEnded(
    iteration: UInt64, at now: Int64, isUnread: (ConnectionIdentifier?) -> Bool
  ) -> [Timer] {
    let ended = items.filter { _, item in
      now >= item.latest || item.iteration < iteration && !isUnread(item.connection)
    }
    for timer in ended.keys { items[timer] = nil }
    return ended.sorted { $0.value.number < $1.value.number }.map(\.key)
  }
}

/// The clock of the application: the machine's clock, or a virtual clock that moves only when a
/// client advances it.
package struct ApplicationClock {
  package let kind: ClockKind
  package private(set) var now: Instant
  private let start: Instant
  /// The times at which the requested advances end, in order, by the clock's own monotonic time.
  private var goals: [Int64] = []

  package init(_ kind: ClockKind = .real, at start: Instant) {
    self.kind = kind
    self.start = start
    now = start
  }

  /// Takes over the machine's time, unless the clock is virtual.
  mutating func follow(_ machine: Instant) {
    switch kind {
    case .real: now = machine
    case .virtual: break
    }
  }

  /// Whether an advance has not ended.
  var isMoving: Bool { !goals.isEmpty }

  mutating func advance(by time: Interval) {
    let (goal, overflow) = (goals.last ?? now.monotonic).addingReportingOverflow(time.nanoseconds)
    goals.append(overflow ? Self.end : min(goal, Self.end))
  }

  /// The last time of the clock: adding a timeout to it does not overflow.
  private static let end = Int64.max / 2

  /// Moves to the time of the next timer, or to the end of the advance.
  mutating func move(to due: Int64?) {
    guard let goal = goals.first else { return }
    now.monotonic = max(now.monotonic, min(goal, due ?? goal))
    now.wall = start.wall + (now.monotonic - start.monotonic) / 1_000_000
  }

  /// Whether the clock has reached the end of the first advance, which is then removed.
  mutating func arrive() -> Bool {
    guard let goal = goals.first, now.monotonic >= goal else { return false }
    goals.removeFirst()
    return true
  }
}
