import Testing

@testable import SceneCommands
@testable import SceneScript

@Suite("Checking scripts before they run")
struct ScriptPlanTests {
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
    "a syntax error names the location and the expected syntax",
    arguments: [
      ("! await packing", "1:3: `! await` is not allowed; negate the condition: `await ! packing`"),
      (
        "await process a exit=0",
        "1:7: await does not take a process; use: expect process a exit=0"
      ),
      ("discard packing --bogus", "1:17: unknown option --bogus"),
      ("status a b", "1:8: unexpected argument \"a\""),
      ("expect packing b=1 x=", "1:"),
      (
        "client 'my client'",
        "1:8: invalid client name \"my client\": use 1 to 64 letters"
      ),
      ("client #a", "1:8: a comment must be on its own line"),
      ("client a:", #"1:8: invalid client name "a:": "#),
      ("delegate -d", #"1:10: invalid delegate name "-d": use 1 to 64 letters"#),
      ("broker", "1:1: usage: broker start|stop|kill|restart [OPTION]…"),
      (
        "kill -STOP a",
        "1:6: SIGSTOP does not end a process; to stop a client, use: freeze NAME"
      ),
      ("kill -CONT a", "1:6: SIGCONT does not end a process; to resume a frozen client, use: "),
      ("kill -WINCH a", "1:6: SIGWINCH does not end a process"),
      ("broker kill -STOP", "1:13: SIGSTOP does not end a process"),
      (
        "await --timeout 1s a",
        "1:7: await takes no options, found --timeout; the timeout of every line is 30 s; write a "
      ),
      (
        "expect a -v", "1:10: expect takes no options, found -v; write a session of this name after"
      ),
      ("expect --", "1:1: usage: expect CONDITION"),
      ("trace a { willConnect }", "1:9: a block must not be on one line: put each"),
      ("background a # away", "1:14: a comment must be on its own line"),
      ("background #a", "1:12: a comment must be on its own line; quote a word that begins"),
      ("trace a {\n  willConnect # b\n}", "2:15: a comment must be on its own line"),
      ("exec a\0b", "1:7: a line must not contain a NUL character"),
      ("a: b\0", "1:5: a line must not contain a NUL character"),
      (" -- a --", "1:2: expected only -- NAME -- on the line"),
      ("-- ", "1:1: expected only -- NAME -- on the line"),
      (
        "expect a activty.x=1",
        "1:8: condition 'a activty.x=1': unknown member activty.x; did you mean"
      ),
      ("! await a client.pdi=1", "1:9: condition 'a client.pdi=1': unknown member client.pdi"),
      ("broker halt", "1:8: usage: broker start"),
      ("broker kill now", "1:13: usage: broker kill"),
      ("broker kill -NINE", #"1:13: unknown signal "NINE""#),
      ("broker kill --before", "1:13: expected one point: recordAppended, recordSynced, replySent"),
      ("broker kill --after now", "1:21: expected one point: recordAppended, recordSynced"),
      ("broker kill -TERM now", "1:13: usage: broker kill [-SIGNAL], or broker kill --before"),
      ("hang", "1:1: usage: hang NAME"),
      ("hang a up", #"1:8: unknown callback "up"; expected one of"#),
      ("cut a b", "1:7: usage: cut [SESSION]"), ("disk", "1:1: usage: disk full|free"),
      ("disk empty", "1:6: usage: disk full|free"),
      ("client", "1:1: usage: client NAME"),
      ("client a/b", #"1:8: invalid client name "a/b": "#),
      ("client --new", #"1:8: invalid client name "--new": "#),
      ("client .x", #"1:8: invalid client name ".x": "#),
      ("kill", "1:1: usage: kill [-SIGNAL] NAME"), ("kill a b", "1:1: usage: kill"),
      ("kill -NINE a", #"1:6: unknown signal "NINE""#), ("freeze", "1:1: usage: freeze NAME"),
      ("thaw a b", "1:1: usage: thaw NAME"), ("expect", "1:1: usage: expect CONDITION…"),
      ("expect application unattached", "1:8: condition 'application unattached'"),
      ("expect process p", "1:8: usage: expect"),
      ("expect process p dead", "1:18: expected running, exit=N or signal=NAME"),
      ("expect process p exit=256", "1:18: expected running"),
      ("expect process p signal=NINE", "1:18: expected running"),
      ("await", "1:1: usage: await CONDITION…"), ("trace p", "1:1: expected a { at the end"),
      ("trace {\n}", "1:1: usage: trace NAME"),
      ("trace p {\n  x\n}", #"2:3: unknown callback "x""#),
      ("error", "1:1: usage: error NAME"), ("exec", "1:1: usage: exec COMMAND…"),
      ("stdout", "1:1: usage: stdout TEXT…"), ("cmp a", "1:1: usage: cmp FILE FILE"),
      ("backgruond p", #"1:1: unknown verb "backgruond"; did you mean background?"#),
      (
        "zzz",
        #"1:1: unknown verb "zzz"; begin the line with a verb, or with NAME: and the text to type"#
      ),
      ("  background --fast p", "1:14: unknown option --fast"),
      ("advance soon", "1:9: TIME: "), ("advance", "1:1: TIME is missing"),
      ("timeline", #"1:1: unknown verb "timeline""#), ("status {\n}", "1:1: status takes no block"),
      ("", "1:1: the script is empty: expected at least one line, such as: broker start"),
      ("# A\n\n# B\n-- f --\nstatus\n", "1:1: the script is empty"),
    ])
  func misused(text: String, beginning: String) {
    let error = #expect(throws: ScriptErrors.self) { try plan(text) }
    #expect(error?.errors.count == 1)
    #expect(
      error?.errors.first?.description.hasPrefix("a.scene:" + beginning) == true,
      "\(String(describing: error))")
  }

  @Test(
    "a typing error gets a suggestion",
    arguments: [
      ("clinet packing", "client"), ("expct packing", "expect"), ("broker strat", "start"),
      ("broker kill --befor replySent", "--before"),
      ("broker kill --before replySend", "replySent"),
      ("hang packing didEnterBackgruond", "didEnterBackground"), ("disk ful", "full"),
      ("expect process packing runing", "running"), ("background --no-wiat packing", "--no-wait"),
      ("reclaim --dry-rnu", "--dry-run"), ("trace packing {\n  wilConnect\n}", "willConnect"),
    ])
  func meant(text: String, word: String) {
    let error = #expect(throws: ScriptErrors.self) { try plan(text) }
    #expect(
      error?.description.hasSuffix("; did you mean \(word)?") == true,
      "\(String(describing: error))")
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

  @Test("all errors are reported at once, even behind a condition that does not hold")
  func all() {
    let error = #expect(throws: ScriptErrors.self) {
      try plan("zzz\nstatus 'a\n# A\n[env:X] yyy\nkill\n-- a//b --\n")
    }
    #expect(error?.errors.map(\.location.line) == [1, 2, 4, 5, 6])
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
