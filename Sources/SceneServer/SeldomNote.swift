/// Something that may come up very often, and is told once a second at most, with how often it
/// came.
struct SeldomNote {
  /// By the monotonic clock.
  private var next: Int64 = .min
  private var untold = 0

  /// What to add to the telling; nil when it is too soon to tell.
  mutating func often(at now: Int64) -> String? {
    guard now >= next else {
      untold += 1
      return nil
    }
    next = now + 1_000_000_000
    defer { untold = 0 }
    return untold == 0 ? "" : " (and \(untold) times more since it was told)"
  }
}
