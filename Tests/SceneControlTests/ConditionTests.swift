import SceneJSON
import SceneModel
import Testing

@testable import SceneControl

@Suite("Conditions")
struct ConditionTests {
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

  @Test(
    "refuses what is not a condition, and says why",
    arguments: [
      ([], "a condition begins with"), (["!"], "a condition begins with"),
      ([""], "a condition begins with"), (["title=x"], "title=x has no subject; begin"),
      (["!", "title=x"], "title=x has no subject; begin"),
      (["packing", "sleeping"], "\"sleeping\" is neither a state nor PATH=VALUE; quote"),
      (["packing", "two words"], "\"two words\" is neither a state nor"),
      (["packing", ".a=1"], "\".a\" is not a path such as"),
      (["packing", "a..b=1"], "\"a..b\" is not a path"), (["packing", "=1"], "\"\" is not a path"),
      (
        ["packing", "background", "unattached"],
        "background and unattached cannot hold at the same time"
      ),
      (
        ["packing", "active"],
        "active is not a state of a session; use one of unattached, background, "
          + "foregroundInactive, foregroundActive"
      ),
      (
        ["application", "unattached"],
        "unattached is not a state of the application; use one of active, inactive, background"
      ),
      (
        ["application", "foreground"],
        "foreground is not a state of the application; use one of active, inactive, background"
      ),
      (["topic:"], "the topic of \"topic:\" must not be blank; give the name of a topic"),
      (["topic:a", "active"], "\"active\" is neither a state nor"),
      (["topic:a", "background"], "\"background\" is neither a state nor"),
    ] as [([String], String)])
  func refuses(words: [String], beginning: String) {
    let error = #expect(throws: ConditionError.self) { try Condition(words: words) }
    #expect(error?.description.hasPrefix(beginning) == true, "\(error as Any)")
  }

