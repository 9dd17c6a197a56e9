import SceneCommandLine
import SceneControlTestSupport
import SceneModel
import Testing

@testable import SceneCommands

/// `--where` of `activate` and `reopen`.
struct SelectionTests {
  private let inbox = summary(1, name: "inbox")

  @Test("activate --where activates the sessions with the member")
  func activates() throws {
    let outcome = try Outcome.of(
      ["activate", "--where", "list=inbox"],
      [
        result(1, text(of: SessionList.Reply(sessions: [inbox]))),
        result(2, #"{"session":"\#(identifier(1))","isNew":false}"#),
      ])
    #expect(outcome.code == .success, "\(outcome.errors)")
    #expect(outcome.requests.count == 2)
    #expect(outcome.requests.first?.contains(#""where":{"list":"inbox"}"#) == true)
    #expect(
      outcome.requests.last?.hasPrefix("application/requestSceneSessionActivation") == true)
  }

  @Test("a member that no session has is an error", arguments: ["activate", "reopen"])
  func nothing(verb: String) throws {
    let outcome = try Outcome.of(
      [verb, "--where", "list=inbox"], [result(1, text(of: SessionList.Reply(sessions: [])))])
    #expect(outcome.code == .noSession)
    #expect(
      outcome.errors
        == "scenectl: no session has {\"list\":\"inbox\"} in its userInfo\n"
        + "List the sessions with: scenectl sessions\n")
  }

  @Test("reopen --where names the reason for each session that it cannot open")
  func closed() throws {
    var (bare, marked) = (summary(2, name: "bare"), inbox)
    (bare.created, marked.created) = (2, 1)
    marked.program = SessionProgram(arguments: ["ssh"], directory: "/", reopens: false)
    let outcome = try Outcome.of(
      ["reopen", "--where", "list=inbox"],
      [
        result(1, text(of: SessionList.Reply(sessions: [bare, marked]))),
        result(2, #"{"source":"a","manifest":{}}"#),
      ])
    #expect(outcome.code == .failure)
    #expect(
      outcome.errors
        == "scenectl: inbox: its command must not run again\n"
        + "scenectl: bare: no command is stored; store one with: scene bare -- COMMAND\n")
  }

  @Test("sessions are named or selected, not both", arguments: ["activate", "reopen", "refresh"])
  func both(verb: String) throws {
    let outcome = try Outcome.of([verb, "packing", "--where", "list=inbox"])
    #expect(outcome.code == .usage)
    #expect(outcome.errors.contains("give either SESSION or --where"))
  }
}
