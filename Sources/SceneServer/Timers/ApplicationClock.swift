package import SceneBroker
package import SceneModel

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
