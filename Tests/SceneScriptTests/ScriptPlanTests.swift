import Testing

@testable import SceneScript
@testable import scenectl

@Suite("Understanding scripts before anything is done")
struct ScriptPlanTests {
  private func plan(
    _ text: String, environment: [String: String] = [:], upTo end: Int? = nil
  ) throws -> ScriptPlan {
    try ScriptPlan(
      reading: text, path: "a.scene", verbs: ScriptVerb.table(.scenectl),
      environment: environment, upTo: end)
  }

  @Test(
    "every verb is understood where it is written as it is to be",
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
    "what is written otherwise is told with its place, and what was expected",
    arguments: [
      ("! await packing", "1:3: an await that fails is waited for in vain; what is not to be so"),
      (
        "await process a exit=0",
        "1:7: the end of a process is waited for by: expect process a exit=0"
      ),
      ("discard packing --bogus", "1:17: unknown option --bogus"),
      ("status a b", "1:8: unexpected argument \"a\""),
      ("expect packing b=1 x=", "1:"),
      (
        "client 'my client'",
        "1:8: a client cannot be called \"my client\": lines begin with such a name"
      ),
      ("client #a", "1:8: a comment has a line of its own"),
      ("client a:", "1:8: a client cannot be called a:"),
      ("delegate -d", "1:10: a delegate cannot be called -d: lines begin with such a name"),
      ("broker", "1:1: expected broker start|stop|kill|restart [OPTION]…"),
      (
        "kill -STOP a",
        "1:6: kill ends a process, and SIGSTOP stops one; a client is stopped with: "
      ),
      ("kill -CONT a", "1:6: kill ends a process, and SIGCONT lets one go on; a client that is "),
      ("kill -WINCH a", "1:6: kill ends a process, and SIGWINCH ends none"),
      ("broker kill -STOP", "1:13: kill ends a process, and SIGSTOP stops one"),
      (
        "await --timeout 1s a",
        "1:7: await takes no option such as --timeout, and every line ends in 30 s at most; a session"
      ),
      (
        "expect a -v", "1:10: expect takes no option such as -v; a session that is called so stands"
      ),
      ("expect --", "1:1: expected expect CONDITION"),
      ("trace a { willConnect }", "1:9: a block is not written on one line: behind the {"),
      ("background a # away", "1:14: a comment has a line of its own"),
      ("background #a", "1:12: a comment has a line of its own; a word that begins with #"),
      ("trace a {\n  willConnect # b\n}", "2:15: a comment has a line of its own"),
      ("exec a\0b", "1:7: there is a NUL character here"),
      ("a: b\0", "1:5: there is a NUL character here"),
      (" -- a --", "1:2: expected -- NAME --, with nothing before it"),
      ("-- ", "1:1: expected -- NAME --, with nothing before it"),
      (
        "expect a activty.x=1",
        "1:8: condition 'a activty.x=1': there is no activty.x; did you mean"
      ),
      ("! await a client.pdi=1", "1:9: condition 'a client.pdi=1': there is no client.pdi"),
      ("broker halt", "1:8: expected broker start"),
      ("broker kill now", "1:13: expected broker kill"),
      ("broker kill -NINE", "1:13: no signal is called NINE"),
      ("broker kill --before", "1:13: expected one point: recordAppended, recordSynced, replySent"),
      ("broker kill --after now", "1:21: expected one point: recordAppended, recordSynced"),
      ("broker kill -TERM now", "1:13: expected broker kill [-SIGNAL], or broker kill --before"),
      ("hang", "1:1: expected hang NAME"), ("hang a up", "1:8: there is no callback up; there are"),
      ("cut a b", "1:7: expected cut [SESSION]"), ("disk", "1:1: expected disk full|free"),
      ("disk empty", "1:6: expected disk full|free"),
      ("client", "1:1: expected client NAME"),
      ("client a/b", "1:8: a client cannot be called a/b: "),
      ("client --new", "1:8: a client cannot be called --new: "),
      ("client .x", "1:8: a client cannot be called .x: "),
      ("kill", "1:1: expected kill [-SIGNAL] NAME"), ("kill a b", "1:1: expected kill"),
      ("kill -NINE a", "1:6: no signal is called NINE"), ("freeze", "1:1: expected freeze NAME"),
      ("thaw a b", "1:1: expected thaw NAME"), ("expect", "1:1: expected expect CONDITION…"),
      ("expect application unattached", "1:8: condition 'application unattached'"),
      ("expect process p", "1:8: expected expect"),
      ("expect process p dead", "1:18: expected running, exit=N or signal=NAME"),
      ("expect process p exit=256", "1:18: expected running"),
      ("expect process p signal=NINE", "1:18: expected running"),
      ("await", "1:1: expected await CONDITION…"), ("trace p", "1:1: expected a { at the end"),
      ("trace {\n}", "1:1: expected trace NAME"),
      ("trace p {\n  x\n}", "2:3: there is no callback x"),
      ("error", "1:1: expected error NAME"), ("exec", "1:1: expected exec COMMAND…"),
      ("stdout", "1:1: expected stdout TEXT…"), ("cmp a", "1:1: expected cmp FILE FILE"),
      ("backgruond p", "1:1: there is no verb backgruond; did you mean background?"),
      ("zzz", "1:1: there is no verb zzz; expected a verb, or NAME: and what is typed there"),
      ("  background --fast p", "1:14: unknown option --fast"),
      ("advance soon", "1:9: TIME: "), ("advance", "1:1: TIME is missing"),
      ("timeline", "1:1: there is no verb timeline"), ("status {\n}", "1:1: status takes no block"),
      ("", "1:1: the script does nothing: expected at least one line, such as: broker start"),
      ("# A\n\n# B\n-- f --\nstatus\n", "1:1: the script does nothing"),
    ])
  func misused(text: String, beginning: String) {
    let error = #expect(throws: ScriptFlaws.self) { try plan(text) }
    #expect(error?.flaws.count == 1)
    #expect(
      error?.flaws.first?.description.hasPrefix("a.scene:" + beginning) == true,
      "\(String(describing: error))")
  }

  @Test(
    "what was mistyped is told with what was meant",
    arguments: [
      ("clinet packing", "client"), ("expct packing", "expect"), ("broker strat", "start"),
      ("broker kill --befor replySent", "--before"),
      ("broker kill --before replySend", "replySent"),
      ("hang packing didEnterBackgruond", "didEnterBackground"), ("disk ful", "full"),
      ("expect process packing runing", "running"), ("background --no-wiat packing", "--no-wait"),
      ("reclaim --dry-rnu", "--dry-run"), ("trace packing {\n  wilConnect\n}", "willConnect"),
    ])
  func meant(text: String, word: String) {
    let error = #expect(throws: ScriptFlaws.self) { try plan(text) }
    #expect(
      error?.description.hasSuffix("; did you mean \(word)?") == true,
      "\(String(describing: error))")
  }

  @Test("what no client can read at once is not typed at one")
  func tooLong() throws {
    let error = #expect(throws: ScriptFlaws.self) {
      try plan("a: title " + String(repeating: "\"", count: 1 << 19))
    }
    #expect(error?.description.hasPrefix("a.scene:1:1: what is typed at a is too long: ") == true)
  }

  @Test("what only looks like a mistake is none")
  func notWrong() throws {
    let lines = [
      "exec echo '#' a#b \\#c", "expect -- -v", "await a foregroundActive -- '! -v'",
      "a: title b # c", "expect a activity.anything.at.all=1 userInfo.x=1", "kill -USR1 a",
      "a: title " + String(repeating: "x", count: (1 << 20) - 100),
    ]
    for line in lines { _ = try plan(line) }
    _ = try plan("\u{FEFF}# What an editor has put a mark before\nbroker start\n")
  }

  @Test("all that is wrong is told at once, also behind a condition that does not hold")
  func all() {
    let error = #expect(throws: ScriptFlaws.self) {
      try plan("zzz\nstatus 'a\n# A\n[env:X] yyy\nkill\n-- a//b --\n")
    }
    #expect(error?.flaws.map(\.place.line) == [1, 2, 4, 5, 6])
  }

  @Test("a line whose condition does not hold is left out")
  func conditions() throws {
    let text = "[env:X] status\n[!env:X] new\nshow p"
    let lines = { (plan: ScriptPlan) in plan.sections.flatMap(\.steps).map(\.line.text) }
    #expect(lines(try plan(text)) == ["[!env:X] new", "show p"])
    #expect(lines(try plan(text, environment: ["X": "1"])) == ["[env:X] status", "show p"])
    // A section without any other stays, to be told of.
    #expect(try plan("# A\n[env:X] status\n# B\nnew").sections.map(\.steps.count) == [0, 1])
  }

  @Test("up to a line, and no further")
  func upTo() throws {
    let text = "status\n# A\nstatus\n\nstatus\n# B\nstatus"
    #expect(try plan(text, upTo: 4).sections.map(\.steps.count) == [1, 1])
    #expect(try plan(text, upTo: 5).sections.map(\.steps.count) == [1, 2])
    #expect(try plan(text, upTo: 5).sections.map(\.title) == ["", "A"])
    #expect(try plan(text, upTo: 7).sections.map(\.title) == ["", "A", "B"])
  }

  @Test(
    "up to a line that is not there it is told what there is",
    arguments: [
      (8, "8:1: there is no such line: the script ends with line 5, and its files follow"),
      (6, "6:1: there is no such line: the script ends with line 5"),
      (1, "1:1: nothing is done up to here: the first line that does something is 3"),
    ])
  func lacking(end: Int, message: String) {
    let text = "# A\n\nstatus\n# B\nstatus\n-- f --\nstatus\nstatus\n"
    let error = #expect(throws: ScriptFlaws.self) { try plan(text, upTo: end) }
    #expect(
      error?.description.hasPrefix("a.scene:" + message) == true, "\(String(describing: error))")
  }
}
