import CommandLine
package import ScenePlatform

/// What came of a client in one case.
package struct ConformOutcome: Sendable {
  package enum Result: Equatable, Sendable {
    case passed
    /// What came instead, and then, line by line, what was said last.
    case otherwise(String, said: [String])
    /// The same of what no client may say, whatever the case is about.
    case violated(String, said: [String])
    /// Why the case did not arise.
    case skipped(String)
  }

  package var test: ConformCase
  package var result: Result
  package var nanoseconds: Int64
  /// Why the command could not be started at all.
  package var startError: SystemError?

  /// Whether the client does what it must.
  package var passed: Bool {
    switch result {
    case .passed, .skipped: true
    case .otherwise: test.demand == .may
    case .violated: false
    }
  }
}

/// Tries a client, case by case, each with a broker and a process of its own.
package struct ConformRun {
  private let command: [String]
  private let settings: Stage.Settings

  /// How much of what was said is shown.
  private static let shownLines = 12

  /// The settings' ceiling is how long the client may take for one thing.
  package init(_ command: [String], _ settings: Stage.Settings) {
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
    let audition: Audition
    do throws(StepFailure) {
      audition = try Audition(command, settings, test.manner)
    } catch {
      return .otherwise(error.message, said: [])
    }
    defer {
      startError = audition.startError
      audition.strike()
    }
    audition.stage.note(test.title)
    do throws(Objection) {
      try audition.startBroker()
      try test.play(audition)()
      return violation(audition) ?? .passed
    } catch {
      // Whatever else happened is most likely a consequence.
      if let violation = violation(audition) { return violation }
      switch error {
      case .inapplicable(let why): return .skipped(why)
      case .otherwise(let what): return .otherwise(what, said: lastWords(audition))
      }
    }
  }

  private func violation(_ audition: Audition) -> ConformOutcome.Result? {
    audition.relay.conversation.violation.map { .violated($0, said: lastWords(audition)) }
  }

  private func lastWords(_ audition: Audition) -> [String] {
    audition.relay.conversation.lastLines(Self.shownLines) + audition.complaints
  }
}

/// What came of a client, in the Test Anything Protocol and as JUnit's XML.
package enum ConformReport {
  package static func lines(of outcome: ConformOutcome, number: Int, command: String) -> String {
    let test = outcome.test
    let name = "\(number) - \(test.title.withoutHash)"
    switch outcome.result {
    case .passed: return "ok \(name)\n"
    case .skipped(let why): return "ok \(name) # SKIP \(PlainText.escaped(why))\n"
    case .otherwise(let what, _) where test.demand == .may:
      return "not ok \(name) # TODO \(PlainText.escaped(what))\n"
    case .otherwise(let what, let said), .violated(let what, let said):
      return "not ok \(name)\n" + TestReport.comment(test.lines(what, said, command))
    }
  }

  package static func junit(_ outcomes: [ConformOutcome], command: String) -> String {
    let failures = outcomes.count { !$0.passed }
    let skipped = outcomes.count { $0.passed && $0.result != .passed }
    let time = outcomes.reduce(0) { $0 + $1.nanoseconds }
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
    text +=
      "  <testsuite name=\"\(command.xml)\" tests=\"\(outcomes.count)\" failures=\"\(failures)\" "
      + "skipped=\"\(skipped)\" time=\"\(TestReport.seconds(time))\">\n"
    for outcome in outcomes { text += testCase(outcome, command) }
    return text + "  </testsuite>\n</testsuites>\n"
  }

  private static func testCase(_ outcome: ConformOutcome, _ command: String) -> String {
    let start =
      "    <testcase classname=\"\(command.xml)\" name=\"\(outcome.test.title.xml)\" "
      + "time=\"\(TestReport.seconds(outcome.nanoseconds))\""
    switch outcome.result {
    case .passed: return start + "/>\n"
    case .skipped(let why): return start + skipped(why)
    case .otherwise(let what, _) where outcome.test.demand == .may: return start + skipped(what)
    case .otherwise(let what, let said), .violated(let what, let said):
      let lines = outcome.test.lines(what, said, command).map(\.xml).joined(separator: "\n")
      return start
        + ">\n      <failure message=\"\(what.xml)\">\(lines)</failure>\n    </testcase>\n"
    }
  }

  private static func skipped(_ why: String) -> String {
    ">\n      <skipped message=\"\(why.xml)\"/>\n    </testcase>\n"
  }
}

extension ConformCase {
  package var title: String {
    "\(name): a client \(demand == .must ? "must" : "may") \(expectation)"
  }

  /// Why it is otherwise, line by line.
  fileprivate func lines(_ what: String, _ said: [String], _ command: String) -> [String] {
    ["expected: to \(expectation)"]
      + ("came: " + what).split(separator: "\n").map(String.init)
      + (said.isEmpty ? [] : ["what was said last (→ by the client):"])
      + said.map { "  " + $0 } + ["once more: scenectl conform --case \(name) -- \(command)"]
  }
}
