extension Collection<ProcessIdentity> {
  /// Waits until all processes have ended, but not longer than `nanoseconds`. The kernel notifies
  /// only the parent of an exit, so this polls.
  package func awaitEnds(nanoseconds: Int64) {
    let deadline = SystemClock.monotonic() + nanoseconds
    while contains(where: \.isAlive), SystemClock.monotonic() < deadline {
      SystemClock.wait(until: SystemClock.monotonic() + 1_000_000)
    }
  }
}
