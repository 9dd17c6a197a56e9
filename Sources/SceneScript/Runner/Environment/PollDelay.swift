import ScenePlatform

/// The delay between polls for a state that causes no event. It doubles after each poll.
package struct PollDelay {
  /// In nanoseconds.
  private(set) var next: Int64 = 500_000
  private let start = SystemClock.monotonic()

  package init() {}

  private static let longest: Int64 = 50_000_000

  /// Whether less than `limit` nanoseconds have passed since the first poll.
  func isBelow(_ limit: Int64) -> Bool { SystemClock.monotonic() - start < limit }

  /// Returns the time of the next poll, and doubles the delay.
  package mutating func nextPoll() -> Int64 {
    defer { next = min(2 * next, Self.longest) }
    return SystemClock.monotonic() + next
  }

  mutating func wait() { SystemClock.wait(until: nextPoll()) }
}
