/// The report of a conformance test in the Test Anything Protocol and as JUnit XML.
package enum ConformReport {
  package static func lines(of outcome: ConformOutcome, number: Int, command: String) -> String {
    TestReport.lines(number, outcome.test.title, outcome.reported(command))
  }

  package static func junit(_ outcomes: [ConformOutcome], command: String) -> String {
    let tests = outcomes.map {
      TestReport.Test(
        title: $0.test.title, nanoseconds: $0.nanoseconds, result: $0.reported(command))
    }
    return TestReport.junit([(command, tests)])
  }
}

extension ConformOutcome {
  fileprivate func reported(_ command: String) -> TestReport.Test.Result {
    switch result {
    case .passed: .passed
    case .skipped(let why): .skipped(why)
    case .failed(let what, _) where test.demand == .may: .todo(what)
    case .failed(let what, let messages), .protocolViolation(let what, let messages):
      .failed(what, test.lines(what, messages, command))
    }
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
