package import SceneBroker
package import SceneModel

/// The time by which the application lives: the machine's, or one that stands still until it is
/// told to go on.
package struct ApplicationClock {
  package let kind: ClockKind
  package private(set) var now: Instant
  private let start: Instant
  /// Where it is to go, one after the other, by its own monotonic time.
  private var goals: [Int64] = []

  package init(_ kind: ClockKind = .real, at start: Instant) {
    self.kind = kind
    self.start = start
    now = start
  }

  mutating func follow(_ machine: Instant) {
    switch kind {
    case .real: now = machine
    case .virtual: break
    }
  }

  var isMoving: Bool { !goals.isEmpty }

  mutating func advance(by time: Interval) {
    let (goal, overflow) = (goals.last ?? now.monotonic).addingReportingOverflow(time.nanoseconds)
    goals.append(overflow ? Self.end : min(goal, Self.end))
  }

  /// However often it is moved, there is room for every time limit behind it.
  private static let end = Int64.max / 2

  /// Goes on to what is due next, or as far as it is to go.
  mutating func move(to due: Int64?) {
    guard let goal = goals.first else { return }
    now.monotonic = max(now.monotonic, min(goal, due ?? goal))
    now.wall = start.wall + (now.monotonic - start.monotonic) / 1_000_000
  }

  /// Whether it has come to the first of its goals, which is then done with.
  mutating func arrive() -> Bool {
    guard let goal = goals.first, now.monotonic >= goal else { return false }
    goals.removeFirst()
    return true
  }
}
