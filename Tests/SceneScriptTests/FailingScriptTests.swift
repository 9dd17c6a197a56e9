import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneScript
@testable import scenectl

@Suite("Scripts that fail")
struct FailingScriptTests {
  /// The failure of a script whose broker runs and whose client `packing` is active.
  private func failure(
    _ lines: String, start: String = "broker start --clock virtual\nclient packing\n"
  ) throws -> ScriptFailure {
    let outcome = try Theatre.play(start + lines)
    for section in outcome.sections {
      if case .failed(let failure) = section.result { return failure }
    }
    throw Unmet("it passed: \(lines)")
  }

  @Test("a point that everybody's end runs into is no fault of the broker")
  func pointAtTheEnd() throws {
    let message = try failure("broker kill --before recordAppended\nexpect packing background")
      .message
    #expect(message == "it is not so:\n  no   packing background: it is foregroundActive")
  }

  @Test(
    "a line says what is otherwise",
    arguments: [
      ("expect packing background", "it is not so:\n  no   packing background: it is foreground"),
      (
        "expect packing unatached title=x",
        "no session is called unatached; did you mean unattached?"
      ),
      ("! expect process packing exit=0\nexec false", "false has ended with status 1"),
      (
        "exec sh -c 'echo on output; echo on errors >&2; exit 3'",
        """
        sh has ended with status 3
        it printed:
          on output
        on standard error it printed:
          on errors
        """
      ),
      ("! expect packing", "it is so, but was not to be:\n  yes  packing"),
      ("exec echo a b\n! stdout b", "it is so, but was not to be:\n  a b"),
      ("! trace packing {\n  ...\n}", "it is so, but was not to be"),
      ("! background packing", "it was done, but was to fail"),
      ("background nobody", "no session is called nobody"),
      (
        "background packing\ntrace packing {\n  willResignActive\n}",
        """
        packing was not called like this (- was expected, + happened):
            willResignActive
          + didEnterBackground
          + stateRestorationActivity
        """
      ),
      (
        "trace packing {\n  willConnect reason=restore\n  ...\n}",
        """
        packing was not called like this (- was expected, + happened):
          - willConnect reason=restore
          + willConnect reason=launch
            ...
        """
      ),
      ("trace nobody {}", "there is no client nobody; there are packing"),
      ("packing: hang up", "packing says: there is no callback up"),
      ("packing: crash\npacking: title A", "packing has been ended by SIGKILL"),
      ("nobody: title A", "there is no client nobody"),
      ("client packing", "there is a client packing already"),
      ("client other packing", "other was refused: "),
      ("client other --no-such", "other has ended with status 2\n  scene: unknown option"),
      ("client other --backgruond", "--backgruond; did you mean --background?"),
      ("broker restart --clokc virtual", "--clokc; did you mean --clock?"),
      ("kill packing\nkill packing", "packing has been ended by SIGKILL already"),
      (
        "kill packing\nexpect process packing exit=0",
        "packing has been ended by SIGKILL; it was to end with status 0"
      ),
      (
        "kill packing\nexpect process packing signal=TERM",
        "packing has been ended by SIGKILL, not by SIGTERM"
      ),
      (
        "packing: close\nexpect process packing signal=TERM",
        "packing has ended with status 0; it was to be ended by SIGTERM"
      ),
      ("packing: close\nexpect process packing exit=1", "packing has ended with status 0, not 1"),
      (
        "expect packing foregroundActiv",
        "no session is called foregroundActiv; did you mean foregroundActive?"
      ),
      (
        "! expect packing foregroundActiv",
        "no session is called foregroundActiv; did you mean foregroundActive?"
      ),
      (
        "await packing foregroundActiv",
        "no session is called foregroundActiv; did you mean foregroundActive?"
      ),
      (
        "background packing\ntrace packing {\n  willResignActive answered=null\n  ...\n}",
        """
        packing was not called like this (- was expected, + happened):
          - willResignActive answered=null
          + willResignActive answered=true
        """
      ),
      ("kill packing\nexpect process packing running", "packing has been ended by SIGKILL"),
      ("freeze packing\npacking: title A", "packing is frozen; let it go on with: thaw packing"),
      ("thaw packing", "packing is not frozen"), ("broker start", "a broker runs already"),
      ("kill packing\nthaw packing", "packing has been ended by SIGKILL"),
      (
        "freeze packing\nkill -TERM packing",
        "packing is frozen, and heeds SIGTERM only when it goes on; let it with: thaw packing"
      ),
      ("broker kill\nexpect packing", "no broker runs here; start one with: broker start"),
      ("broker kill --after replySent\npacking: activity a\nexpect packing", "no broker runs here"),
      ("broker kill --after replySent\n! packing: activity a", "it was done, but was to fail"),
      ("broker kill --before recordAppended\nclient b\nclient c", "no broker runs here"),
      (
        "broker restart --durability none\nbroker kill --before recordSynced",
        "with --durability none there is no disk"
      ),
      ("cut packing", "the broker says: "), ("hang nobody", "there is no client nobody"),
      ("disk full\npacking: activity a {\"line\": 1}", "packing says: "),
      ("broker stop\nbackground packing", "no broker runs for application default"),
      ("broker restart --no-such", "the broker has ended with status 2"),
      ("error no", "no line with ! has failed since something was done last"),
      (
        "! background nobody\nbackground packing\nerror noSession",
        "no line with ! has failed since something was done last"
      ),
      (
        "! background nobody\nerror sessionInUse",
        "what failed before did so with noSession, not sessionInUse"
      ),
      ("exec false", "false has ended with status 1"),
      (
        "exec sh -c 'echo oh >&2; kill -9 $$'",
        "sh has been ended by SIGKILL\non standard error it printed:\n  oh"
      ),
      ("exec no-such-program", "no-such-program"),
      ("exec echo a b\nstdout b a", "no line has \"b\" and then \"a\"; it printed:\n  a b"),
      ("status\nstderr x", #"no line has "x"; on standard error it printed nothing"#),
      (
        "exec printf 'a\\nb\\n'\ncmp stdout f",
        "stdout (-) and f (+) differ in line 2:\n  - b\n  + c"
      ),
      ("call session/nothing {}", "there is no method session/nothing"),
      ("cmp stdout nothing", "work/nothing: No such file"),
      ("exec mkfifo p\ncmp p stdout", "p is a pipe, and no file to be compared"),
      ("cmp stdout .", ". is a directory, and no file to be compared"),
    ])
  func says(lines: String, beginning: String) throws {
    let failure = try failure(lines + "\n-- f --\na\nc\n")
    #expect(failure.message.contains(beginning), "\(failure.message)")
    // The last line that is none of a block, and not of the file.
    let script = lines.split(separator: "\n")
    let number = script.lastIndex { !$0.hasPrefix(" ") && $0 != "}" } ?? 0
    #expect(failure.place.line == number + 3)
    #expect(failure.line == script[number].trimmingPrefix(while: { $0 == " " }))
  }

  @Test("without a broker there is nothing to be a client of")
  func noBroker() throws {
    #expect(
      try failure("client packing", start: "").message
        == "no broker runs here; start one with: broker start")
  }

