package import ScenePlatform

/// Tests a client for conformance. Each case has a new broker and a new process.
package struct ConformRun {
  private let command: [String]
  private let settings: ScriptEnvironment.Settings
  /// The command as a user types it.
  package let commandLine: String

  private static let shownLines = 12

  /// - Parameters:
  ///   - command: the command that starts the client.
  ///   - settings: its `lineTimeout` is the timeout for each reaction of the client.
  package init(_ command: [String], _ settings: ScriptEnvironment.Settings) {
    self.command = command
    self.settings = settings
    commandLine = command.map(\.shellWord).joined(separator: " ")
  }

  /// The report of one case; the error if the command could not be started.
  package func outcome(
    of test: ConformCase
  ) -> (report: TestReport.Test, startError: SystemError?) {
    let start = SystemClock.monotonic()
    var startError: SystemError?
    let result = result(of: test, &startError)
    let time = SystemClock.monotonic() - start
    return (TestReport.Test(title: test.title, nanoseconds: time, result: result), startError)
  }

  private func result(
    of test: ConformCase, _ startError: inout SystemError?
  ) -> TestReport.Test.Result {
    let session: ConformanceSession
    do throws(StepFailure) {
      session = try ConformanceSession(command, settings, test.delivery)
    } catch {
      return test.failed(error.message, [], commandLine)
    }
    defer {
      startError = session.startError
      session.tearDown()
    }
    session.environment.showStep(test.title)
    do throws(StepFailure) {
      try session.startBroker()
      try test.run(session)()
      return violation(session, test) ?? .passed
    } catch {
      // A protocol violation is the likely cause of the other failure.
      if let violation = violation(session, test) { return violation }
      switch error.kind {
      case .notApplicable: return .skipped(error.message)
      case .mismatch, .unrunnable:
        return test.failed(error.message, lastLines(session), commandLine)
      }
    }
  }

  private func violation(
    _ session: ConformanceSession, _ test: ConformCase
  ) -> TestReport.Test.Result? {
    session.proxy.log.violation.map {
      test.failed($0, lastLines(session), commandLine, isViolation: true)
    }
  }

  private func lastLines(_ session: ConformanceSession) -> [String] {
    session.proxy.log.lastLines(Self.shownLines) + session.lastErrorLines
  }
}

extension ConformCase {
  package var title: String {
    "\(name): a client \(demand == .must ? "must" : "may") \(expectation)"
  }

  /// The result of a client that did `what`. A failed `may` case counts as success, unless a
  /// message violates the protocol.
  ///
  /// The lines are the expected and the actual behavior, the last messages, and a command that
  /// reproduces the failure.
  func failed(
    _ what: String, _ messages: [String], _ command: String, isViolation: Bool = false
  ) -> TestReport.Test.Result {
    if demand == .may, !isViolation { return .todo(what) }
    let lines =
      ["expected: to \(expectation)"] + ("actual: " + what).split(separator: "\n").map(String.init)
      + (messages.isEmpty ? [] : ["last messages (→ from the client):"])
      + messages.map { "  " + $0 } + ["to reproduce: scenectl conform --case \(name) -- \(command)"]
    return .failed(what, lines)
  }
}
