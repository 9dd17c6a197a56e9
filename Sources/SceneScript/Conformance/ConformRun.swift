import ScenePlatform

/// Tests a client for conformance. Each case has a new broker and a new process.
package struct ConformRun {
  private let command: [String]
  private let settings: ScriptEnvironment.Settings

  private static let shownLines = 12

  /// - Parameters:
  ///   - command: the command that starts the client.
  ///   - settings: its `lineTimeout` is the timeout for each reaction of the client.
  package init(_ command: [String], _ settings: ScriptEnvironment.Settings) {
    self.command = command
    self.settings = settings
  }

  package func outcome(of test: ConformCase) -> ConformOutcome {
    let start = SystemClock.monotonic()
    var startError: SystemError?
    let result = result(of: test, &startError)
    return ConformOutcome(
      test: test, result: result, nanoseconds: SystemClock.monotonic() - start,
      startError: startError)
  }

  private func result(
    of test: ConformCase, _ startError: inout SystemError?
  ) -> ConformOutcome.Result {
    let session: ConformanceSession
    do throws(StepFailure) {
      session = try ConformanceSession(command, settings, test.delivery)
    } catch {
      return .failed(error.message, messages: [])
    }
    defer {
      startError = session.startError
      session.tearDown()
    }
    session.environment.showStep(test.title)
    do throws(StepFailure) {
      try session.startBroker()
      try test.run(ConformanceChecks(session))()
      return violation(session) ?? .passed
    } catch {
      // A protocol violation is the likely cause of the other failure.
      if let violation = violation(session) { return violation }
      switch error.kind {
      case .notApplicable: return .skipped(error.message)
      case .mismatch, .unrunnable: return .failed(error.message, messages: lastLines(session))
      }
    }
  }

  private func violation(_ session: ConformanceSession) -> ConformOutcome.Result? {
    session.proxy.log.violation.map { .protocolViolation($0, messages: lastLines(session)) }
  }

  private func lastLines(_ session: ConformanceSession) -> [String] {
    session.proxy.log.lastLines(Self.shownLines) + session.lastErrorLines
  }
}
