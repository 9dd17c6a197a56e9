/// Limits a frequent log message to one line each second, and counts the messages in between.
struct RateLimitedLog {
  /// When the next line may be logged, by the monotonic clock.
  private var next: Int64 = .min
  private var suppressed = 0

  /// The end of the line, which states the count; nil if it is too early for a line.
  mutating func suffix(at now: Int64) -> String? {
    guard now >= next else {
      suppressed += 1
      return nil
    }
    next = now + 1_000_000_000
    defer { suppressed = 0 }
    return suppressed == 0 ? "" : " (\(suppressed) more since the last such message)"
  }
}
