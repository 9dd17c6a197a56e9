/// A moment. Rules use the monotonic clock; the wall clock is for people.
package struct Instant: Hashable, Sendable {
  /// Nanoseconds of a clock that never goes back. Its start is arbitrary.
  package var monotonic: Int64
  /// Milliseconds since 1970 UTC.
  package var wall: Int64

  package init(monotonic: Int64, wall: Int64) {
    self.monotonic = monotonic
    self.wall = wall
  }
}

/// A length of time in nanoseconds.
package struct Interval: Hashable, Comparable, Sendable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package static func seconds(_ seconds: Int64) -> Interval {
    Interval(nanoseconds: seconds * 1_000_000_000)
  }

  /// The pause before a failed program starts again. It doubles with each failure, up to a minute.
  package static func pause(
    _ first: Interval = .milliseconds(250), afterFailures count: Int64
  ) -> Interval {
    let doubled = Interval(nanoseconds: first.nanoseconds << max(0, min(count - 1, 20)))
    return max(first, min(doubled, .seconds(60)))
  }

  /// A program that ran for this time has recovered: its next failure counts as the first one.
  package static let recovery = Interval.seconds(60)

  /// The time for which a new broker reserves sessions for their previous holders.
  package static let reservation = Interval.seconds(10)

  /// 365 days, the longest time of any timer.
  package static let year = Interval.seconds(31_536_000)

  /// Nil if the number is negative, not finite, or more than a year.
  package init?(seconds: Double) {
    guard seconds >= 0, seconds <= Self.year.seconds else { return nil }
    self.init(nanoseconds: Int64(seconds * 1_000_000_000))
  }

  package static func milliseconds(_ milliseconds: Int64) -> Interval {
    Interval(nanoseconds: milliseconds * 1_000_000)
  }

  package var seconds: Double { Double(nanoseconds) / 1_000_000_000 }

  /// The time for people, such as "5 s" or "100 ms".
  package var phrase: String {
    let milliseconds = (nanoseconds + 500_000) / 1_000_000
    if milliseconds < 1000 { return "\(milliseconds) ms" }
    if milliseconds.isMultiple(of: 3_600_000) { return "\(milliseconds / 3_600_000) h" }
    let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    return rest == 0 ? "\(whole) s" : "\(Double(milliseconds) / 1000) s"
  }

  package static func < (one: Self, other: Self) -> Bool { one.nanoseconds < other.nanoseconds }
}