  @Test(
    "what a session may be called is a session where a condition begins, and nothing else is",
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

  @Test(
    "a condition reads as it was written",
    arguments: [
      "packing", "! packing background", "application sessions=3", "p a.b!=x c=null",
      "topic:NewMessage kind=added payload.n=1",
    ])
  func description(text: String) throws {
    let words = text.split(separator: " ").map(String.init)
    #expect(try Condition(words: words).description == text)
  }

  // MARK: - On a command line

  @Test(
    "an argument is a condition, or goes on with the one before",
    arguments: [
      (
        ["packing foregroundActive", "application active"],
        ["packing foregroundActive", "application active"]
      ),
      (["packing", "foregroundActive"], ["packing foregroundActive"]),
      (
        ["packing", "foregroundActive", "itinerary", "background", "title=x"],
        ["packing foregroundActive", "itinerary background title=x"]
      ),
      (["a", "b"], ["a", "b"]), (["!", "a", "background", "b"], ["! a background", "b"]),
      (["!", "a background"], ["! a background"]),
      (["application", "active", "sessions=3"], ["application active sessions=3"]),
      (["'My trip' background"], ["My trip background"]),
      (["my notes"], ["my notes"]),
      (["my  old notes background x=1"], ["my  old notes background x=1"]),
      (["! my notes background", "b"], ["! my notes background", "b"]),
      (["!my notes", "background"], ["! my notes background"]),
      (["p", "title=My trip"], ["p title=My trip"]),
      (["p title='My trip' background"], ["p title=My trip background"]),
      ([#"p activity.userInfo={"line": 42}"#], [#"p activity.userInfo={"line": 42}"#]),
    ])
  func arguments(words: [String], conditions: [String]) throws {
    #expect(try ConditionArguments.conditions(words).map(\.description) == conditions)
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

  @Test(
    "a member that there cannot be is told from one that is not there",
    arguments: [
      ("s tile=x", "unknown member tile; did you mean title?"),
      ("s client.pdi=1", "unknown member client.pdi; did you mean pid?"),
      ("s colour=red", "unknown member colour"),
      ("application sesions=3", "unknown member sesions; did you mean sessions?"),
      ("s disconnect.reason=x", nil), ("s activity.anything=1", nil), ("s userInfo.x=1", nil),
      ("s subtitle=x", nil), ("s sceneSession.title=x", nil), ("application storage=x", nil),
    ] as [(String, String?)])
  func members(text: String, complaint: String?) throws {
    let condition = try condition(text)
    let path = try #require(condition.outcome(for: try value("{}")).absentPaths.first)
    #expect(condition.problem(with: path) == complaint)
  }

  @Test("a bad argument is named")
  func badArgument() {
    let error = ConditionError("unclosed ' at column 3", in: "p 'x")
    #expect(throws: error) { try ConditionArguments.conditions(["a", "p 'x"]) }
  }

  @Test(
    "a word that is nearly a state is told from one that is not",
    arguments: [
      (
        "p foregroundActve",
        "\"foregroundActve\" is neither a state nor PATH=VALUE; "
          + "did you mean foregroundActive?"
      ),
      (
        "p backgroud title=x",
        "\"backgroud\" is neither a state nor PATH=VALUE; "
          + "did you mean background?"
      ),
      (
        "p background sleeping",
        "\"sleeping\" is neither a state nor PATH=VALUE; quote a name that contains spaces"
      ),
      ("topic:a active", "\"active\" is a state, and a topic has no state; use PATH=VALUE"),
    ])
  func nearly(argument: String, complaint: String) {
    let error = #expect(throws: ConditionError.self) {
      try ConditionArguments.conditions([argument])
    }
    #expect(error?.description == "condition '\(argument)': \(complaint)")
  }

  @Test(
    "a session that is not there is doubted where a state was more likely meant",
    arguments: [
      (
        ["p", "foregroundActve"],
        "no session is called foregroundActve; did you mean foregroundActive?"
      ),
      (
        ["foreground"],
        "no session is called foreground; put a state after its session"
      ),
      (["application", "actve"], "no session is called actve; did you mean active?"),
      (
        ["p", "FOREGROUNDACTIVE"],
        "no session is called FOREGROUNDACTIVE; did you mean foregroundActive?"
      ),
      (["p", "itinerary"], nil), (["! p", "! backgroun"], nil),
      (["backgroun"], nil),
      (
        ["p", "backgroun title=x"], "no session is called backgroun; did you mean background?"
      ),
      (
        ["background"],
        "no session is called background; put a state after its session"
      ),
    ] as [([String], String?)])
  func doubt(words: [String], doubt: String?) throws {
    let conditions = try ConditionArguments.conditions(words)
    let last = try #require(conditions.last)
    #expect(ConditionArguments.likelyTypo(in: last, isFirst: conditions.count == 1) == doubt)
  }

  // MARK: - Looking

  @Test(
    "a session fulfils it",
    arguments: [
      "s", "s background", "s state=background", "s title=Packing", "s title=\"Packing\"",
      "s client.pid=4711", "s client.name=scene", "s name=null", "s snapshot=null",
      "s nothing=null",
      "s generation=3", "s generation=3.0", "s activity.userInfo.line=42",
      "s activity.userInfo.long=9007199254740993", "s activity.userInfo.text=42",
      "s activity.userInfo.dotted.name=yes", "s activity.userInfo.list.1.deep=true",
      "s activity.userInfo.list.0=[]", #"s activity.userInfo.object={"b":2,"a":1}"#,
      "s userInfo.color=red", "s configuration=Standard", "s configuration.name=Standard",
      "s sceneSession.userInfo.color=red", "s disconnect.reason!=reclaimed",
      "s background title=Packing generation!=4", "! s foregroundActive", "! s foreground",
      "! s title=x",
      "! s background title=x",
    ])
  func holds(text: String) throws {
    #expect(try condition(text).outcome(for: try session()).holds)
  }

  @Test(
    "a session does not fulfil it, and it is said how things are",
    arguments: [
      ("s foregroundActive", ["the state is background"]),
      ("s foreground", ["the state is background"]),
      ("s title=packing", [#"title is "Packing""#]),
      ("s activity.userInfo.line=41", ["activity.userInfo.line is 42"]),
      (
        "s activity.userInfo.long=9007199254740992",
        ["activity.userInfo.long is 9007199254740993"]
      ),
      ("s client.pid=4712 generation=3", ["client.pid is 4711"]),
      ("s nothing=1", ["nothing does not exist"]),
      ("s nothing=", ["nothing does not exist"]),
      ("s activity.userInfo.list.2=1", ["activity.userInfo.list.2 does not exist"]),
      ("s title!=Packing", [#"title is "Packing""#]),
      ("! s", ["the session exists"]),
      ("! s background", ["the state is background"]),
      ("s foregroundActive title=x", ["the state is background", #"title is "Packing""#]),
    ])
  func fails(text: String, observations: [String]) throws {
    let outcome = try condition(text).outcome(for: try session())
    #expect(!outcome.holds && !outcome.subjectMissing)
    #expect(outcome.observations == observations)
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

  @Test(
    "the application fulfils it, or not",
    arguments: [
      ("application", true), ("application active", true), ("application inactive", false),
      ("application sessions=3", true), ("application sessions=2", false),
      ("application active sessions=3 storage=ok", true), ("! application background", true),
      ("application activity=null", true),
    ])
  func application(text: String, holds: Bool) throws {
    let status = try value(#"{"phase":"active","sessions":3,"storage":"ok"}"#)
    #expect(try condition(text).outcome(for: status).holds == holds)
  }

  private func condition(_ text: String) throws -> Condition {
    try ConditionArguments.conditions([text])[0]
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
