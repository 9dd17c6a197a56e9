/// Starts a broker for a test, and ends it after the body.
///
/// If the body does not throw, ``TestBroker/finish(file:line:)`` checks the invariants.
///
/// - Parameters:
///   - clock: the clock of the broker.
///   - options: more options of `scened`.
///   - ceiling: the timeout of each method of the broker.
///   - file: the file for failures.
///   - line: the line for failures.
///   - body: the test.
/// - Returns: The result of the body.
/// - Throws: ``TestFailure``, and the errors of the body.
public func withBroker<Outcome>(
  clock: TestBroker.Clock = .real, options: [String] = [], ceiling: Duration = .seconds(60),
  file: StaticString = #filePath, line: UInt = #line,
  _ body: (TestBroker) async throws -> Outcome
) async throws -> Outcome {
  let broker = try await TestBroker(
    clock: clock, options: options, ceiling: ceiling, file: file, line: line)
  let outcome: Outcome
  do {
    outcome = try await body(broker)
  } catch {
    await broker.cancel()
    throw error
  }
  try await broker.finish(file: file, line: line)
  return outcome
}
