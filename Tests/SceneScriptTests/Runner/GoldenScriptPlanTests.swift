import SceneTestSupport
import Testing

@testable import SceneCommands
@testable import SceneScript

@Suite("Checking scripts before they run")
struct GoldenScriptPlanTests {
  private func plan(
    _ text: String, environment: [String: String] = [:], upTo end: Int? = nil
  ) throws -> ScriptPlan {
    try ScriptPlan(
      reading: text, path: "a.scene", verbs: ScriptVerb.table(.scenectl),
      environment: environment, upTo: end)
  }

  @Test(
    "every verb is accepted in its syntax",
    arguments: [
      "broker start", "broker start --clock virtual", "broker stop", "broker kill",
      "broker restart", "broker restart --durability none", "client packing",
      "client heir packing --take-over", "packing: hang", "kill packing", "kill -TERM packing",
      "kill -9 packing", "freeze packing", "thaw packing", "expect packing",
      "expect packing background 'application active'", "expect process packing running",
      "expect process packing exit=75", "expect process packing signal=KILL",
      "expect process", "await packing title='My trip'", "trace packing {}",
      "trace packing {\n  ~ willConnect x=1\n  ...\n}", "error sessionInUse", "exec ls -l",
      "exec echo '{'", "exec echo \"{}\"", "await ! packing", "! expect process packing exit=0",
      "stdout a b", "stderr a", "cmp stdout a", "background --no-wait packing", "status",
      "advance 5s", "new memo", "wait packing", "is packing", "broker kill -TERM",
      "broker kill --before recordAppended", "broker kill --after eventDelivered",
      "hang packing", "hang packing didEnterBackground", "cut", "cut packing", "disk full",
      "disk free",
    ])
  func understood(line: String) throws {
    #expect(try plan(line).sections.map(\.steps.count) == [1])
  }

  @Test(
    "all syntax errors of a script name their locations, the expected syntax and the likely word")
  func golden() throws {
    try GoldenFile.expectAnswers("messages/scripts.txt") { text in
      #expect(throws: ScriptErrors.self) { try plan(text) }?.description ?? ""
    }
  }

  @Test("a line that is too long for a client is an error")
  func tooLong() throws {
    let error = #expect(throws: ScriptErrors.self) {
      try plan("a: title " + String(repeating: "\"", count: 1 << 19))
    }
    #expect(error?.description.hasPrefix("a.scene:1:1: the text typed at a is too long: ") == true)
  }

  @Test("unusual but valid lines are accepted")
  func notWrong() throws {
    let lines = [
      "exec echo '#' a#b \\#c", "expect -- -v", "await a foregroundActive -- '! -v'",
      "a: title b # c", "expect a activity.anything.at.all=1 userInfo.x=1", "kill -USR1 a",
      "a: title " + String(repeating: "x", count: (1 << 20) - 100),
    ]
    for line in lines { _ = try plan(line) }
    _ = try plan("\u{FEFF}# What an editor has put a mark before\nbroker start\n")
  }

  @Test("a line whose condition does not hold is skipped")
  func conditions() throws {
    let text = "[env:X] status\n[!env:X] new\nshow p"
    let lines = { (plan: ScriptPlan) in plan.sections.flatMap(\.steps).map(\.line.text) }
    #expect(lines(try plan(text)) == ["[!env:X] new", "show p"])
    #expect(lines(try plan(text, environment: ["X": "1"])) == ["[env:X] status", "show p"])
    // A section without steps stays, so that the report lists it.
    #expect(try plan("# A\n[env:X] status\n# B\nnew").sections.map(\.steps.count) == [0, 1])
  }

  @Test("a plan can end at a line")
  func upTo() throws {
    let text = "status\n# A\nstatus\n\nstatus\n# B\nstatus"
    #expect(try plan(text, upTo: 4).sections.map(\.steps.count) == [1, 1])
    #expect(try plan(text, upTo: 5).sections.map(\.steps.count) == [1, 2])
    #expect(try plan(text, upTo: 5).sections.map(\.title) == ["", "A"])
    #expect(try plan(text, upTo: 7).sections.map(\.title) == ["", "A", "B"])
  }

  @Test(
    "a missing last line is an error that names the existing lines",
    arguments: [
      (8, "8:1: no such line: the script ends with line 5, and its files follow"),
      (6, "6:1: no such line: the script ends with line 5"),
      (1, "1:1: no step up to this line: the first step is on line 3"),
    ])
  func lacking(end: Int, message: String) {
    let text = "# A\n\nstatus\n# B\nstatus\n-- f --\nstatus\nstatus\n"
    let error = #expect(throws: ScriptErrors.self) { try plan(text, upTo: end) }
    #expect(
      error?.description.hasPrefix("a.scene:" + message) == true, "\(String(describing: error))")
  }
}
