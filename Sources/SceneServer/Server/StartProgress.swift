import SceneCommandLine
package import SceneJournal
package import ScenePlatform

/// Reports how much of the journal a start has read: to a person at a terminal and to the
/// supervisor.
package final class StartProgress: Sendable {
  private let line: ProgressLine?
  private let nextMessage: ConditionMutex<Int64>
  private let interval: Int64
  private let clock: @Sendable () -> Int64
  private let notify: @Sendable (String) -> Void

  /// systemd ends a start that sends no message for so many microseconds, once the timeout of the
  /// unit has passed.
  private static let extensionMicroseconds = 30_000_000

  /// The first message leaves after `delay`, and then at most one per `interval`, in nanoseconds.
  package init(
    line: ProgressLine?, delay: Int64 = 500_000_000, interval: Int64 = 1_000_000_000,
    clock: @escaping @Sendable () -> Int64 = SystemClock.monotonic,
    // A start that succeeds logs the error: it sends READY=1.
    notify: @escaping @Sendable (String) -> Void = { _ = try? Supervisor.notify($0) }
  ) {
    self.line = line
    self.interval = interval
    self.clock = clock
    self.notify = notify
    nextMessage = ConditionMutex(clock() + delay)
  }

  package func report(_ progress: JournalProgress) {
    line?.show { PlainText.cut("reading journal: \(progress)", to: $0) }
    let now = clock()
    let isDue = nextMessage.withLock { next in
      guard now >= next else { return false }
      next = now + interval
      return true
    }
    guard isDue else { return }
    notify(
      "STATUS=Reading the journal: \(progress)\nEXTEND_TIMEOUT_USEC=\(Self.extensionMicroseconds)")
  }

  /// Erases the line.
  package func end() { line?.end() }
}
