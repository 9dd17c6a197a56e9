import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneCommands
@testable import SceneScript

@Suite("Failing scripts")
struct FailingScriptTests {
  /// The failure of a script whose broker runs and whose client `packing` is active.
  private func failure(
    _ lines: String, start: String = "broker start --clock virtual\nclient packing\n"
  ) throws -> ScriptFailure {
    try ScriptFixture.failure(start + lines)
  }

  @Test("a fault that the end of the script causes is no further failure")
  func pointAtTheEnd() throws {
    let message = try failure("broker kill --before recordAppended\nexpect packing background")
      .message
    #expect(
      message == "expectation failed:\n  no   packing background: the state is foregroundActive")
  }

  @Test(
    "a failed line reports the expected and the actual state",
    arguments: [
      (
        "expect packing background",
        "expectation failed:\n  no   packing background: the state is foreground"
      ),
      (
        "expect packing unatached title=x",
        "no session is called unatached; did you mean unattached?"
      ),
      ("! expect process packing exit=0\nexec false", "false exited with status 1"),
      (
        "exec sh -c 'echo on output; echo on errors >&2; exit 3'",
        """
        sh exited with status 3
        standard output:
          on output
        standard error:
          on errors
        """
      ),
      ("! expect packing", "expected a failure, but it succeeded:\n  yes  packing"),
      ("exec echo a b\n! stdout b", "expected a failure, but it succeeded:\n  a b"),
      ("! trace packing {\n  ...\n}", "expected a failure, but it succeeded"),
      ("! background packing", "expected a failure, but it succeeded"),
      ("background stranger", "no session is called stranger"),
      (
        "background packing\ntrace packing {\n  willResignActive\n}",
        """
        callbacks of packing differ (- expected, + actual):
            willResignActive
          + didEnterBackground
          + stateRestorationActivity
        """
      ),
      (
        "trace packing {\n  willConnect reason=restore\n  ...\n}",
        """
        callbacks of packing differ (- expected, + actual):
          - willConnect reason=restore
          + willConnect reason=launch
            ...
        """
      ),
      ("trace stranger {}", #"unknown client "stranger"; expected one of packing"#),
      ("packing: hang up", "packing refused the line: unknown callback up"),
      ("packing: crash\npacking: title A", "packing was terminated by SIGKILL"),
      ("stranger: title A", #"unknown client "stranger""#),
      ("client packing", "a client packing is already running"),
      ("client other packing", "other was refused: "),
      ("client other --no-such", "other exited with status 2\n  scene: unknown option"),
      ("client other --backgruond", "--backgruond; did you mean --background?"),
      ("broker restart --clokc virtual", "--clokc; did you mean --clock?"),
      ("kill packing\nkill packing", "packing was terminated by SIGKILL before this line"),
      (
        "kill packing\nexpect process packing exit=0",
        "packing was terminated by SIGKILL, expected status 0"
      ),
      (
        "kill packing\nexpect process packing signal=TERM",
        "packing was terminated by SIGKILL, expected SIGTERM"
      ),
      (
        "packing: close\nexpect process packing signal=TERM",
        "packing exited with status 0, expected SIGTERM"
      ),
      (
        "packing: close\nexpect process packing exit=1",
        "packing exited with status 0, expected status 1"
      ),
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
        callbacks of packing differ (- expected, + actual):
          - willResignActive answered=null
          + willResignActive answered=true
        """
      ),
      ("kill packing\nexpect process packing running", "packing was terminated by SIGKILL"),
      ("freeze packing\npacking: title A", "packing is frozen; resume it with: thaw packing"),
      ("thaw packing", "packing is not frozen"), ("broker start", "a broker is already running"),
      ("kill packing\nthaw packing", "packing was terminated by SIGKILL"),
      (
        "freeze packing\nkill -TERM packing",
        "packing is frozen and cannot handle SIGTERM; resume it first with: thaw packing"
      ),
      ("broker kill\nexpect packing", "no broker is running; start one with: broker start"),
      (
        "broker kill --after replySent\npacking: activity a\nexpect packing", "no broker is running"
      ),
      (
        "broker kill --after replySent\n! packing: activity a",
        "expected a failure, but it succeeded"
      ),
      ("broker kill --before recordAppended\nclient b\nclient c", "no broker is running"),
      (
        "broker restart --durability none\nbroker kill --before recordSynced",
        "a broker with --durability none uses no disk"
      ),
      ("cut packing", "the broker refused: "), ("hang stranger", #"unknown client "stranger""#),
      ("disk full\npacking: activity a {\"line\": 1}", "packing refused the line: "),
      ("broker stop\nbackground packing", "no broker runs for application default"),
      ("broker restart --no-such", "the broker exited with status 2"),
      ("error no", "no line with ! has failed since the last action"),
      (
        "! background stranger\nbackground packing\nerror noSession",
        "no line with ! has failed since the last action"
      ),
      (
        "! background stranger\nerror sessionInUse",
        "expected the error sessionInUse, but the last failure was noSession"
      ),
      (
        "exec sh -c 'echo oh >&2; kill -9 $$'",
        "sh was terminated by SIGKILL\nstandard error:\n  oh"
      ),
      ("exec no-such-program", "no-such-program"),
      (
        "exec echo a b\nstdout b a",
        "no line contains \"b\" and then \"a\"; standard output:\n  a b"
      ),
      ("status\nstderr x", #"no line contains "x"; standard error is empty"#),
      (
        "exec printf 'a\\nb\\n'\ncmp stdout f",
        "stdout (-) and f (+) differ in line 2:\n  - b\n  + c"
      ),
      ("call session/nothing {}", "there is no method session/nothing"),
      ("cmp stdout nothing", "work/nothing: No such file"),
      ("exec mkfifo p\ncmp p stdout", "p is a pipe, not a regular file"),
      ("cmp stdout .", ". is a directory, not a regular file"),
    ])
  func says(lines: String, beginning: String) throws {
    let failure = try failure(lines + "\n-- f --\na\nc\n")
    #expect(failure.message.contains(beginning), "\(failure.message)")
    // The last line of the script that is neither in a block nor in a file.
    let script = lines.split(separator: "\n")
    let number = script.lastIndex { !$0.hasPrefix(" ") && $0 != "}" } ?? 0
    #expect(failure.location.line == number + 3)
    #expect(failure.line == script[number].trimmingPrefix(while: { $0 == " " }))
  }

  @Test("a client cannot start without a broker")
  func noBroker() throws {
    #expect(
      try failure("client packing", start: "").message
        == "no broker is running; start one with: broker start")
  }

  @Test("an unexpected exit of the broker fails the line at once")
  func lostBroker() throws {
    let failure = try failure(
      #"exec sh -c 'kill -9 $(scenectl --json | sed "s/.*\"pid\":\([0-9]*\).*/\1/")'"#)
    #expect(failure.message.hasPrefix("the broker was terminated by SIGKILL"), "\(failure)")
  }

  @Test("a failure shows the last events and a command that reproduces it")
  func timeline() throws {
    let failure = try failure("background packing\nexpect packing unattached")
    #expect(failure.timeline.count == 12)
    #expect(failure.timeline.last?.hasSuffix("← stateRestorationActivity") == true)
    #expect(failure.timeline.contains { $0.contains("target set to background by scenectl") })
    #expect(failure.lines.first == "a.scene:4:1: expect packing unattached")
    #expect(failure.lines.last == "to reproduce: scenectl test a.scene:4")
  }

  @Test("a line that reaches its timeout says what it waited for")
  func timeout() throws {
    let failure = try ScriptFixture.failure("exec sleep 1000") { $0.lineTimeout = 100_000_000 }
    #expect(failure.message == "sleep did not exit\nThe timeout of a line is 0.100 s.")
  }

  @Test("a client that another process stopped fails the line at once")
  func stopped() throws {
    let failure = try failure("exec sh -c 'kill -STOP $(scenectl show packing --value client.pid)'")
    #expect(failure.message.hasPrefix("packing (process "))
    #expect(
      failure.message.contains(") is stopped, but not by the script; resume it with: kill -CONT "))
    #expect(failure.message.contains("\nTo stop a client in a script, use: freeze packing"))
    #expect(!failure.message.contains("The timeout of a line"))
  }

  @Test("a wait that only time can end fails at once while the virtual clock stands still")
  func waitingInVain() throws {
    let script = """
      broker start --clock virtual
      client packing
      packing: hang didEnterBackground
      background packing
      """
    let failure = try ScriptFixture.failure(script) { $0.lineTimeout = SceneTestSupport.ceiling }
    let lines = failure.message.split(separator: "\n")
    #expect(
      lines.first
        == "background packing cannot finish while the virtual clock stands still:")
    #expect(lines.dropFirst().first?.contains("didEnterBackground") == true, "\(lines)")
    #expect(
      lines.last == "Advance the clock after it: background --no-wait packing, then advance 5s")
    // With a real clock, the wait ends in time.
    let real = script.replacing(
      "--clock virtual", with: "--clock real --budget didEnterBackground=10ms")
    let late = try ScriptFixture.failure(real).message
    #expect(late.contains("packing: the watchdog disconnected the scene"), "\(late)")
    // With `--no-wait`, the line ends at once.
    try ScriptFixture.pass(
      script.replacing("background packing", with: "background --no-wait packing"))
  }

  @Test("a request that is answered during the check for a futile wait succeeds")
  func answeredAfterAll() throws {
    let controlVerbs = ControlVerbs.scenectl
    let looking = ControlVerbs(verbs: controlVerbs.verbs, usageProblem: controlVerbs.usageProblem) {
      words, environment in
      let outcome = controlVerbs.run(words, environment)
      // Only a frozen client is left, so the request seems to be futile.
      if words.first == "activate" { _ = environment.waitCannotFinish() }
      return outcome
    }
    try ScriptFixture.pass(
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
      $0.lineTimeout = SceneTestSupport.ceiling
      $0.controlVerbs = looking
    }
  }

  @Test("a request that cannot finish names the frozen client and the command that resumes it")
  func frozen() throws {
    let settings = try ScriptFixture.settings()
    let verbs = ScriptVerb.table(settings.controlVerbs)
    let environment = try ScriptEnvironment(settings, files: [])
    defer { environment.tearDown() }
    environment.deadline = SystemClock.monotonic() + SceneTestSupport.ceiling
    try environment.startBroker(["--clock", "virtual"])
    try environment.startClient("packing", [])
    let plan = try ScriptPlan(
      reading: "freeze packing", path: "a.scene", verbs: verbs, environment: [:])
    try plan.sections[0].steps[0].action(environment)
    let error = #expect(throws: StepFailure.self) {
      try environment.runControlVerb(["background", "packing"])
    }
    let lines = error?.message.split(separator: "\n") ?? []
    #expect(lines.first == "background packing cannot finish while the virtual clock stands still:")
    #expect(lines.contains("  packing is frozen; resume it with: thaw packing"))
  }
}