  @Test("a broker that ends of its own accord is missed at once")
  func lostBroker() throws {
    let failure = try failure(
      #"exec sh -c 'kill -9 $(scenectl --json | sed "s/.*\"pid\":\([0-9]*\).*/\1/")'"#)
    #expect(failure.message.hasPrefix("the broker has been ended by SIGKILL"), "\(failure)")
  }

  @Test("the end of the timeline is shown, and how to play just this again")
  func timeline() throws {
    let failure = try failure("background packing\nexpect packing unattached")
    #expect(failure.timeline.count == 12)
    #expect(failure.timeline.last?.hasSuffix("← stateRestorationActivity") == true)
    #expect(failure.timeline.contains { $0.contains("aimed at background by scenectl") })
    #expect(failure.lines.first == "a.scene:4:1: expect packing unattached")
    #expect(failure.lines.last == "once more, up to this line: scenectl test a.scene:4")
  }

  @Test("a line ends at its ceiling at the latest, and says what it waited for")
  func ceiling() throws {
    let outcome = try Theatre.play("exec sleep 1000") { $0.ceiling = 100_000_000 }
    guard case .failed(let failure)? = outcome.sections.first?.result else {
      throw Unmet("it passed")
    }
    #expect(failure.message == "sleep does not end\nA line may take 0.100 s.")
  }

  @Test("a client that somebody else has stopped is told at once")
  func stopped() throws {
    let outcome = try Theatre.play(
      """
      broker start
      client packing
      exec sh -c 'kill -STOP $(scenectl show packing --value client.pid)'
      """)
    guard case .failed(let failure)? = outcome.sections.first?.result else {
      throw Unmet("it passed")
    }
    #expect(failure.message.hasPrefix("packing (process "))
    #expect(
      failure.message.contains(") is stopped, and not by the script; it goes on with: kill -CONT "))
    #expect(failure.message.contains("\nIn a script a client is stopped with: freeze packing"))
    #expect(!failure.message.contains("A line may take"))
  }

