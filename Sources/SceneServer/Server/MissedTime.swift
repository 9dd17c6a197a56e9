/// Measures the time in which this process did not run: it was stopped, its container was paused,
/// or other processes had the processor.
///
/// No budget of a client counts that time. Between the starts of two iterations lie at most the
/// requested wait and the duration of the iteration. A process that starts an iteration later than
/// that has missed the whole wait, or at least the rest.
struct MissedTime {
  /// Nanoseconds that an iteration may take, and a wait may end late, before time counts as missed.
  static let tolerance: Int64 = 100_000_000
  /// A wait of this many nanoseconds is not cut short.
  private static let shortestCut: Int64 = 250_000_000

  /// When the last iteration began.
  private var begin: Int64
  /// When the last iteration ended.
  private var end: Int64
  /// The latest start of the next iteration; nil while no timer runs.
  private var latest: Int64?

  /// An iteration begins.
  init(at now: Int64) { (begin, end) = (now, now) }

  /// The wait for a timer that is due after this time. A stop within the wait stays unnoticed until
  /// its end. It costs at most an eighth of the remaining time.
  static func wait(before time: Int64) -> Int64 { min(time, max(shortestCut, time / 8)) }

  /// The wait that follows the iteration; nil for one without an end.
  mutating func endIteration(at now: Int64, waiting time: Int64?) {
    end = now
    latest = time.map { begin + $0 + Self.tolerance }
  }

  /// The nanoseconds that the process has missed since the last iteration began.
  mutating func beginIteration(at now: Int64) -> Int64 {
    begin = now
    guard let latest, now > latest else { return 0 }
    // The whole wait counts: a stop may have begun with it, and have stopped the clients too.
    return max(now - latest, now - end)
  }
}
