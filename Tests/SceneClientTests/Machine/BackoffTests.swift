import SceneModel
import Testing

@testable import SceneClient

/// The delay before the next attempt.
struct BackoffTests {
  @Test("delays double up to two seconds, with a random reduction to at least the half")
  func growth() {
    var backoff = Backoff()
    var random = SplitMix(seed: 7)
    for attempt in 0..<12 {
      let whole = min(20_000_000 << attempt, 2_000_000_000)
      let wait = backoff.next(&random).nanoseconds
      #expect((Int64(whole / 2)...Int64(whole)).contains(wait), "attempt \(attempt)")
    }
  }

  @Test("the same seed gives the same delays, and another seed gives others")
  func seeds() {
    func waits(_ seed: UInt64) -> [Interval] {
      var backoff = Backoff()
      var random = SplitMix(seed: seed)
      return (0..<8).map { _ in backoff.next(&random) }
    }
    #expect(waits(1) == waits(1))
    #expect(waits(1) != waits(2))
  }

  /// The delay until the connection, or the session, is tried again.
  private func wait(for wanted: ClientTimer, _ actions: [ClientAction]) throws -> Int64 {
    let waits = actions.compactMap { action in
      if case .wake(wanted, let interval) = action { interval.nanoseconds } else { nil }
    }
    return try #require(waits.first, "there is no further attempt")
  }

  @Test("only a connection that lasts makes the next delay short again")
  func reset() throws {
    var harness = MachineHarness.ready()
    var waits: [Int64] = []
    for _ in 0..<10 {
      waits.append(try wait(for: .reconnect, harness.take(.lost())))
      harness.meetAgain()
    }
    #expect(waits[9] >= 1_000_000_000)
    harness.take(.due(.steady))
    #expect(try (1...20_000_000).contains(wait(for: .reconnect, harness.take(.lost()))))
  }

  @Test("a session that is refused delays neither the connection nor another session")
  func independence() throws {
    var harness = MachineHarness.with()
    harness.bring(itinerary, to: .background, hold: 2)
    let both = harness.meetNext().filter { if case .send = $0 { true } else { false } }
    var resume = Array(both.prefix(1))
    var waits: [Int64] = []
    for _ in 0..<10 {
      let actions = harness.refuse(resume, .shuttingDown, retry: .later)
      waits.append(try wait(for: .again(packing), actions))
      resume = harness.take(.due(.again(packing)))
    }
    #expect(waits[9] >= 1_000_000_000)
    let first = harness.refuse(Array(both.suffix(1)), .shuttingDown, retry: .later)
    #expect(try (1...20_000_000).contains(wait(for: .again(itinerary), first)))
    harness.take(.due(.steady))
    #expect(try (1...20_000_000).contains(wait(for: .reconnect, harness.take(.lost()))))
  }

  @Test("a session that resumed is tried soon when it is lost again")
  func sessionReset() throws {
    var harness = MachineHarness.with()
    var resume = harness.meetNext()
    for _ in 0..<10 {
      _ = harness.refuse(resume, .shuttingDown, retry: .later)
      resume = harness.take(.due(.again(packing)))
    }
    _ = harness.reply(to: resume, .resumed)
    let again = harness.refuse(harness.meetNext(), .shuttingDown, retry: .later)
    #expect(try (1...20_000_000).contains(wait(for: .again(packing), again)))
  }
}
