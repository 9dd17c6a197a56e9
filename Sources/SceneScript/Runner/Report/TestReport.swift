import SceneCommandLine

/// Reports in the Test Anything Protocol (TAP) and as JUnit XML.
package enum TestReport {
  /// A test with its title, its time and its result.
  package struct Test: Sendable {
    enum Result: Equatable, Sendable {
      case passed
      case skipped(String)
      /// A failure that does not count. JUnit has no such result, so it is skipped there.
      case todo(String)
      /// A message in one line, and all lines of the explanation.
      case failed(String, [String])
    }

    var title: String
    var nanoseconds: Int64 = 0
    var result: Result

    package var passed: Bool {
      if case .failed = result { false } else { true }
    }
  }

  /// The version and the number of tests.
  package static func head(_ count: Int) -> String { "TAP version 13\n1..\(count)\n" }

  /// The lines of a test in TAP, which reads directives after the character `#`.
  package static func lines(_ number: Int, _ test: Test) -> String {
    let name = "\(number) - \(PlainText.escaped(test.title.replacing("#", with: "\\#")))"
    return switch test.result {
    case .passed: "ok \(name)\n"
    case .skipped(let why): "ok \(name) # SKIP \(PlainText.escaped(why))\n"
    case .todo(let what): "not ok \(name) # TODO \(PlainText.escaped(what))\n"
    case .failed(_, let lines): "not ok \(name)\n" + comment(lines)
    }
  }

  static func comment(_ lines: [String]) -> String {
    lines.map { "# " + PlainText.escaped($0) + "\n" }.joined()
  }

  // MARK: - JUnit

  package static func junit(_ suites: [(name: String, tests: [Test])]) -> String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
    for (name, tests) in suites {
      let failures = tests.count { if case .failed = $0.result { true } else { false } }
      let passes = tests.count { if case .passed = $0.result { true } else { false } }
      text +=
        "  <testsuite name=\"\(name.xml)\" tests=\"\(tests.count)\" failures=\"\(failures)\" "
        + "skipped=\"\(tests.count - failures - passes)\" "
        + "time=\"\(seconds(tests.reduce(0) { $0 + $1.nanoseconds }))\">\n"
      for test in tests {
        text +=
          "    <testcase classname=\"\(name.xml)\" "
          + "name=\"\((test.title.isEmpty ? name : test.title).xml)\" "
          + "time=\"\(seconds(test.nanoseconds))\"\(content(of: test.result))\n"
      }
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  /// The end of the tag, the content and the closing tag.
  private static func content(of result: Test.Result) -> String {
    switch result {
    case .passed: "/>"
    case .skipped(let why), .todo(let why):
      ">\n      <skipped message=\"\(why.xml)\"/>\n    </testcase>"
    case .failed(let what, let lines):
      ">\n      <failure message=\"\(what.xml)\">\(lines.map(\.xml).joined(separator: "\n"))"
        + "</failure>\n    </testcase>"
    }
  }

  private static func seconds(_ nanoseconds: Int64) -> String {
    TimeFormat.seconds(nanoseconds / 1000)
  }
}

/// The report of scripts. Each section is a test.
extension TestReport {
  /// The lines of one script, whose first test has this number.
  package static func lines(of outcome: ScriptOutcome, from number: Int) -> String {
    var text = ""
    for (number, var section) in zip(number..., outcome.sections) {
      section.title = outcome.path + (section.title.isEmpty ? "" : ": \(section.title)")
      text += lines(number, section)
    }
    if outcome.runCount > 1 {
      let passes = "passed \(outcome.runCount - (outcome.passed ? 0 : 1)) times"
      text += comment(["\(outcome.path): \(passes)\(outcome.passed ? "" : ", then failed")"])
    }
    if let directory = outcome.keptDirectory {
      text += comment(["\(outcome.path): files kept in \(directory)"])
    }
    if let page = outcome.keptPage {
      text += comment(["\(outcome.path): timeline written to \(page)"])
    }
    return text
  }

  package static func junit(_ outcomes: [ScriptOutcome]) -> String {
    junit(outcomes.map { ($0.path, $0.sections) })
  }
}

extension String {
  /// Escapes markup and control characters.
  var xml: String { PlainText.escaped(self).escapedMarkup }

  /// Escapes markup only.
  var escapedMarkup: String {
    unicodeScalars.map { Self.entities[$0] ?? String($0) }.joined()
  }

  private static let entities: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;",
  ]
}
