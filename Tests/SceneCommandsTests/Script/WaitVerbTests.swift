import SceneCommandLine
import SceneControlTestSupport
import SceneModel
import ScenePlatform
import Testing

@testable import SceneCommands
@testable import SceneControl

@Suite("Waiting")
struct WaitVerbTests {
  private func session(_ state: ActivationState, name: String = "packing") -> String {
    resolved(details(summary(1, name: name, state: state, pid: 4711)))
  }

  @Test("asks at once, and answers by the exit status alone")
  func isIt() throws {
    let yes = try Outcome.of(["is", "packing"], [result(1), result(2, session(.background))])
    #expect(yes.code == .success)
    let no = try Outcome.of(
      ["is", "packing", "foregroundActive"], [result(1), result(2, session(.background))])
    #expect(no.code == .failure)
    let gone = try Outcome.of(["is", "packing"], [result(1), refusal(2, .sessionNotFound)])
    #expect(gone.code == .failure)
    #expect([yes, no, gone].allSatisfy { $0.output + $0.errors == "" })
  }

  @Test("subscribes before it looks, looks again at a change of its session, and at no other")
  func waits() throws {
    let outcome = try Outcome.of(
      ["wait", "packing", "foregroundActive"],
      [
        result(1), result(2, session(.background)),
        notification("session/changed", text(of: summary(7, name: "other"))),
        notification("application/phaseChanged", #"{"phase":"active"}"#),
        notification("session/changed", text(of: summary(1, name: "packing"))),
        result(3, session(.foregroundActive)),
      ])
    #expect(outcome.code == .success)
    #expect(
      outcome.requests == [
        "session/observe {}", #"session/resolve {"word":"packing"}"#,
        #"session/resolve {"word":"packing"}"#,
      ])
  }

  @Test("a session that is not there yet is waited for")
  func notYet() throws {
    let outcome = try Outcome.of(
      ["wait", "packing"],
      [
        result(1), refusal(2, .sessionNotFound),
        notification("session/changed", text(of: summary(1, name: "packing"))),
        result(3, session(.unattached)),
      ])
    #expect(outcome.code == .success)
  }

  @Test("a session that goes is seen to go")
  func discarded() throws {
    let outcome = try Outcome.of(
      ["wait", "! packing"],
      [
        result(1), result(2, session(.unattached)),
        notification("session/changed", #"{"session":"\#(identifier(1))","discarded":true}"#),
        refusal(3, .sessionNotFound),
      ])
    #expect(outcome.code == .success)
  }

  @Test("all must hold, and changes that come together cost one look")
  func together() throws {
    let outcome = try Outcome.of(
      ["wait", "packing background", "application sessions=2"],
      [
        result(1), result(2), result(3, session(.background)), result(4, #"{"sessions":1}"#),
        notification("session/changed", text(of: summary(1, name: "packing"))),
        notification("session/changed", text(of: summary(1, name: "packing"))),
        result(5, session(.background)), result(6, #"{"sessions":2}"#),
      ])
    #expect(outcome.code == .success)
    #expect(outcome.requests.count == 6)
  }

  @Test("clients that come and go are seen")
  func connections() throws {
    let outcome = try Outcome.of(
      ["wait", "application", "connections=2"],
      [
        result(1), result(2), result(3, #"{"connections":1}"#),
        notification("trace/entry", text(of: TraceEntry(.saved))),
        notification("trace/entry", text(of: TraceEntry(.joined))),
        result(4, #"{"connections":2}"#),
      ])
    #expect(outcome.code == .success)
    #expect(outcome.requests.count == 4)
  }

  private static let launched: TraceEntry = {
    var entry = TraceEntry(.acknowledged)
    entry.callback = "didFinishLaunching"
    return entry
  }()

  @Test(
    "the launch of the delegate and a change of the storage are looked at",
    arguments: [
      (launched, "awaitingDelegate=null", #"{"awaitingDelegate":1}"#, #"{"sessions":1}"#),
      (TraceEntry(.storage), "storage=full", #"{"storage":"ok"}"#, #"{"storage":"full"}"#),
    ])
  func traced(entry: TraceEntry, condition: String, before: String, after: String) throws {
    let outcome = try Outcome.of(
      ["wait", "application", condition],
      [
        result(1), result(2), result(3, before), notification("trace/entry", text(of: entry)),
        result(4, after),
      ])
    #expect(outcome.code == .success)
  }

  @Test("a timeout reports each condition")
  func timedOut() throws {
    let outcome = try Outcome.of(
      ["wait", "packing background title=x", "packing", "! application", "--timeout", "0"],
      [
        result(1), result(2, session(.background)), result(3, session(.background)),
        result(4, #"{"sessions":1}"#), result(5, text(of: ApplicationStatus.Reply())),
      ], ending: false)
    #expect(outcome.code == .timedOut)
    #expect(
      outcome.errors == """
        scenectl: timed out after 0s
          no   packing background title=x: title is null
          yes  packing
          no   ! application: the application exists

        """)
  }

  @Test("a broker that says no more is waited for no longer than anything else")
  func silent() throws {
    let outcome = try Outcome.of(
      ["wait", "packing", "--timeout", "0"], environment: ["SCENE_SOCKET": "/x"], ending: false)
    #expect(outcome.code == .timedOut)
    #expect(
      outcome.errors == """
        scenectl: timed out after 0s: the broker at /x does not answer; check its process and its \
        disk

        """)
  }

  @Test(
    "the timeout includes the connection",
    arguments: [
      (["wait", "packing", "-t", "2s"], 2000), (["wait", "packing", "-t", "1m"], 10000),
      (["wait", "packing"], 10000), (["sessions", "--names", "--timeout", "300ms"], 300),
    ] as [([String], Int64)])
  func connecting(words: [String], milliseconds: Int64) {
    var allowed: Int64 = 0
    let code = Scenectl.run(
      words, environment: ["SCENE_SOCKET": "/x"], console: Console { (_, _) in }
    ) { (_, _, deadline) throws(ControlError) in
      allowed = deadline
      throw .timedOut
    }
    #expect(code == .timedOut)
    #expect(allowed <= SystemClock.monotonic() + milliseconds * 1_000_000)
  }

  @Test("an invalid condition is a usage error")
  func usage() throws {
    let outcome = try Outcome.of(["wait", "packing background sleeping"])
    #expect(outcome.code == .usage)
    #expect(outcome.requests.isEmpty)
  }
}