  @Test("what only time can end, by a clock that stands still, is not waited for")
  func waitingInVain() throws {
    let script = """
      broker start --clock virtual
      client packing
      packing: hang didEnterBackground
      background packing
      """
    let outcome = try Theatre.play(script) { $0.ceiling = SceneTestSupport.ceiling }
    guard case .failed(let failure)? = outcome.sections.first?.result else {
      throw Unmet("it passed")
    }
    let lines = failure.message.split(separator: "\n")
    #expect(
      lines.first
        == "background packing is not done, and never will be while the clock stands still:")
    #expect(lines.dropFirst().first?.contains("didEnterBackground") == true, "\(lines)")
    #expect(
      lines.last == "Let time go on behind it: background --no-wait packing, and then advance 5s")
    // By a clock that goes, it is over in time.
    let real = script.replacing(
      "--clock virtual", with: "--clock real --budget didEnterBackground=10ms")
    guard case .failed(let late)? = try Theatre.play(real).sections.first?.result else {
      throw Unmet("it passed")
    }
    #expect(late.message.contains("packing: cut off by the watchdog"), "\(late.message)")
    // What is not waited for is over at once.
    let unawaited = script.replacing("background packing", with: "background --no-wait packing")
    let passed = try Theatre.play(unawaited)
    #expect(passed.passed, "\(TestReport.lines(of: passed, from: 1))")
  }

  @Test("what is answered while somebody looks whether it ever will be is not in vain")
  func answeredAfterAll() throws {
    let hand = Hand.scenectl
    let looking = Hand(verbs: hand.verbs, complaint: hand.complaint) { words, stage in
      let outcome = hand.act(words, stage)
      // All rests but one who does not answer, so it looks as if no answer could come.
      if words.first == "activate" { _ = stage.waitsInVain() }
      return outcome
    }
    let outcome = try Theatre.play(
      """
      broker start --clock virtual
      client packing
      client itinerary
      packing: hang didEnterBackground
      background --no-wait packing
      background itinerary
      activate itinerary
      expect itinerary foregroundActive
      advance 5s
      """
    ) {
      $0.ceiling = SceneTestSupport.ceiling
      $0.hand = looking
    }
    #expect(outcome.passed, "\(TestReport.lines(of: outcome, from: 1))")
  }

  @Test("of what is not done in time it is said who keeps it waiting, and how to let it go on")
  func frozen() throws {
    let settings = try Theatre.settings()
    let verbs = ScriptVerb.table(settings.hand)
    let stage = try Stage(settings, files: [])
    defer { stage.strike() }
    stage.deadline = SystemClock.monotonic() + SceneTestSupport.ceiling
    try stage.startBroker(["--clock", "virtual"])
    try stage.startClient("packing", [])
    let plan = try ScriptPlan(
      reading: "freeze packing", path: "a.scene", verbs: verbs, environment: [:])
    try plan.sections[0].steps[0].action(stage)
    do throws(StepFailure) {
      try stage.act(["background", "packing"])
    } catch {
      let lines = error.message.split(separator: "\n")
      #expect(
        lines.first
          == "background packing is not done, and never will be while the clock stands still:")
      #expect(lines.contains("  packing is frozen; let it go on with: thaw packing"))
      return
    }
    throw Unmet("it was done")
  }
}
