import SceneCommandLine

/// The report of a conformance test in the Test Anything Protocol and as JUnit XML.
package enum ConformReport {
  package static func lines(of outcome: ConformOutcome, number: Int, command: String) -> String {
    let test = outcome.test
    let name = "\(number) - \(test.title.withoutHash)"
    switch outcome.result {
    case .passed: return "ok \(name)\n"
    case .skipped(let why): return "ok \(name) # SKIP \(PlainText.escaped(why))\n"
    case .failed(let what, _) where test.demand == .may:
      return "not ok \(name) # TODO \(PlainText.escaped(what))\n"
    case .failed(let what, let messages), .protocolViolation(let what, let messages):
      return "not ok \(name)\n" + TestReport.comment(test.lines(what, messages, command))
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
    case .failed(let what, _) where outcome.test.demand == .may: return start + skipped(what)
    case .failed(let what, let messages), .protocolViolation(let what, let messages):
      let lines = outcome.test.lines(what, messages, command).map(\.xml).joined(separator: "\n")
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

  /// The lines of a failure: expected and actual behavior, the last messages, and a command that
  /// reproduces the failure.
  fileprivate func lines(_ what: String, _ messages: [String], _ command: String) -> [String] {
    ["expected: to \(expectation)"]
      + ("actual: " + what).split(separator: "\n").map(String.init)
      + (messages.isEmpty ? [] : ["last messages (→ from the client):"])
      + messages.map { "  " + $0 } + ["to reproduce: scenectl conform --case \(name) -- \(command)"]
  }
}
