import SceneJSON
import SceneTestSupport
import Testing

@testable import SceneScript

@Suite("Comparison of traces")
struct GoldenTraceComparisonTests {
  private func pattern(_ line: String) throws -> TracePattern {
    try TracePattern(line, at: ScriptLocation(file: "a.scene", line: 7))
  }

  /// `NAME` or `NAME {MEMBERS}`
  private func observed(_ text: String) throws -> ObservedCallback {
    let name = String(text.prefix { $0 != " " })
    let members = text.contains("{") ? String(text.drop { $0 != "{" }) : "{}"
    return ObservedCallback(
      name: name, json: try RawJSON(validating: ContiguousArray(members.utf8)))
  }

  private func comparison(
    _ expected: [String], _ happened: [String]
  ) throws -> TraceComparison {
    TraceComparison(try expected.map(pattern), try happened.map(observed))
  }

  private static let up = ["willConnect", "willEnterForeground", "didBecomeActive"]
  private static let down = ["willResignActive", "didEnterBackground"]

  @Test(
    "a matching trace has no difference",
    arguments: [
      ([], []), (up, up), (["..."], []), (["..."], up), (["willConnect", "..."], up),
      (["...", "didBecomeActive"], up), (["willConnect", "...", "didBecomeActive"], up),
      (["...", "willConnect", "...", "...", "didBecomeActive"], up),
      (["~ didBecomeActive", "~willConnect", "~ willEnterForeground"], up),
      (["willConnect", "~ didBecomeActive", "~ willEnterForeground", "..."], up + down),
      (["...", "~ didEnterBackground", "~ willResignActive"], up + down),
      (
        ["~ willConnect", "~ willConnect x=1"], ["willConnect {\"x\":1}", "willConnect {\"x\":2}"]
      ),
    ])
  func agrees(expected: [String], happened: [String]) throws {
    #expect(try comparison(expected, happened).agrees)
  }

  @Test("hundreds of lines with `~` match in any order")
  func unordered() throws {
    let count = 200
    let expected = (0..<count).map { "~ posted n=\($0)" }
    let happened = (0..<count).reversed().map { "posted {\"n\":\($0)}" }
    #expect(try comparison(expected, happened).agrees)
    let wrong = try comparison(expected + ["~ posted n=x"], happened)
    #expect(wrong.difference.last == "  - ~ posted n=x")
    #expect(wrong.rows.count == count + 1)
    // A callback that loses its line to another one finds another line.
    #expect(
      try comparison(
        ["~ a", "~ a x=1", "~ a y=1"].map { $0.replacing("a", with: "posted") },
        ["posted {\"x\":1,\"y\":1}", "posted {\"y\":1}", "posted {\"x\":1}"]
      ).agrees)
  }

  @Test(
    "the difference shows missing and unexpected callbacks",
    arguments: [
      ([], ["willConnect"], ["  + willConnect isNew=null reason=null"]),
      (["willConnect"], [], ["  - willConnect"]),
      (
        up, ["willConnect", "didBecomeActive"],
        ["    willConnect", "  - willEnterForeground", "    didBecomeActive"]
      ),
      (
        ["willResignActive", "..."], down.reversed(),
        ["  + didEnterBackground", "    willResignActive", "    ..."]
      ),
      (
        ["didBecomeActive x=2"], ["didBecomeActive {\"x\":1}"],
        ["  - didBecomeActive x=2", "  + didBecomeActive x=1"]
      ),
      (
        ["~ didEnterBackground", "~ willConnect"], down,
        ["  + willResignActive", "    ~ didEnterBackground", "  - ~ willConnect"]
      ),
      (["...", "willConnect"], down, ["    ...", "  - willConnect"]),
      (["willConnect", "willConnect"], ["willConnect"], ["    willConnect", "  - willConnect"]),
    ])
  func differs(expected: [String], happened: [String], difference: [String]) throws {
    let comparison = try comparison(expected, happened)
    #expect(!comparison.agrees)
    #expect(comparison.difference.sorted() == difference.sorted())
  }

  @Test(
    "values are compared as in conditions",
    arguments: [
      ("willConnect isNew=false", #"willConnect {"isNew":false}"#, true),
      ("willConnect isNew=false", #"willConnect {"isNew":true}"#, false),
      ("willConnect isNew!=false", #"willConnect {"isNew":true}"#, true),
      ("willConnect reason=null", "willConnect", true),
      (
        "willConnect activity.userInfo.line=42",
        #"willConnect {"sceneSession":{"stateRestorationActivity":{"userInfo":{"line":42}}}}"#, true
      ),
      (#"willConnect o={"b": 1, "a": [2]}"#, #"willConnect {"o":{"a":[2],"b":1}}"#, true),
      ("willConnect 't=My trip'", #"willConnect {"t":"My trip"}"#, true),
      ("willConnect", "didBecomeActive", false),
    ])
  func values(line: String, callback: String, matches: Bool) throws {
    #expect(try comparison([line], [callback]).agrees == matches)
  }

  @Test("an invalid line is an error with its location")
  func golden() throws {
    try GoldenFile.expectAnswers("messages/patterns.txt") { line in
      #expect(throws: ScriptError.self) { try pattern(line) }?.description ?? ""
    }
  }

  @Test(
    "accepted rows keep the paths of their lines",
    arguments: [
      (up, up, up), (["..."], up, ["..."]), ([], down, down), (up, [], []),
      (
        ["willConnect isNew=true x.y=1", "~ didBecomeActive t=null"],
        [#"willConnect {"isNew":false,"x":{"y":"a b"}}"#, #"didBecomeActive {"t":{"a": 1}}"#],
        ["willConnect isNew=false 'x.y=a b'", #"~ didBecomeActive t={"a": 1}"#]
      ),
      (
        [],
        [
          #"willConnect {"isNew":false,"reason":"launch"}"#,
          #"didEnterBackground {"answered":false}"#,
        ], ["willConnect isNew=false reason=launch", "didEnterBackground answered=false"]
      ),
    ])
  func accepted(expected: [String], happened: [String], lines: [String]) throws {
    let accepted = try comparison(expected, happened).accepted.map(\.text)
    #expect(accepted == lines)
    #expect(try comparison(accepted, happened).agrees)
  }

  @Test("hundreds of callbacks and lines are compared in time")
  func many() throws {
    let names = (0..<300).map { Self.down[$0 % 2] }
    #expect(try comparison(["..."] + names + ["..."], names).agrees)
    #expect(try !comparison(names + ["..."] + names, names).agrees)
  }
}
