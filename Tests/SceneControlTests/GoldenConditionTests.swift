import SceneCommandLine
import SceneJSON
import SceneModel
import SceneTestSupport
import Testing

@testable import SceneControl

@Suite("Conditions")
struct GoldenConditionTests {
  // MARK: - Reading

  @Test(
    "reads words as a condition",
    arguments: [
      (["packing"], Condition(.session("packing"))),
      (
        ["packing", "foregroundActive"],
        Condition(.session("packing"), [.state(.foregroundActive)])
      ),
      (["packing", "foreground"], Condition(.session("packing"), [.foreground])),
      (["!", "packing"], Condition(isNegated: true, .session("packing"))),
      (["!packing"], Condition(isNegated: true, .session("packing"))),
      (["!!packing"], Condition(.session("packing"))),
      (["application", "active"], Condition(.application, [.phase(.active)])),
      (["application", "background"], Condition(.application, [.phase(.background)])),
      (["packing", "background"], Condition(.session("packing"), [.state(.background)])),
      (["background", "background"], Condition(.session("background"), [.state(.background)])),
      (
        ["p", "title=My trip", "generation!=3"],
        Condition(
          .session("p"),
          [
            .value(try path("title"), isEqual: true, ExpectedValue("My trip")),
            .value(try path("generation"), isEqual: false, ExpectedValue("3")),
          ])
      ),
      (
        ["p", "activity.userInfo.url=a=b"],
        Condition(
          .session("p"),
          [.value(try path("activity.userInfo.url"), isEqual: true, ExpectedValue("a=b"))])
      ),
    ])
  func reads(words: [String], condition: Condition) throws {
    #expect(try Condition(words: words) == condition)
  }

  @Test("words that are no condition have an error that says why")
  func goldenErrors() throws {
    try GoldenFile.expectAnswers("messages/condition-errors.txt") { line in
      let words = try ShellWords.split(line)
      return #expect(throws: ConditionError.self) { try Condition(words: words) }?.description ?? ""
    }
  }

  @Test(
    "a condition reads a word as a session if a session may have that name",
    arguments: [
      "packing", "My trip", "background", "active", "packing!", "a:topic:b", "Application", "ä",
      "application", "!packing", "!", "packing=1", "a!=b", "=", "topic:packing", "my note = x",
    ])
  func names(name: String) {
    let reads = try? Condition(words: [name]) == Condition(.session(name))
    if SessionName.problem(with: name) == nil { #expect(reads == true) }
    // `=` after a blank would be a name; a user need not know that.
    if reads != true { #expect(SessionName.problem(with: name) != nil) }
  }

  // MARK: - On a command line

  @Test("arguments form conditions, and an error names its argument and the likely state")
  func goldenArguments() throws {
    try GoldenFile.expectAnswers("messages/condition-arguments.txt") { line in
      do throws(ConditionError) {
        let words = (try? ShellWords.split(line)) ?? []
        return try ConditionArguments.conditions(words).map { "\($0)" }.joined(separator: "; ")
      } catch { return error.description }
    }
  }

  @Test("a name with spaces is one word of a condition")
  func spaces() throws {
    for (argument, requirements) in [
      ("my notes", []), ("my notes background", [.state(.background)]),
    ] as [(String, [Condition.Requirement])] {
      let conditions = try ConditionArguments.conditions([argument])
      #expect(conditions == [Condition(.session("my notes"), requirements)])
    }
  }

  @Test("an unknown member, or a session that is more likely a state, has a suggestion")
  func goldenSuggestions() throws {
    try GoldenFile.expectAnswers("messages/condition-words.txt") { line in
      let conditions = try ConditionArguments.conditions(try ShellWords.split(line))
      let last = try #require(conditions.last)
      let path = last.outcome(for: try value("{}")).absentPaths.first
      return path.flatMap(last.problem)
        ?? ConditionArguments.likelyTypo(in: last, isFirst: conditions.count == 1)
        ?? "no suggestion"
    }
  }

  // MARK: - Looking

  @Test("a condition holds, or the observations say why not")
  func goldenOutcomes() throws {
    try GoldenFile.expectAnswers("messages/condition-outcomes.txt") { line in
      let condition = try condition(line)
      let outcome = condition.outcome(
        for: condition.subject == .application ? try status() : try session())
      #expect(!outcome.subjectMissing)
      return outcome.holds ? "holds" : outcome.observations.joined(separator: "; ")
    }
  }

  @Test("a session that is not there fulfils only what is turned round")
  func absent() throws {
    #expect(
      try condition("s background").outcome(for: nil)
        == ConditionOutcome(
          holds: false, observations: ["the session does not exist"], subjectMissing: true))
    #expect(try condition("! s").outcome(for: nil).holds)
    #expect(try condition("! s title=x").outcome(for: nil).holds)
  }

  private func condition(_ text: String) throws -> Condition {
    try ConditionArguments.conditions([text])[0]
  }

  private func status() throws -> JSONValue {
    try value(#"{"phase":"active","sessions":3,"storage":"ok"}"#)
  }

  private func session() throws -> JSONValue {
    try value(
      #"""
      {"sceneSession":{"name":null,"userInfo":{"color":"red"},"configuration":{"name":"Standard"},
        "stateRestorationActivity":{"activityType":"t","userInfo":{"line":42,"text":"42",
          "long":9007199254740993,"dotted.name":"yes","list":[[],{"deep":true}],
          "object":{"a":1,"b":2}}}},
       "session":"X","name":null,"title":"Packing","state":"background","configuration":"Standard",
       "client":{"name":"scene","pid":4711},"generation":3}
      """#)
  }

  private func value(_ text: String) throws -> JSONValue {
    let document = JSONDocument()
    try document.read(text.utf8)
    // A value does not keep its document alive.
    _ = Unmanaged.passRetained(document)
    return document.root
  }
}

private func path(_ text: String) throws -> ValuePath { try #require(ValuePath(text)) }
