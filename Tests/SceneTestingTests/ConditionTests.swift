import SceneClient
import Testing

@testable import SceneTesting

/// Conditions in Swift, and the text of scripts.
@Suite("Conditions of a test")
struct ConditionTests {
  @Test(
    "a typed condition and its text are the same condition",
    arguments: [
      (.session("packing"), "packing"), (!.session("packing"), "! packing"),
      (!(!.session("packing")), "packing"),
      (.session("My trip", .background), "'My trip' background"),
      (.session("packing", .foreground), "packing foreground"),
      (.session("packing", .init(Scene.ActivationState.unattached)), "packing unattached"),
      (.session("packing", .init(.foregroundActive)), "packing foregroundActive"),
      (.session("packing", .init(.foregroundInactive)), "packing foregroundInactive"),
      (
        .session("packing", .unattached, disconnectReason: .reclaimed, generation: 3),
        #"packing unattached disconnect.reason='"reclaimed"' generation=3"#
      ),
      (
        .session("packing", where: ["title": nil, "activity.userInfo.done": true]),
        "packing title=null activity.userInfo.done=true"
      ),
      (
        .session("packing", where: ["client.pid": 7], whereNot: ["userInfo.size": 1.5]),
        "packing client.pid=7 userInfo.size!=1.5"
      ),
      (.application(), "application"),
      (.application(.active, sessions: 2, scenes: 1), "application active sessions=2 scenes=1"),
      (!.application(.background, whereNot: ["pid": 1]), "! application background pid!=1"),
      (
        .topic("Chat", kind: "added", where: ["payload.text": "42"]),
        #"topic:Chat kind='"added"' payload.text='"42"'"#
      ),
    ] as [(Condition, Condition)])
  func same(typed: Condition, text: Condition) throws {
    #expect(try Condition.checked([typed]) == Condition.checked([text]))
  }

  @Test("a typed name needs no quotes and is never another subject")
  func names() throws {
    for name in ["application", "topic:Chat"] {
      #expect(try Condition.checked([.session(name)]) != Condition.checked(["\(name)"]))
    }
  }

  @Test("adjacent texts are the arguments of one command line")
  func arguments() throws {
    let state = "background"
    let conditions: [Condition] = [
      "packing", "\(state)", "generation=1", .session("memo"), "!", "itinerary",
      !"notes unattached",
    ]
    #expect(
      try Condition.checked(conditions)
        == Condition.checked([
          .session("packing", .background, generation: 1), .session("memo"),
          !.session("itinerary"), !.session("notes", .unattached),
        ]))
  }

  @Test(
    "a mistake is reported with its reason and its place",
    arguments: [
      (.session(""), "a condition begins with a session, `application` or topic:NAME"),
      (!.topic(""), "the topic of \"\" "),
      (.session("packing", where: ["a..b": 1]), "\"a..b\" is not a path"),
      (.application(whereNot: [".pid": 1]), "\".pid\" is not a path"),
      ("packing foregroundActiv", "did you mean foregroundActive?"),
      ("packing 'open", "condition 'packing 'open': "), ("title=x", "title=x has no subject"),
      (.session("packing", where: ["activty.x": 1]), "unknown member activty.x"),
    ] as [(Condition, String)])
  func mistakes(condition: Condition, reason: String) async throws {
    try await withBroker { broker in
      // In the closure of a macro, the place is that of the macro.
      let line = #line + 1
      let expected = try await #require(throws: TestFailure.self) {
        try await broker.expect(condition)
      }
      #expect(expected.message.contains(reason), "\(expected.message)")
      #expect(expected.reason == nil)
      #expect(expected.location.line == line, "\(expected.location)")
      #expect(expected.location.filePath == #filePath)
      let awaited = try await #require(throws: TestFailure.self) {
        try await broker.wait(for: .application(), condition)
      }
      #expect(awaited.message == expected.message)
    }
  }

  @Test("typed conditions hold, fail and wait as texts do")
  func broker() async throws {
    try await withBroker { broker in
      try await broker.client("packing", "--title", "For Rome")
      try await broker.scenectl("save", "packing", "com.example.note", #"{"line": 42}"#)
      try await broker.scenectl("post", "Chat", "added", #"{"text": "hello"}"#)
      try await broker.expect(
        .session(
          "packing", .foreground, generation: 1,
          where: ["title": "For Rome", "activity.userInfo.line": 42, "subtitle": nil],
          whereNot: ["client.pid": nil, "title": "For Bonn"]),
        .application(.active, sessions: 1, scenes: 1, where: ["clock": "real"]),
        .topic("Chat", kind: "added", where: ["payload.text": "hello"]),
        "packing foregroundActive", !.session("memo"))
      let failure = try await #require(throws: TestFailure.self) {
        try await broker.expect(
          .session("packing", .background, where: ["activity.userInfo.line": 41]),
          !.application(sessions: 1))
      }
      #expect(failure.reason == "no")
      #expect(
        failure.message == """
          expectation failed:
            no   packing background activity.userInfo.line=41: the state is foregroundActive, \
          activity.userInfo.line is 42
            no   ! application sessions=1: sessions is 1
          """)
      try await broker.scenectl("background", "--no-wait", "packing")
      try await broker.wait(for: .session("packing", .background), .application(.background))
    }
  }
}
