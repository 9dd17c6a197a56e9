import SceneCommandLine
import SceneControl
import SceneControlTestSupport
import SceneModel
import ScenePlatform
import Testing

@testable import SceneCommands

private let helpHint = "\nTry 'scenectl kill --help'."
private let signalAdvice = "; use a name such as TERM, or a number such as 15\(helpHint)"

@Suite("Verbs that make sessions, and end them")
struct SessionVerbTests {
  private let active = details(summary(1, name: "packing", state: .foregroundActive, pid: 4711))

  @Test(
    "only the process that holds the session is killed, not one that was given its number since",
    arguments: [true, false])
  func kill(isAnother: Bool) throws {
    var pipe = try FileDescriptor.pipe()
    let held = pipe.takeSecond()
    let input = pipe.takeFirst()
    let process = try ChildProcess.spawn("cat", descriptors: [0: input.number])
    input.close()
    let started = try #require(ProcessIdentity.of(process.pid)).startTime
    let scene = details(
      summary(1, name: "packing", state: .foregroundActive, pid: Int64(process.pid)))
    let pid = #""pid":\#(process.pid)"#
    let told = scene.replacing(pid, with: pid + #","started":\#(isAnother ? 1 : started)"#)
    // A broker of an earlier version sends no signals, so scenectl sends it.
    let outcome = try Outcome.of(
      ["kill", "--no-wait", "packing"], [result(1, resolved(told)), refusal(2, .methodNotFound)])
    #expect(
      outcome.requests.last
        == #"scene/signal {"session":"\#(identifier(1))","pid":\#(process.pid)}"#)
    #expect(outcome.code == .success)
    #expect(outcome.output + outcome.errors == "")
    held.close()
    #expect(try process.reap() == (isAnother ? .exited(0) : .signalled(.kill)))
  }

  @Test(
    "kill refuses an unknown signal, in whatever form the line gives it",
    arguments: [
      (["-FOO"], " kill: unknown signal \"FOO\"\(signalAdvice)"),
      (["-TREM"], " kill: unknown signal \"TREM\"; did you mean TERM?\(helpHint)"),
      (["-99"], " kill: unknown signal \"99\"\(signalAdvice)"),
      (["-s", "foo"], " kill: unknown signal \"foo\"\(signalAdvice)"),
      (
        ["-0"],
        ": kill does not support signal \"0\"\n"
          + "Test for a process with: scenectl is ed 'client.pid!=null'"
      ),
    ])
  func unknownSignal(words: [String], message: String) throws {
    let outcome = try Outcome.of(["kill"] + words + ["ed"])
    #expect(outcome.code == .usage)
    #expect(outcome.errors == "scenectl\(message)\n")
    #expect(outcome.requests.isEmpty)
  }

  @Test("kill takes a dash and small letters as short options")
  func shortOptionOfKill() throws {
    let outcome = try Outcome.of(["kill", "-foo", "ed"])
    #expect(outcome.errors.hasPrefix("scenectl kill: unknown option -f"))
  }

  @Test("a new session's name is printed, or its identifier")
  func new() throws {
    let made = #"{"session":"\#(identifier(3))","isNew":true}"#
    let named = try Outcome.of(
      ["new", "trip", "--background"], [refusal(1, .sessionNotFound), result(2, made)])
    #expect(named.output == "trip\n")
    #expect(
      named.requests.last
        == "application/requestSceneSessionActivation "
        + #"{"name":"trip","options":{"background":true}}"#)
    let unnamed = try Outcome.of(["new", "--activity", #"t={"a": 1}"#], [result(1, made)])
    #expect(unnamed.output == "\(identifier(3))\n")
    #expect(
      unnamed.requests == [
        "application/requestSceneSessionActivation "
          + #"{"userActivity":{"activityType":"t","userInfo":{"a": 1}}}"#
      ])
  }

  @Test("a new session does not take another's name")
  func newTaken() throws {
    let outcome = try Outcome.of(["new", "packing"], [result(1, active)])
    #expect(outcome.code == .failure)
    #expect(outcome.requests.count == 1)
  }

  @Test("reclaims by hand, and says what is not in the background")
  func reclaim() throws {
    let other = details(summary(2, name: "other", state: .background, pid: 1))
    let outcome = try Outcome.of(
      ["reclaim", "packing", "other"],
      [
        result(1, resolved(active)), result(2, resolved(other)),
        result(3, #"{"sessions":["\#(identifier(2))"]}"#),
      ])
    #expect(outcome.code == .failure)
    #expect(outcome.output == "")
    #expect(
      outcome.errors
        == "scenectl: packing was not reclaimed: the scene is foregroundActive; "
        + "send the scene to the background first\n")
  }

  @Test("a dry run names what it would be")
  func dryRun() throws {
    let list = SessionList.Reply(sessions: [summary(1, name: "packing"), summary(2)])
    let outcome = try Outcome.of(
      ["reclaim", "--dry-run"],
      [
        result(1, #"{"sessions":["\#(identifier(2))","\#(identifier(1))"]}"#),
        result(2, text(of: list)),
      ])
    #expect(outcome.output == "aaaabbbb\npacking\n")
    #expect(outcome.requests.first == #"application/reclaim {"dryRun":true}"#)
  }

  private static let missing =
    "discard: SESSION is missing: discard does not use $SCENE_SESSION; name the sessions, or use "
    + "--all or --unattached"

  @Test(
    "discard and kill do not use the session they run in",
    arguments: [
      (["discard"], missing), (["discard", "--offline"], missing),
      (["discard", "--all", "packing"], "discard: give either SESSION or --all"),
      (["discard", "--unattached", "packing"], "discard: give either SESSION or --unattached"),
      (["discard", "--all", "--older-than", "30d"], "discard: --older-than requires --unattached"),
      (["discard", "--older-than", "30d"], "discard: --older-than requires --unattached"),
      (["kill"], "kill: SESSION is missing"),
    ])
  func noDefault(words: [String], message: String) throws {
    let outcome = try Outcome.of(words, environment: ["SCENE_SESSION": "packing"])
    #expect(outcome.code == .usage)
    #expect(outcome.errors == "scenectl \(message)\nTry 'scenectl \(words[0]) --help'.\n")
    #expect(outcome.requests.isEmpty)
  }

  @Test("discards every session, in requests of 200, and none if there is none")
  func discardAll() throws {
    let none = try Outcome.of(["discard", "--all"], [result(1, #"{"sessions":[]}"#)])
    #expect(none.code == .success)
    #expect(none.output + none.errors == "")
    #expect(none.requests.count == 1)
    let sessions = (1...201).map { summary($0, name: "n \($0)") }
    let outcome = try Outcome.of(
      ["discard", "--all"],
      [result(1, text(of: SessionList.Reply(sessions: sessions))), result(2), result(3)])
    #expect(outcome.code == .success)
    #expect(outcome.requests.count == 3)
    #expect(
      outcome.requests.last
        == "application/requestSceneSessionDestruction "
        + #"{"sessions":["\#(identifier(201))"]}"#)
  }

  @Test("--unattached discards only sessions that are old enough, and --dry-run only prints them")
  func discardUnattached() throws {
    let now: Int64 = 1_700_000_000_000
    var status = ApplicationStatus.Reply()
    status.now = now
    let sessions = [(1, 31), (2, 29), (3, 40)].map { number, days in
      var session = summary(number, name: "n\(number)")
      session.lastUsed = now - Int64(days) * 86_400_000
      return session
    }
    let active = summary(4, name: "n4", state: .foregroundActive, pid: 4711)
    let list = result(1, text(of: SessionList.Reply(sessions: sessions + [active])))
    let words = ["discard", "--unattached", "--older-than", "30d"]
    let dry = try Outcome.of(words + ["--dry-run"], [list, result(2, text(of: status))])
    #expect(dry.output == "n1\nn3\n")
    #expect(dry.requests.count == 2)
    let json = try Outcome.of(
      words + ["--dry-run", "--json"], [list, result(2, text(of: status))])
    #expect(json.output.split(separator: "\n").count == 2)
    #expect(json.output.hasPrefix(#"{"session":"\#(identifier(1))""#), "\(json)")
    let outcome = try Outcome.of(words, [list, result(2, text(of: status)), result(3)])
    #expect(
      outcome.requests.last
        == "application/requestSceneSessionDestruction "
        + #"{"sessions":["\#(identifier(1))","\#(identifier(3))"],"unattached":true}"#)
  }

  @Test("reopen without a window says on a terminal how to open a closed one")
  func reopenNothing() throws {
    let script = [
      result(1, #"{"sessions":[]}"#),
      result(2, #"{"source":"built-in","manifest":{"configurations":{}}}"#),
    ]
    let shown = try Outcome.of(["reopen"], script, isScreen: true)
    #expect(shown.code == .success)
    #expect(shown.errors.hasSuffix("opens with: scenectl reopen NAME\n"), "\(shown)")
    #expect(try Outcome.of(["reopen"], script).errors == "")
  }

  @Test("restore warns that the next save of a connected scene replaces the activity")
  func restoreOfConnected() throws {
    let outcome = try Outcome.of(
      ["restore", "packing", "3"],
      [result(1, resolved(active)), result(2, #"{"generation":5}"#)])
    #expect(outcome.code == .success)
    #expect(
      outcome.errors == """
        scenectl: packing is connected: its next save replaces the restored activity
        Close the scene and restore the activity again: scenectl close packing && \
        scenectl restore packing 5

        """)
    let unattached = resolved(details(summary(1, name: "packing")))
    let silent = try Outcome.of(
      ["restore", "packing", "3"], [result(1, unattached), result(2, #"{"generation":5}"#)])
    #expect(silent.code == .success)
    #expect(silent.errors == "")
  }

  @Test("discards all in one request")
  func discard() throws {
    let other = details(summary(2, name: "other"))
    let outcome = try Outcome.of(
      ["discard", "packing", "other"],
      [result(1, resolved(active)), result(2, resolved(other)), result(3)])
    #expect(outcome.code == .success)
    #expect(
      outcome.requests.last
        == "application/requestSceneSessionDestruction "
        + #"{"sessions":["\#(identifier(1))","\#(identifier(2))"]}"#)
  }
}
