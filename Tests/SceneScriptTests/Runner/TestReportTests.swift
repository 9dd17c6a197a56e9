import Testing

@testable import SceneScript

@Suite("Reports of scripts")
struct TestReportTests {
  private let failure = ScriptFailure(
    location: ScriptLocation(file: "a.scene", line: 7, column: 3), line: "expect p background",
    message: "expectation failed:\n  no   p <\u{1B}>", timeline: ["│ ●  p  connected"])

  private var outcome: ScriptOutcome {
    var outcome = ScriptOutcome(path: "a.scene")
    outcome.sections = [
      TestReport.Test(title: "", nanoseconds: 1_500_000_000, result: .passed),
      TestReport.Test(title: "It \"fails\" # here", result: .passed),
      TestReport.Test(title: "Last", result: .skipped("an earlier section failed")),
      TestReport.Test(title: "Elsewhere", result: .skipped("conditions exclude every line")),
    ]
    outcome.keptDirectory = "/tmp/x"
    outcome.fail(section: 1, failure)
    return outcome
  }

  @Test("TAP reports a failed section as not ok and a skipped section as ok with SKIP")
  func tap() {
    #expect(TestReport.head(4) == "TAP version 13\n1..4\n")
    #expect(
      TestReport.lines(of: outcome, from: 2) == """
        ok 2 - a.scene
        not ok 3 - a.scene: It "fails" \\# here
        # a.scene:7:3: expect p background
        # expectation failed:
        #   no   p <\\u001b>
        # last events:
        #   │ ●  p  connected
        # to reproduce: scenectl test a.scene:7
        ok 4 - a.scene: Last # SKIP an earlier section failed
        ok 5 - a.scene: Elsewhere # SKIP conditions exclude every line
        # a.scene: files kept in /tmp/x

        """)
  }

  @Test("the JUnit report escapes names and counts failures")
  func junit() {
    #expect(
      TestReport.junit([outcome]) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites>
          <testsuite name="a.scene" tests="4" failures="1" skipped="2" time="1.500">
            <testcase classname="a.scene" name="a.scene" time="1.500"/>
            <testcase classname="a.scene" name="It &quot;fails&quot; # here" time="0.000">
              <failure message="a.scene:7:3: expect p background: expectation failed: no   p &lt;\\u001b&gt;">\
        a.scene:7:3: expect p background
        expectation failed:
          no   p &lt;\\u001b&gt;
        last events:
          │ ●  p  connected
        to reproduce: scenectl test a.scene:7</failure>
            </testcase>
            <testcase classname="a.scene" name="Last" time="0.000">
              <skipped message="an earlier section failed"/>
            </testcase>
            <testcase classname="a.scene" name="Elsewhere" time="0.000">
              <skipped message="conditions exclude every line"/>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test("a rewrite changes only its block")
  func rewriting() {
    let text = "# A\ntrace a {\n  x\n  y\n}\n  trace b {}\ntrace c {}\nstatus\n"
    let rewrites = [
      BlockRewrite(start: 2, end: 5, isOneLine: false, rows: ["p", "q", "r"].map { .init($0) }),
      BlockRewrite(start: 6, end: 6, isOneLine: true, rows: [.init("z")]),
      BlockRewrite(start: 7, end: 7, isOneLine: true, rows: []),
    ]
    #expect(
      BlockRewrite.apply(rewrites, to: text)
        == "# A\ntrace a {\n    p\n    q\n    r\n}\n  trace b {\n      z\n  }\ntrace c {}\nstatus\n"
    )
    #expect(
      BlockRewrite.apply([BlockRewrite(start: 2, end: 5, isOneLine: false, rows: [])], to: text)
        == "# A\ntrace a {\n}\n  trace b {}\ntrace c {}\nstatus\n")
  }

  @Test("a comment stays with its row, or moves to the next one")
  func remarks() {
    let text = "trace a {\n  # of x\n  x\n\n  # of y\n  y\n  # of z\n  z\n  # last\n}\nstatus\n"
    let rows = [
      BlockRewrite.Row("new"), BlockRewrite.Row("x", insteadOf: 3),
      BlockRewrite.Row("z", insteadOf: 8), BlockRewrite.Row("more"),
    ]
    let rewrite = BlockRewrite(start: 1, end: 10, isOneLine: false, rows: rows)
    #expect(
      BlockRewrite.apply([rewrite], to: text)
        == "trace a {\n    new\n  # of x\n    x\n\n  # of y\n  # of z\n    z\n    more\n  # last\n}\n"
        + "status\n")
  }
}
