import ScenePlatform

/// Waits between looks at what nobody tells of, each longer than the one before.
struct Pause {
  /// How long until the next look.
  private(set) var next: Int64 = 500_000
  private let start = SystemClock.monotonic()

  private static let longest: Int64 = 50_000_000

  /// Whether it all has taken less than so many nanoseconds.
  func isBelow(_ limit: Int64) -> Bool { SystemClock.monotonic() - start < limit }

  /// When the next look is due; the one after that is later.
  mutating func end() -> Int64 {
    defer { next = min(2 * next, Self.longest) }
    return SystemClock.monotonic() + next
  }

  mutating func wait() { _ = Monitor(()).wait(until: end()) { _ -> Void? in nil } }
}
