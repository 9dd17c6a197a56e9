import ScenePlatform

/// Something that the main thread does for another one, which waits for it.
final class Errand<Outcome: Sendable>: Sendable {
  private let outcome = Monitor<Outcome?>(nil)

  func finish(_ outcome: Outcome) { self.outcome.withLock { $0 = outcome } }

  func wait() -> Outcome {
    guard let outcome = outcome.wait(for: { $0 }) else {
      preconditionFailure("without a deadline there is an outcome")
    }
    return outcome
  }
}
