import SceneCommandLine

/// The report of scripts in the Test Anything Protocol and as JUnit XML. Each section is a test.
package enum TestReport {
  /// The version and the number of tests.
  package static func head(_ count: Int) -> String { "TAP version 13\n1..\(count)\n" }

  /// The lines of one script, whose first test has this number.
  package static func lines(of outcome: ScriptOutcome, from number: Int) -> String {
    var text = ""
    for (index, section) in outcome.sections.enumerated() {
      let name = "\(number + index) - \(section.name(in: outcome.path).withoutHash)"
      switch section.result {
      case .passed: text += "ok \(name)\n"
      case .failed(let failure): text += "not ok \(name)\n" + comment(failure.lines)
      // The failed section is `not ok`; TAP counts every skipped test as `ok`.
      case .notReached: text += "ok \(name) # SKIP an earlier section failed\n"
      case .skipped: text += "ok \(name) # SKIP conditions exclude every line\n"
      }
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

  static func comment(_ lines: [String]) -> String {
    lines.map { "# " + PlainText.escaped($0) + "\n" }.joined()
  }

  // MARK: - JUnit

  package static func junit(_ outcomes: [ScriptOutcome]) -> String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
    for outcome in outcomes {
      let sections = outcome.sections
      let failures = sections.count { if case .failed = $0.result { true } else { false } }
      let skipped = sections.count { $0.result == .notReached || $0.result == .skipped }
      text +=
        "  <testsuite name=\"\(outcome.path.xml)\" tests=\"\(sections.count)\" "
        + "failures=\"\(failures)\" skipped=\"\(skipped)\" "
        + "time=\"\(seconds(sections.reduce(0) { $0 + $1.nanoseconds }))\">\n"
      for section in sections { text += testCase(section, of: outcome.path) }
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private static func testCase(_ section: SectionOutcome, of path: String) -> String {
    let title = section.title.isEmpty ? path : section.title
    let start =
      "    <testcase classname=\"\(path.xml)\" name=\"\(title.xml)\" "
      + "time=\"\(seconds(section.nanoseconds))\""
    switch section.result {
    case .passed: return start + "/>\n"
    case .notReached:
      return start
        + ">\n      <skipped message=\"an earlier section failed\"/>\n    </testcase>\n"
    case .skipped:
      return start
        + ">\n      <skipped message=\"conditions exclude every line\"/>\n    </testcase>\n"
    case .failed(let failure):
      let lines = failure.lines.map { PlainText.escaped($0).xml }.joined(separator: "\n")
      return start
        + ">\n      <failure message=\"\(failure.reason.xml)\">\(lines)</failure>\n"
        + "    </testcase>\n"
    }
  }

  static func seconds(_ nanoseconds: Int64) -> String {
    TimeFormat.seconds(nanoseconds / 1000)
  }
}

extension SectionOutcome {
  fileprivate func name(in path: String) -> String {
    title.isEmpty ? path : "\(path): \(title)"
  }
}

extension String {
  /// Escapes `#`, because TAP reads directives after this character.
  var withoutHash: String { PlainText.escaped(replacing("#", with: "\\#")) }

  /// Escapes markup and control characters.
  var xml: String {
    var text = ""
    for scalar in PlainText.escaped(self).unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
