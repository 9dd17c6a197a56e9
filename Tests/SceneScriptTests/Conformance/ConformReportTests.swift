import SceneTestSupport
import Testing

@testable import SceneScript

@Suite("Reports of conformance tests")
struct ConformReportTests {
  private func tests(_ command: String) throws -> [TestReport.Test] {
    func test(
      _ name: String, _ result: (ConformCase) -> TestReport.Test.Result
    ) throws -> TestReport.Test {
      let test = try #require(ConformCase.table.first { $0.name == name })
      return TestReport.Test(title: test.title, nanoseconds: 2_000_000_000, result: result(test))
    }
    return [
      try test("connect") { _ in .passed },
      try test("interrupt") { $0.failed("it <hangs>", ["→ hello"], command) },
      try test("again") { _ in .skipped("it ends") },
      try test("same") { $0.failed("it does not", [], command) },
      try test("kept") { $0.failed("it answers twice", [], command, isViolation: true) },
    ]
  }

  @Test("TAP reports a failed may case as TODO")
  func tap() throws {
    let tests = try tests("./x -y")
    let lines = tests.enumerated().map { TestReport.lines($0 + 1, $1) }
    #expect(lines[0].hasPrefix("ok 1 - connect: a client must answer willConnect"))
    #expect(
      lines[1] == """
        not ok 2 - interrupt: a client must answer willResignActive when it is \
        interrupted, and didBecomeActive when it is resumed
        # expected: to answer willResignActive when it is interrupted, and didBecomeActive when it \
        is resumed
        # actual: it <hangs>
        # last messages (→ from the client):
        #   → hello
        # to reproduce: scenectl conform --case interrupt -- ./x -y

        """)
    #expect(lines[2].hasPrefix("ok 3 - again: "))
    #expect(lines[2].hasSuffix(" # SKIP it ends\n"))
    #expect(lines[3].hasPrefix("not ok 4 - same: a client may "))
    #expect(lines[3].hasSuffix(" # TODO it does not\n"))
    #expect(lines[4].hasPrefix("not ok 5 - kept: a client may "))
    #expect(lines[4].contains("\n# actual: it answers twice\n"))
    #expect(!lines[4].contains("TODO"))
    #expect(tests.map(\.passed) == [true, false, true, true, false])
  }

  @Test("the JUnit report escapes names and counts failures")
  func junit() throws {
    let command = "./x \"y\""
    let text = TestReport.junit([(command, try tests(command))])
    #expect(
      text.contains(
        "<testsuite name=\"./x &quot;y&quot;\" tests=\"5\" failures=\"2\" skipped=\"2\" "
          + "time=\"10.000\">"))
    #expect(text.contains("<failure message=\"it &lt;hangs&gt;\">expected: to answer"))
    #expect(text.contains("<failure message=\"it answers twice\">expected: to answer"))
    #expect(text.contains("<skipped message=\"it ends\"/>"))
    #expect(text.contains("<skipped message=\"it does not\"/>"))
  }

  @Test("every case has a unique name, and the page lists it")
  func table() throws {
    let cases = ConformCase.table
    #expect(Set(cases.map(\.name)).count == cases.count)
    let page = try Repository.text("Sources/Manual/Manual.docc/Protocol-walkthrough.md")
    let section = try #require(page.split(separator: "### The cases").last)
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
    #expect(rows == cases.map { "| `\($0.name)` | \($0.demand) | \($0.expectation) |"[...] })
  }
}
