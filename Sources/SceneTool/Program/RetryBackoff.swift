import SceneModel

/// The delays between the runs of a program that fails.
struct RetryBackoff {
  let first: Interval
  /// The failures since the last run that was long enough.
  private var count: Int64 = 0

  init(first: Interval) { self.first = first }

  /// The delay after a failed run of this many nanoseconds.
  mutating func delay(afterRunOf time: Int64) -> Interval {
    count = time < Interval.recovery.nanoseconds ? count + 1 : 1
    return .pause(first, afterFailures: count)
  }
}
