/// The delays between the runs of a program that fails. All times are in nanoseconds.
struct RetryBackoff {
  private let first: Int64
  private var next: Int64

  /// The limit of the doubled delays, and the run after which the delay is the first one again.
  private static let minute: Int64 = 60_000_000_000

  init(first: Int64) {
    self.first = first
    next = first
  }

  /// The delay after a failed run.
  mutating func delay(afterRunOf time: Int64) -> Int64 {
    let delay = time < Self.minute ? next : first
    next = max(first, min(2 * delay, Self.minute))
    return delay
  }
}
