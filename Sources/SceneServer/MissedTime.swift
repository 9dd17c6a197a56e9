/// Measures the time in which this process did not run: it was stopped, its container was paused, or
/// other processes had the processor.
///
/// No budget of a client counts that time. Between the begins of two rounds lie at most the wait that
/// was asked for and what the round itself took; the process missed the rest.
struct MissedTime {
  /// Nanoseconds that a round may take, and a wait may end late, before time counts as missed.
  static let tolerance: Int64 = 100_000_000
  /// A wait of this many nanoseconds is not cut short.
  private static let shortestCut: Int64 = 250_000_000

  /// When the last round began.
  private var begin: Int64
  /// When the next round begins at the latest; nil while no timer runs.
  private var latest: Int64?

  /// A round begins.
  init(at now: Int64) { begin = now }

  /// How long to wait for a timer that is due in this time. A stop within the wait goes unnoticed up to
  /// the end of the wait, and so costs at most an eighth of the time that was left.
  static func wait(before time: Int64) -> Int64 { min(time, max(shortestCut, time / 8)) }

  /// The wait that follows the round; nil for one without an end.
  mutating func endRound(waiting time: Int64?) {
    latest = time.map { begin + $0 + Self.tolerance }
  }

  /// The nanoseconds that the process has missed since the last round began. A late round counts
  /// whole, in the client's favor: when within it the process stopped is not known.
  mutating func beginRound(at now: Int64) -> Int64 {
    defer { begin = now }
    guard let latest, now > latest else { return 0 }
    return now - begin
  }
}
