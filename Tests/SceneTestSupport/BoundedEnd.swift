package import ScenePlatform

extension ChildProcess {
  /// Reaps it when it has ended; nil if it still runs at the ceiling.
  package func reapWithinCeiling() throws -> ProcessEnd? {
    let hasEnded = Monitor(false)
    let thread = try Thread("child's end") {
      // It cannot fail for a child that nobody else reaps.
      try? awaitEnd()
      hasEnded.withLock { $0 = true }
    }
    guard
      hasEnded.wait(until: SystemClock.monotonic() + ceiling, for: { $0 ? true : nil }) != nil
    else { return nil }
    thread.join()
    return try reap()
  }
}
