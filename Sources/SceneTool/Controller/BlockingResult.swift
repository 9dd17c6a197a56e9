import ScenePlatform

/// The result of a task on the main thread, for which another thread waits.
final class BlockingResult<Outcome: Sendable>: Sendable {
  private let outcome = ConditionMutex<Outcome?>(nil)

  func finish(_ outcome: Outcome) { self.outcome.withLock { $0 = outcome } }

  func wait() -> Outcome {
    guard let outcome = outcome.wait(for: { $0 }) else {
      preconditionFailure("a wait without a deadline has no outcome")
    }
    return outcome
  }
}
