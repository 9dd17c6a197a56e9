extension Duration {
  /// The length in nanoseconds, at most 30 years.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    // Longer durations mean no limit, and would overflow.
    return max(0, min(seconds, 1_000_000_000)) * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
