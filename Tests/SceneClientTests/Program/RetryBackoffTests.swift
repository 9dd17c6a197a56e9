import SceneModel
import Testing

@testable import SceneTool

@Suite("The delays of a program that runs again after a failure")
struct RetryBackoffTests {
  private static let second: Int64 = 1_000_000_000

  private func delays(first: Int64, runs: [Int64]) -> [Int64] {
    var backoff = RetryBackoff(first: .seconds(first))
    return runs.map { backoff.delay(afterRunOf: $0 * Self.second).nanoseconds / Self.second }
  }

  @Test("the delay doubles with each failure, up to a minute")
  func doubles() {
    #expect(
      delays(first: 5, runs: [0, 1, 59, 0, 0, 0, 0]) == [5, 10, 20, 40, 60, 60, 60])
  }

  @Test("a restart of the broker begins with a quarter of a second")
  func restarts() {
    let pauses = [1, 2, 3, 8, 9, 10, 1_000_000].map { Interval.pause(afterFailures: $0).seconds }
    #expect(pauses == [0.25, 0.5, 1, 32, 60, 60, 60])
  }

  @Test("a run of a minute returns to the first delay")
  func returns() {
    #expect(delays(first: 5, runs: [0, 0, 60, 0, 61]) == [5, 10, 5, 10, 5])
  }

  @Test("a delay is never less than the first one")
  func long() {
    #expect(delays(first: 90, runs: [0, 0, 100, 0]) == [90, 90, 90, 90])
  }
}
