import SceneCommandLine
import SceneControlTestSupport
import SceneModel
import ScenePlatform
import Testing

@testable import SceneCommands
@testable import SceneControl

@Suite("Verbs that look")
struct InspectVerbTests {
  private let now: Int64 = 1_700_000_000_000
  private var status: String {
    #"""
    {"name":"default","phase":"active","sessions":1,"scenes":1,"connections":2,\#
    "durability":"disk","manifest":"built-in","startedAt":1,"now":\#(now),\#
    "version":"1","instance":"8c","pid":4242,"storage":"ok","clock":"real",\#
    "delegate":{"name":"app","pid":4712}}
    """#
  }

  @Test("says how the application is, with its sessions")
  func statusText() throws {
    var packing = summary(1, name: "packing", state: .foregroundActive, pid: 4711)
    packing.lastUsed = now - 5000
    let list = SessionList.Reply(sessions: [summary(2, title: "A\u{7}b"), packing])
    let outcome = try Outcome.of([], [result(1, status), result(2, text(of: list))])
    #expect(
      outcome.output == """
        application default: active; 1 session, durability disk, application delegate: app 4712
        NAME      STATE             TITLE     LAST  CLIENT
        packing   foregroundActive  -         5s    scene 4711
        aaaabbbb  unattached        A\\u0007b  -     -

        """)
  }

  @Test("says how much the broker keeps, and how much it may keep")
  func statusBytes() throws {
    let told = status.dropLast() + #","bytes":5300000,"byteLimit":1342177280}"#
    let outcome = try Outcome.of(
      [], [result(1, String(told)), result(2, text(of: SessionList.Reply(sessions: [])))])
    #expect(
      outcome.output.contains(
        "durability disk, 5 of 1280 MiB used, application delegate: app 4712\n"))
  }

  @Test("prints the broker's own words with --json")
  func statusJSON() throws {
    let outcome = try Outcome.of(["--json"], [result(1, status)])
    #expect(outcome.output == status + "\n")
    #expect(outcome.requests == ["application/status {}"])
  }

  @Test("--columns and --format print whole values of the chosen columns")
  func chosenColumns() throws {
    var packing = summary(1, name: "packing", state: .foregroundActive, pid: 4711)
    packing.lastUsed = now - 5000
    let home = try #require(User.home)
    packing.program = SessionProgram(
      arguments: ["vim", "my notes.txt"], directory: "\(home)/texts")
    let list = result(1, text(of: SessionList.Reply(sessions: [packing])))
    let table = try Outcome.of(
      ["sessions", "--columns", "pid,command,LAST,title"], [list, result(2, status)])
    #expect(
      table.output == """
        PID   COMMAND             LAST           TITLE
        4711  vim 'my notes.txt'  1699999995000  -

        """)
    let line = try Outcome.of(
      ["sessions", "--format", "{pid}\t{directory}: {command}{title} {{}} }"], [list])
    #expect(line.output == "4711\t\(home)/texts: vim 'my notes.txt' {} }\n")
    for option in [["--columns", "name,size"], ["--format", "{size}"]] {
      let refused = try Outcome.of(["sessions"] + option, [list, result(2, status)])
      #expect(refused.code == .usage)
      #expect(refused.errors.contains("there is no column size; the columns are name, state,"))
    }
    let open = try Outcome.of(["sessions", "--format", "{name"], [list])
    #expect(open.errors.contains("--format: there is no column {name; the columns are"))
  }

  @Test("lists what sessions are called, for completion")
  func names() throws {
    let first = SessionList.Reply(sessions: [summary(1, name: "a b")], next: identifier(1))
    let second = SessionList.Reply(sessions: [summary(2)])
    let outcome = try Outcome.of(
      ["sessions", "--names"], [result(1, text(of: first)), result(2, text(of: second))])
    #expect(outcome.output == "a b\naaaabbbb\n")
  }

  @Test("a filter without a match says so on a terminal, and prints only the headings elsewhere")
  func noMatch() throws {
    let script = [
      result(1, text(of: SessionList.Reply(sessions: []))),
      result(2, text(of: ApplicationStatus.Reply())),
    ]
    for words in [["--state", "background"], ["--role", "x"], ["--where", "list=inbox"]] {
      let words = ["sessions"] + words
      let shown = try Outcome.of(words, script, isScreen: true)
      #expect(shown.code == .success)
      #expect(shown.errors == "scenectl: no session matches the filter\n")
      #expect(try Outcome.of(words, script).errors == "")
    }
    #expect(try Outcome.of(["sessions"], script, isScreen: true).errors == "")
  }

  @Test("a history without an activity says so on a terminal, and prints nothing elsewhere")
  func emptyHistory() throws {
    let script = [
      result(1, resolved(details(summary(1, name: "packing")))),
      result(2, #"{"generations":[],"reasons":[]}"#),
      result(3, text(of: ApplicationStatus.Reply())),
    ]
    let shown = try Outcome.of(["history", "packing"], script, isScreen: true)
    #expect(shown.code == .success)
    #expect(shown.output + shown.errors == "scenectl: the session has no saved activity\n")
    let piped = try Outcome.of(["history", "packing"], script)
    #expect(piped.output + piped.errors == "")
  }

  @Test("a withheld activity is shown with the command that gives it back")
  func withheld() throws {
    for (name, argument) in [("a b", "'a b'"), ("-x", "-- -x")] {
      var session = summary(1, name: name)
      session.withheld = Withholding(generation: 3, reason: .crashLoop)
      let outcome = try Outcome.of(
        ["-S", "/s", "show", identifier(1).description],
        [
          result(1, resolved(details(session))),
          result(2, text(of: ApplicationStatus.Reply())),
        ])
      #expect(
        outcome.output.contains(
          "generation 3, crashLoop; get it back with: scenectl -S /s restore \(argument)\n"),
        "\(outcome)")
    }
  }

  @Test("follows the sessions until the broker goes")
  func watch() throws {
    let list = SessionList.Reply(sessions: [summary(1, name: "a"), summary(2, name: "b")])
    let changed = text(of: summary(1, name: "a", state: .background))
    let gone = #"{"session":"\#(identifier(2))","discarded":true}"#
    let listed = [result(1), result(2, text(of: list))]
    let news = [
      notification("session/changed", changed),
      notification("application/phaseChanged", #"{"phase":"active"}"#),
      notification("session/changed", gone),
    ]
    let lines = try Outcome.of(["sessions", "--watch", "--json"], listed + news)
    #expect(lines.code == .noBroker)
    #expect(
      lines.output
        == [text(of: summary(1, name: "a")), text(of: summary(2, name: "b")), changed, gone]
        .joined(separator: "\n") + "\n")
    let tables = try Outcome.of(
      ["sessions", "--watch"], listed + [result(3, status)] + news + [result(4, status)])
    #expect(
      tables.output == """
        NAME  STATE       TITLE  LAST  CLIENT
        a     unattached  -      -     -
        b     unattached  -      -     -

        NAME  STATE       TITLE  LAST  CLIENT
        a     background  -      -     -


        """)
  }

  @Test(
    "prints one value",
    arguments: [
      ("title", "My\ttrip\n"), ("activity.userInfo.line", "42\n"), ("name", "\"packing\"\n"),
      ("client.pid", "4711\n"),
    ])
  func value(path: String, printed: String) throws {
    let session = details(
      summary(1, name: "packing", pid: 4711, title: "My\ttrip"),
      activity: #"{"activityType":"t","userInfo":{"line":42}}"#)
    let words = ["show", "packing", "--value", path] + (path == "name" ? ["--json"] : [])
    #expect(try Outcome.of(words, [result(1, resolved(session))]).output == printed)
  }

  @Test("a value that is not there is a no; a path that is none a usage error")
  func noValue() throws {
    let session = [result(1, resolved(details(summary(1, name: "packing"))))]
    let missing = try Outcome.of(["show", "packing", "--value", "activity.userInfo"], session)
    #expect(missing.code == .failure)
    #expect(missing.errors == "scenectl: packing has no value activity.userInfo\n")
    let unknown = try Outcome.of(["show", "packing", "--value", "identifier"], session)
    #expect(unknown.code == .failure)
    let beginning =
      "scenectl: packing has no value identifier; the values are sceneSession, session, name, "
    #expect(unknown.errors.hasPrefix(beginning), "\(unknown.errors)")
    #expect(unknown.errors.hasSuffix(", activity\n"))
    #expect(try Outcome.of(["show", "packing", "--value", "a..b"], session).code == .usage)
  }

  @Test(
    "an ambiguous prefix is refused, and the error names matches",
    arguments: [("show", []), ("is", [result(1)]), ("trace", [])])
  func ambiguous(verb: String, earlier: [String]) throws {
    let reply = SessionResolve.Reply(matches: [identifier(1), identifier(2)], count: 2)
    let outcome = try Outcome.of(
      [verb, "aaaa"], earlier + [result(earlier.count + 1, text(of: reply))])
    #expect(outcome.code == .usage)
    #expect(
      outcome.errors == """
        scenectl: ambiguous session prefix "aaaa" (2 matches); use more characters:
          \(identifier(1))
          \(identifier(2))

        """)
  }

  @Test("prints what is kept of the trace, and no more")
  func trace() throws {
    func entry(_ number: Int64, _ session: Int?) -> String {
      var entry = TraceEntry(.saved)
      entry.number = number
      entry.session = session.map { identifier($0) }
      return text(of: entry)
    }
    let script = [
      result(1), notification("trace/entry", entry(1, 1)), notification("trace/entry", entry(2, 2)),
      notification("trace/entry", entry(3, nil)), result(2),
      notification("trace/entry", entry(4, 1)),
    ]
    let all = try Outcome.of(["--json", "trace", "--after", "0"], script)
    #expect(all.output.split(separator: "\n").count >= 3)
    #expect(
      all.output.hasPrefix([entry(1, 1), entry(2, 2), entry(3, nil)].joined(separator: "\n")))
    #expect(all.requests == [#"trace/observe {"after":0}"#, "broker/ping {}"])
  }

  @Test("the trace of a session that is gone goes by its name")
  func traceOfOne() throws {
    var entry = TraceEntry(.saved)
    entry.session = identifier(9)
    entry.name = "gone"
    let outcome = try Outcome.of(
      ["trace", "gone"],
      [
        refusal(1, .sessionNotFound), result(2), notification("trace/entry", text(of: entry)),
        notification("trace/entry", text(of: TraceEntry(.joined))), result(3),
      ])
    #expect(outcome.output == "      0.000000  gone: saved generation 0\n")
  }

  @Test("why there is no session is told as far as it is known")
  func whyOfGone() throws {
    var failed = TraceEntry(.launchFailed)
    failed.session = identifier(9)
    failed.name = "gone"
    failed.detail = "notes: No such file or directory"
    let told = notification("trace/entry", text(of: failed))
    // The list of the trash, and that of the sessions.
    let none = #"{"sessions":[]}"#
    let outcome = try Outcome.of(
      ["why", "gone"],
      [
        refusal(1, .sessionNotFound), result(2, none), result(3, none), result(4), told, result(5),
        refusal(6, .sessionNotFound), result(7, text(of: ApplicationStatus.Reply())),
      ])
    #expect(outcome.code == .noSession)
    #expect(
      outcome.output.hasSuffix(
        "launch failed: notes: No such file or directory\n"),
      "\(outcome)")
    #expect(
      outcome.errors
        == "scenectl: gone no longer exists; the output shows its last reasons\n")
    let unknown = try Outcome.of(
      ["why", "gone"],
      [refusal(1, .sessionNotFound), result(2, none), result(3, none), result(4), result(5)])
    #expect(
      unknown.errors.hasSuffix(
        "\nThe trace has no entry about gone; if a request failed, repeat the request to see its "
          + "error\n"), "\(unknown)")
    let renamed = try Outcome.of(
      ["why", "gone"],
      [
        refusal(1, .sessionNotFound), result(2, none), result(3, none), result(4), told, result(5),
        result(6, details(summary(9, name: "come back"))),
      ])
    #expect(renamed.code == .noSession)
    #expect(renamed.output == "")
    #expect(
      renamed.errors == """
        scenectl: gone is now called come back
        Show the reasons of its state with: scenectl why 'come back'

        """)
  }

  @Test(
    "a session in the place of a verb suggests to show it; only a running broker is asked",
    arguments: [["packing"], ["status", "packing"], ["--socket", "/s", "packing", "--json"]])
  func sessionForVerb(words: [String]) throws {
    let found = result(1, resolved(details(summary(1, name: "packing"))))
    let outcome = try Outcome.of(words, [found], environment: ["SCENE_AUTOSTART": "1"])
    #expect(outcome.code == .usage)
    #expect(outcome.errors.contains("; did you mean scenectl "), "\(outcome)")
    #expect(outcome.errors.contains("show packing?\n"), "\(outcome)")
    let unknown = try Outcome.of(words, [result(1, #"{"matches":[],"count":0}"#)])
    #expect(!unknown.errors.contains("did you mean"), "\(unknown)")
  }

  @Test(
    "a page of a program that prints no such page is an error", arguments: ["bash", "zsh", "fish"])
  func noScript(shell: String) throws {
    let outcome = try Outcome.of(["completion", shell, "/bin/echo"])
    #expect(outcome.code == .badData)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("scenectl: /bin/echo --print-completion prints no such page"))
  }

  @Test("a value that is null is none")
  func nullValue() throws {
    let found = result(1, resolved(details(summary(1, name: "packing"))))
    let outcome = try Outcome.of(["show", "packing", "--value", "title"], [found])
    #expect(outcome.code == .failure)
    #expect(outcome.errors == "scenectl: packing has no value title\n")
  }

  @Test("why says that causes before the start of the broker are gone")
  func whyAfterStart() throws {
    var connected = TraceEntry(.connected)
    (connected.session, connected.time) = (identifier(1), now - 3000)
    var created = connected
    created.event = .created
    var status = ApplicationStatus.Reply()
    (status.now, status.startedAt) = (now, now - 60_000)
    var launched = connected
    launched.event = .launched
    for (reasons, isGone) in [
      ([connected], true), ([created, connected], false), ([launched, created, connected], false),
    ] {
      let outcome = try Outcome.of(
        ["why", "packing"],
        [
          result(1, resolved(details(summary(1, name: "packing")))),
          result(2, text(of: SessionHistory.Reply(reasons: reasons))),
          result(3, text(of: status)),
        ])
      #expect(
        outcome.output.hasPrefix("Earlier causes are gone; the broker started 1m ago.\n3s ago")
          == isGone, "\(outcome)")
    }
  }

  @Test("who observes is told how to go on when the broker goes")
  func observeLost() throws {
    let event = #"{"topic":"Notes","kind":"k","payload":{},"position":"00000001-2"}"#
    let outcome = try Outcome.of(
      ["observe", "Notes"],
      [result(1, #"{"position":"00000001-1"}"#), notification("event/posted", event)])
    #expect(outcome.code == .noBroker)
    #expect(outcome.output == "Notes k {}\n")
    #expect(
      outcome.errors.hasSuffix(
        "\nContinue to observe Notes with: "
          + "scenectl observe Notes --after 00000001-2\n"), "\(outcome)")
  }

  @Test("the trace of a session that nothing is known of is an error")
  func traceOfNone() throws {
    let outcome = try Outcome.of(
      ["trace", "none"], [refusal(1, .sessionNotFound), result(2), result(3)])
    #expect(outcome.code == .noSession)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("scenectl: no session is called none\n"))
  }
}
