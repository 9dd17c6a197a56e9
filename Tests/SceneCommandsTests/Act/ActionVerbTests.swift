import SceneCommandLine
import SceneControl
import SceneControlTestSupport
import SceneModel
import ScenePlatform
import Testing

@testable import SceneCommands

@Suite("Verbs that act")
struct ActionVerbTests {
  private let active = details(summary(1, name: "packing", state: .foregroundActive, pid: 4711))

  @Test(
    "moves a scene, waits for it, and prints nothing",
    arguments: [
      ("background", "background"), ("interrupt", "foregroundInactive"),
      ("resume", "foregroundActive"), ("close", "unattached"),
    ])
  func move(verb: String, state: String) throws {
    let outcome = try Outcome.of(
      [verb, "packing"], [result(1, resolved(active)), result(2, #"{"state":"\#(state)"}"#)])
    #expect(outcome.code == .success)
    #expect(outcome.output + outcome.errors == "")
    #expect(
      outcome.requests == [
        #"session/resolve {"word":"packing"}"#,
        #"scene/transition {"session":"\#(identifier(1))","to":"\#(state)"}"#,
      ])
  }

  @Test("a scene that went elsewhere is a no")
  func diverted() throws {
    let outcome = try Outcome.of(
      ["background", "packing"],
      [result(1, resolved(active)), result(2, #"{"state":"foregroundActive"}"#)])
    #expect(outcome.code == .failure)
    #expect(
      outcome.errors
        == "scenectl: packing: the scene is foregroundActive: a later request replaced this one\n")
  }

  @Test(
    "a scene that was disconnected instead is a no, with the reason",
    arguments: [
      (
        DisconnectOutcome(reason: .watchdog, callback: "didEnterBackground"),
        "the watchdog disconnected the scene: didEnterBackground exceeded its budget"
      ),
      (DisconnectOutcome(reason: .connectionLost), "the scene disconnected (connectionLost)"),
      (nil, "the scene is unattached"),
    ] as [(DisconnectOutcome?, String)])
  func disconnected(end: DisconnectOutcome?, reason: String) throws {
    var gone = summary(1, name: "packing")
    gone.disconnect = end
    let outcome = try Outcome.of(
      ["background", "packing"],
      [
        result(1, resolved(active)), result(2, #"{"state":"unattached"}"#),
        result(3, details(gone)),
      ])
    #expect(outcome.code == .failure)
    #expect(outcome.errors == "scenectl: packing: \(reason)\n")
  }

  @Test("what is refused because the scene was cut off meanwhile says that first")
  func cutOffMeanwhile() throws {
    var gone = summary(1, name: "packing")
    gone.disconnect = DisconnectOutcome(reason: .watchdog, callback: "willEnterForeground")
    let outcome = try Outcome.of(
      ["activate", "packing"],
      [result(1, resolved(active)), refusal(2, .noHost), result(3, details(gone))])
    #expect(outcome.code == .tryAgain)
    #expect(
      outcome.errors == """
        scenectl: packing: the watchdog disconnected the scene: willEnterForeground exceeded its \
        budget
        packing: no: noHost
        Open the session in this shell with: scene packing
        Or run a command as its scene with: scene packing -- COMMAND

        """)
  }

  @Test("a scene that can go no further has arrived")
  func ceiling() throws {
    var display = summary(1, name: "screen", state: .background, pid: 1)
    display.role = .windowExternalDisplay
    let outcome = try Outcome.of(
      ["resume", "screen"],
      [result(1, resolved(details(display))), result(2, #"{"state":"foregroundInactive"}"#)])
    #expect(outcome.code == .success)
  }

  @Test("several are asked for at once; what fails is said, and the others are done")
  func several() throws {
    let other = details(summary(2, name: "other"))
    let outcome = try Outcome.of(
      ["background", "packing", "other", "packing"],
      [
        result(1, resolved(active)), result(2, resolved(other)), result(3, resolved(active)),
        result(4, #"{"state":"background"}"#), refusal(5, .sessionNotHeld),
      ])
    #expect(outcome.code == .failure)
    #expect(outcome.errors == "scenectl: other: no: sessionNotHeld\n")
    #expect(outcome.requests.count == 5)
  }

  @Test("one that is not there stops all before anything is done")
  func missing() throws {
    let outcome = try Outcome.of(
      ["background", "packing", "x"], [result(1, resolved(active)), refusal(2, .sessionNotFound)])
    #expect(outcome.code == .noSession)
    #expect(
      outcome.errors
        == "scenectl: no session is called x\nList the sessions with: scenectl sessions\n")
    #expect(!outcome.requests.contains { $0.hasPrefix("scene/") })
  }

  @Test("without a word, the session of the scene it runs in")
  func ownSession() throws {
    let outcome = try Outcome.of(
      ["background"], [result(1, resolved(active)), result(2, #"{"state":"background"}"#)],
      environment: ["SCENE_SESSION": "packing"])
    #expect(outcome.code == .success)
    let nowhere = try Outcome.of(["background"])
    #expect(nowhere.code == .usage)
    #expect(
      nowhere.errors == """
        scenectl background: SESSION is missing, and $SCENE_SESSION is not set
        Try 'scenectl background --help'.

        """)
    #expect(nowhere.requests.isEmpty)
  }

  @Test("what was only overtaken is asked again")
  func retries() throws {
    let outcome = try Outcome.of(
      ["background", "packing"],
      [
        result(1, resolved(active)), refusal(2, .sessionNotHeld, retry: .now),
        refusal(3, .sessionNotHeld, retry: .now), result(4, #"{"state":"background"}"#),
      ], ending: false)
    #expect(outcome.code == .success)
    #expect(outcome.requests.count == 4)
  }

  @Test(
    "an activity that is none is told what it should look like",
    arguments: ["x", "x=", #"{"a":"="}"#])
  func activityOption(text: String) throws {
    for words in [["new"], ["activate", "packing"]] {
      let outcome = try Outcome.of(words + ["--activity", text], [result(1, resolved(active))])
      #expect(outcome.code == .usage)
      #expect(
        outcome.errors.hasPrefix(
          "scenectl \(words[0]): option --activity: expected TYPE=JSON, "
            + "such as 'com.example.note={\"line\": 42}', found "
        ), "\(outcome.errors)")
    }
    let bad = try Outcome.of(["new", "--activity", "x={"])
    #expect(bad.code == .badData)
    #expect(
      bad.errors.hasPrefix("scenectl: option --activity: userInfo: unexpected end of the JSON"))
  }

  @Test("a command line to copy leads to the same broker")
  func advice() throws {
    let place = ["-S", "/a b"]
    let unknown = try Outcome.of(place + ["show", "x"], [refusal(1, .sessionNotFound)])
    #expect(unknown.errors.hasSuffix("List the sessions with: scenectl -S '/a b' sessions\n"))
    let named = try Outcome.of(["-a", "notes", "show", "x"], [refusal(1, .sessionNotFound)])
    #expect(named.errors.hasSuffix("List the sessions with: scenectl -a notes sessions\n"))
    let denied = try Outcome.of(
      place + ["activate", "packing"], [result(1, resolved(active)), refusal(2, .noHost)])
    #expect(denied.errors.hasSuffix("with: scene -S '/a b' packing -- COMMAND\n"))
    let nameless = details(summary(1, state: .background))
    let word = identifier(1).description
    let other = try Outcome.of(
      place + ["activate", word], [result(1, resolved(nameless)), refusal(2, .noHost)])
    #expect(
      other.errors.hasSuffix("with: scene -S '/a b' --session \(word) -- COMMAND\n"),
      "\(other.errors)")
    let new = try Outcome.of(place + ["new"], [refusal(1, .noHost)])
    #expect(
      new.errors.hasSuffix("with: scene -S '/a b' --new -- COMMAND\n"), "\(new.errors)")
    let there = try Outcome.of(place + ["new", "packing"], [result(1, active)])
    #expect(there.errors.hasSuffix("with: scenectl -S '/a b' activate packing\n"))
    let slow = try Outcome.of(place + ["settle", "-t", "0"], ending: false)
    #expect(slow.errors.hasSuffix("the request; see: scenectl -S '/a b' trace\n"))
    let method = try Outcome.of(place + ["call", "x"], [refusal(1, .methodNotFound)])
    #expect(
      method.errors
        == "scenectl: no: methodNotFound\n"
        + "List the methods with: scenectl -S '/a b' call broker/describe\n")
    let script = try Outcome.of(place + ["--json", "timeline"])
    #expect(script.errors.contains("use: scenectl -S '/a b' trace --json\n"))
  }

  @Test("what is not done in time is said, and goes on")
  func timedOut() throws {
    let outcome = try Outcome.of(
      ["background", "packing", "--timeout", "0"],
      [result(1, resolved(active)), result(3, text(of: ApplicationStatus.Reply()))], ending: false)
    #expect(outcome.code == .timedOut)
    #expect(
      outcome.errors
        == "scenectl: packing: timed out after 0s: the broker continues the request; see: "
        + "scenectl trace\n")
    let settling = try Outcome.of(
      ["settle", "-t", "0"], [result(2, text(of: ApplicationStatus.Reply()))], ending: false)
    #expect(settling.code == .timedOut)
    #expect(
      settling.errors
        == "scenectl: settle: timed out after 0s: the broker continues the request; see: "
        + "scenectl trace\n")
  }

  @Test("what waits for the application delegate says so, and how to be it")
  func missingDelegate() throws {
    var status = ApplicationStatus.Reply()
    status.awaitingDelegate = 1
    let missing =
      "the broker waits for the application delegate that the manifest requires; "
      + "start the application's delegate, or run: scenectl -S /s delegate\n"
    for (words, label) in [(["new"], "a new session"), (["open", "a:b"], "open")] {
      let outcome = try Outcome.of(
        ["-S", "/s"] + words + ["-t", "0"],
        [result(2, text(of: status)), result(3, text(of: status))], ending: false)
      #expect(outcome.code == .timedOut)
      #expect(outcome.errors == "scenectl: \(label): timed out after 0s: \(missing)")
    }
    let waiting = try Outcome.of(
      ["-S", "/s", "wait", "packing", "-t", "0"],
      [result(1), refusal(2, .sessionNotFound), result(3, text(of: status))], ending: false)
    #expect(waiting.errors.hasSuffix("\n\(missing)"), "\(waiting.errors)")
    status.delegate = ClientReference(name: "app", pid: 4711)
    let launching = try Outcome.of(
      ["new", "-t", "0"], [result(2, text(of: status)), result(3, text(of: status))], ending: false)
    #expect(
      launching.errors.hasSuffix(
        ": the broker waits for the application delegate app 4711 to finish launching\n"))
  }

  @Test("a configuration that is not there is told of, with those that are")
  func missingConfiguration() throws {
    var made = summary(1, name: "packing")
    made.configuration = "Note"
    let script = [
      refusal(1, .sessionNotFound), result(2, #"{"session":"\#(identifier(1))","isNew":true}"#),
      result(3, resolved(details(made))),
    ]
    let manifest = result(
      4,
      #"{"source":"a","manifest":{"configurations":{"windowApplication":"#
        + #"[{"name":"Note"},{"name":"Tool"}]}}}"#)
    let bad = try Outcome.of(["new", "packing", "-c", "Bad"], script + [manifest])
    #expect(bad.code == .success)
    #expect(bad.output == "packing\n")
    #expect(
      bad.errors
        == "scenectl: packing uses Note: the manifest has no configuration Bad; use one of Note, "
        + "Tool\n")
    for name in ["Note", "Tool"] {
      let good = try Outcome.of(["new", "packing", "-c", name], script + [manifest])
      #expect(good.errors == "", "\(name)")
    }
    let taken = try Outcome.of(
      ["open", "a:b", "-c", "Bad"],
      [
        result(1, #"{"session":"\#(identifier(1))","isNew":false}"#),
        result(2, resolved(details(made))),
        result(3, #"{"source":"a","manifest":{"configurations":{"r":[{"name":"Note"}]}}}"#),
      ])
    #expect(
      taken.errors
        == "scenectl: packing uses Note: the manifest has no configuration Bad; use one of Note\n")
    let refused = try Outcome.of(
      ["open", "a:b", "-c", "Bad"],
      [
        refusal(1, .noHost),
        result(2, #"{"source":"a","manifest":{"configurations":{"r":[{"name":"Note"}]}}}"#),
      ])
    #expect(refused.code == .tryAgain)
    #expect(
      refused.errors == """
        scenectl: the manifest has no configuration Bad; use one of Note
        open: no: noHost
        Open the session in this shell with: scene --new
        Or run a command as its scene with: scene --new -- COMMAND

        """)
  }

  @Test("every verb that acts or waits takes a timeout")
  func timeouts() {
    let acting = Verb.groups.first { $0.heading == "Act as the user" }?.verbs ?? []
    #expect(acting.count > 20)
    // The agent has times of its own.
    let others: [Verb] = [.ping, .wait, .settle, .advance, .fault, .call, .upgrade]
    let waiting = (acting.filter { $0.name != "handoff" } + others).map(\.name)
    for verb in Verb.all {
      #expect(
        verb.command.options.contains { $0.name == "timeout" && $0.short == "t" }
          == waiting.contains(verb.name), "\(verb.name)")
    }
  }

  @Test("that its process is stopped is seen")
  func stopped() throws {
    var pipe = try FileDescriptor.pipe()
    let held = pipe.takeSecond()
    let input = pipe.takeFirst()
    let process = try ChildProcess.spawn("cat", descriptors: [0: input.number])
    input.close()
    try process.send(.stop)
    let deadline = SystemClock.monotonic() + 180_000_000_000
    while ProcessActivity(of: process.pid)?.state != .stopped {
      try #require(SystemClock.monotonic() < deadline)
    }
    let pid = process.pid
    var scene = summary(1, name: "packing", state: .foregroundActive, pid: Int64(pid))
    scene.client?.program = 4712
    var gone = summary(1, name: "packing")
    gone.disconnect = DisconnectOutcome(reason: .watchdog, callback: "didEnterBackground")
    let outcome = try Outcome.of(
      ["background", "packing"],
      [
        result(1, resolved(details(scene))), result(2, #"{"state":"unattached"}"#),
        result(3, details(gone)),
      ])
    try process.send(.kill)
    _ = try process.reap()
    held.close()
    #expect(
      outcome.errors == """
        scenectl: packing: the watchdog disconnected the scene: didEnterBackground exceeded its \
        budget
        process \(pid), which runs scene 4712, is stopped, as by Ctrl-Z; continue the process \
        with: kill -CONT \(pid)

        """)
  }

  @Test("a clock goes on by a year at most", arguments: ["100000d", "366d", "-5s"])
  func advanceTooFar(time: String) throws {
    let outcome = try Outcome.of(["advance", time])
    #expect(outcome.code == .usage)
    #expect(outcome.requests.isEmpty)
  }

  @Test("accepted is enough with --no-wait, but a refusal is told")
  func noWait() throws {
    let other = details(summary(2, name: "other"))
    let outcome = try Outcome.of(
      ["background", "--no-wait", "packing", "other"],
      [
        result(1, resolved(active)), result(2, resolved(other)), refusal(4, .sessionNotHeld),
        result(5),
      ])
    #expect(outcome.code == .failure)
    #expect(outcome.errors == "scenectl: other: no: sessionNotHeld\n")
    #expect(outcome.requests.last == "broker/ping {}")
  }

  @Test("what the broker answers is printed with --json")
  func json() throws {
    let outcome = try Outcome.of(
      ["--json", "background", "packing"],
      [result(1, resolved(active)), result(2, #"{ "state":"background" }"#)])
    #expect(outcome.output == "{ \"state\":\"background\" }\n")
    let refused = try Outcome.of(
      ["--json", "background", "packing"],
      [result(1, resolved(active)), refusal(2, .sessionNotHeld)])
    #expect(
      refused.errors
        == #"{"code":1006,"message":"no: sessionNotHeld","data":{"reason":"sessionNotHeld","#
        + #""retry":"never"}}"# + "\n")
  }

  @Test("without a host, the error advises to start a scene of the session or to reopen its window")
  func adviceForSession() throws {
    var packing = summary(1, name: "packing")
    let advice =
      "\nOpen the session in this shell with: scene packing\n"
      + "Or run a command as its scene with: scene packing -- COMMAND\n"
    for (reopens, more) in [
      (nil, ""), (false, ""), (true, "Or open its window again with: scenectl reopen packing\n"),
    ] as [(Bool?, String)] {
      packing.program = reopens.map {
        SessionProgram(arguments: ["vim"], directory: "/", reopens: $0)
      }
      let outcome = try Outcome.of(
        ["open", "note:packing"],
        [refusal(1, .noHost, session: identifier(1)), result(2, resolved(details(packing)))])
      #expect(outcome.errors.hasSuffix(advice + more), "\(outcome.errors)")
    }
  }
}
