/// Starts a broker for a test, and ends it after the body.
///
/// If the body does not throw, ``TestBroker/finish(at:)`` checks the invariants.
///
/// If the body returns nothing, a ``TestFailure`` ends the body, and becomes an issue of the test
/// at the line that failed. The function then returns. It throws the failure if the body has a
/// result, or if no test of the library Testing runs, as in XCTest.
///
/// - Parameters:
///   - clock: the clock of the broker.
///   - options: more options of `scened`.
///   - ceiling: the timeout of each method of the broker.
///   - location: the place in the test, for failures.
///   - body: the test.
/// - Returns: The result of the body.
/// - Throws: ``TestFailure``, and the errors of the body.
public func withBroker<Outcome>(
  clock: TestBroker.Clock = .real, options: [String] = [], ceiling: Duration = .seconds(60),
  at location: SourceLocation = #_sourceLocation,
  _ body: (TestBroker) async throws -> Outcome
) async throws -> Outcome {
  do {
    let broker = try await TestBroker(
      clock: clock, options: options, ceiling: ceiling, at: location)
    let outcome: Outcome
    do {
      outcome = try await body(broker)
    } catch {
      await broker.cancel()
      throw error
    }
    try await broker.finish(at: location)
    return outcome
  } catch let failure as TestFailure {
    guard Outcome.self == Void.self, let nothing = () as? Outcome, failure.isRecorded() else {
      throw failure
    }
    return nothing
  }
}
