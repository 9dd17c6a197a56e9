import SceneTesting
import Testing

/// What `withBroker` does with a failure.
@Suite("Recorded failures")
struct RecordedFailureTests {
  /// The issue of a `withBroker` that has failed.
  private func issue(
    _ body: () async throws -> Void, reason: String, line: Int
  ) async throws {
    try await withKnownIssue {
      try await body()
    } matching: { issue in
      let failure = issue.error as? TestFailure
      #expect(failure?.reason == reason)
      return failure != nil && issue.sourceLocation?.line == line
        && issue.sourceLocation?.filePath == #filePath
    }
  }

  @Test("a body without a result is recorded at the failing line, and the function returns")
  func recorded() async throws {
    var isReached = false
    var hasReturned = false
    try await issue(
      {
        try await withBroker { broker in
          try await broker.client("packing")
          try await broker.expect("packing background")
          isReached = true
        }
        hasReturned = true
      }, reason: "no", line: #line - 4)
    #expect(!isReached && hasReturned)
  }

  @Test("a method of a client is recorded at its line")
  func client() async throws {
    try await issue(
      {
        try await withBroker { broker in
          let packing = try await broker.client("packing")
          try await packing.expectTrace("didDisconnect")
        }
      }, reason: "no", line: #line - 2)
  }

  @Test("a broker that does not start is recorded at the call")
  func start() async throws {
    try await issue(
      { try await withBroker(options: ["--no-such-option"]) { _ in } }, reason: "usage",
      line: #line - 1)
  }

  @Test("a violated invariant is recorded at the call")
  func invariant() async throws {
    try await issue(
      {
        try await withBroker { broker in
          try await broker.scenectl("fault", "--before", "recordAppended")
          try await broker.expect("application")
        }
      }, reason: "rule", line: #line - 4)
  }

  @Test("a body with a result throws its failure")
  func result() async throws {
    let line = #line + 3
    do {
      let sessions = try await withBroker { broker in
        try await broker.expect("application sessions=1")
        return try await broker.scenectl("sessions")
      }
      Issue.record("the body returned \(sessions)")
    } catch let failure as TestFailure {
      #expect(failure.reason == "no")
      #expect(failure.location.line == line)
    }
  }

  @Test("without a test of Testing, the failure is thrown")
  func otherFramework() async throws {
    // A detached task belongs to no test.
    let failure = await Task.detached { () -> TestFailure? in
      do {
        try await withBroker { broker in try await broker.expect("packing") }
        return nil
      } catch {
        return error as? TestFailure
      }
    }.value
    #expect(try #require(failure).reason == "no")
  }
}
