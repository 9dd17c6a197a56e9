import CommandLine

/// What came of scripts as others read it: in the Test Anything Protocol, and as JUnit's XML. A
/// section is a test.
package enum TestReport {
  /// The line that says how many tests there are.
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
      case .notReached: text += "ok \(name) # SKIP a section before it failed\n"
      case .leftOut: text += "ok \(name) # SKIP no line's condition holds here\n"
      }
    }
    if outcome.plays > 1 {
      let passes = "passed \(outcome.plays - (outcome.passed ? 0 : 1)) times"
      text += comment(["\(outcome.path): \(passes)\(outcome.passed ? "" : ", then failed")"])
    }
    if let directory = outcome.keptDirectory {
      text += comment(["\(outcome.path): everything is kept in \(directory)"])
    }
    if let page = outcome.keptPage {
      text += comment(["\(outcome.path): what happened is drawn in \(page)"])
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
      let skipped = sections.count { $0.result == .notReached || $0.result == .leftOut }
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
      return start + ">\n      <skipped message=\"not reached\"/>\n    </testcase>\n"
    case .leftOut:
      return start + ">\n      <skipped message=\"not for this system\"/>\n    </testcase>\n"
    case .failed(let failure):
      let lines = failure.lines.map { PlainText.escaped($0).xml }.joined(separator: "\n")
      return start
        + ">\n      <failure message=\"\(failure.reason.xml)\">\(lines)</failure>\n"
        + "    </testcase>\n"
    }
  }

  static func seconds(_ nanoseconds: Int64) -> String {
    WrittenTime.seconds(nanoseconds / 1000)
  }
}

extension SectionOutcome {
  fileprivate func name(in path: String) -> String {
    title.isEmpty ? path : "\(path): \(title)"
  }
}

extension String {
  /// Behind a `#`, TAP has words of its own.
  var withoutHash: String { PlainText.escaped(replacing("#", with: "\\#")) }

  /// As it stands in XML.
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
