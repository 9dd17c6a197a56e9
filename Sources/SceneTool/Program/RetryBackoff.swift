/// The delays between the runs of a program that fails. All times are in nanoseconds.
struct RetryBackoff {
  let first: Int64
  /// The delay after the next failed run; nil for the first one.
  var next: Int64?

  /// The limit of the doubled delays, and the run after which the delay is the first one again.
  private static let minute: Int64 = 60_000_000_000

  /// The delay after a failed run.
  mutating func delay(afterRunOf time: Int64) -> Int64 {
    let delay = time < Self.minute ? next ?? first : first
    next = max(first, min(2 * delay, Self.minute))
    return delay
  }
}
