import SceneCommandLine
import SceneControl
import SceneControlTestSupport
import SceneModel
import Testing

@testable import SceneCommands

@Suite("rename, title, topics and the filters of sessions")
struct NameCommandTests {
  private let packing = details(summary(1, name: "packing"))

  @Test(
    "a session gets a name or a title, or loses it",
    arguments: [
      (["rename", "packing", "luggage"], #"session/setName {"session":"%","name":"luggage"}"#),
      (["rename", "packing", "--clear"], #"session/setName {"session":"%","name":null}"#),
      (["title", "packing", "A b"], #"scene/update {"session":"%","title":"A b"}"#),
      (["title", "packing", "--clear"], #"scene/update {"session":"%","title":null}"#),
    ])
  func change(words: [String], request: String) throws {
    let outcome = try Outcome.of(words, [result(1, resolved(packing)), result(2)])
    #expect(outcome.code == .success)
    #expect(outcome.output + outcome.errors == "")
    #expect(outcome.requests.last == request.replacing("%", with: "\(identifier(1))"))
  }

  @Test(
    "a new text and --clear exclude each other, and one of them is required",
    arguments: [["rename", "packing"], ["title", "packing", "x", "--clear"]])
  func usage(words: [String]) throws {
    let outcome = try Outcome.of(words, [])
    #expect(outcome.code == .usage)
    #expect(outcome.errors.contains(" or --clear\n"), "\(outcome.errors)")
  }

  @Test("the error for a blank name says how to remove the name", arguments: ["", "  "])
  func blank(name: String) throws {
    let outcome = try Outcome.of(["rename", "packing", name], [])
    #expect(outcome.code == .usage)
    #expect(
      outcome.errors == """
        scenectl rename: NAME must not be blank; to remove the name, use --clear
        Try 'scenectl rename --help'.

        """)
  }

  @Test("sessions hands its filters to the broker")
  func filters() throws {
    let outcome = try Outcome.of(
      [
        "ls", "--state", "background", "--role", "windowApplication", "--where", "list=inbox",
        "--where", "line=3", "--names",
      ], [result(1, text(of: SessionList.Reply(sessions: [summary(1, name: "packing")])))])
    #expect(outcome.output == "packing\n")
    #expect(
      outcome.requests == [
        #"session/list {"state":"background","role":"windowApplication","#
          + #""where":{"list":"inbox","line":3},"limit":200}"#
      ])
  }

  @Test("topics lists every page")
  func topics() throws {
    let pages = [
      #"{"topics":[{"topic":"chat","durable":true,"events":2,"bytes":450,"#
        + #""position":"A-7","observers":1}],"next":"chat"}"#,
      #"{"topics":[{"topic":"news","durable":false,"events":0,"bytes":0,"#
        + #""position":"A-0","observers":0}]}"#,
    ]
    let outcome = try Outcome.of(["topics"], [result(1, pages[0]), result(2, pages[1])])
    #expect(
      outcome.output == """
        TOPIC  EVENTS  BYTES  OBSERVERS  KEPT
        chat   2       450    1          on disk
        news   0       0      0          in memory

        """)
    #expect(outcome.requests == ["event/topics {}", #"event/topics {"after":"chat"}"#])
  }
}
