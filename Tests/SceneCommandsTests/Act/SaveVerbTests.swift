import SceneCommandLine
import SceneControl
import SceneControlTestSupport
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneCommands

@Suite("Saving and calling")
struct SaveVerbTests {
  private let packing = details(summary(1, name: "packing"))

  @Test("saves what was written, byte for byte")
  func save() throws {
    let userInfo = #"{ "n" : 9007199254740993, "pi":3.14159265358979323846 }"#
    let outcome = try Outcome.of(
      ["save", "packing", "com.example.note", userInfo],
      [result(1, resolved(packing)), result(2, #"{"generation":1}"#)])
    #expect(outcome.code == .success)
    #expect(outcome.output == "")
    #expect(
      outcome.requests.last
        == #"session/saveActivity {"session":"\#(identifier(1))","#
        + #""activity":{"activityType":"com.example.note","userInfo":\#(userInfo)}}"#)
  }

  @Test("a save for a connected scene of another process warns of the scene's next save")
  func warning() throws {
    let active = details(summary(1, name: "packing", state: .foregroundActive, pid: 4711))
    let script = [result(1, resolved(active)), result(2, #"{"generation":1}"#)]
    let warned = try Outcome.of(["save", "packing", "t", "{}"], script)
    #expect(warned.code == .success)
    #expect(
      warned.errors
        == "scenectl: packing is connected: its next save replaces this activity\n")
    let own = try Outcome.of(
      ["save", "packing", "t", "{}"], script, environment: ["SCENE_SESSION": "packing"])
    #expect(own.errors == "")
  }

  @Test("@FILE reads the object from a file, and an error names the file")
  func file() throws {
    let workplace = try Workplace()
    let (good, bad) = (
      try workplace.write("good", #"{"n": 1.0}"#), try workplace.write("bad", "[1]")
    )
    let script = [result(1, resolved(packing)), result(2, #"{"generation":1}"#)]
    for words in [["t=@\(good)"], ["t", "@\(good)"]] {
      let outcome = try Outcome.of(["save", "packing"] + words, script)
      #expect(outcome.requests.last?.hasSuffix(#""userInfo":{"n": 1.0}}}"#) == true, "\(outcome)")
    }
    let posted = try Outcome.of(["post", "topic", "@\(good)"], [result(1, #"{"position":{}}"#)])
    #expect(posted.requests.last?.contains(#""payload":{"n": 1.0}"#) == true, "\(posted)")
    let opened = try Outcome.of(["open", "a:b", "--annotation", "@\(bad)"], [])
    #expect(opened.requests.last?.contains(#""annotation":[1]"#) == true, "\(opened)")
    let wrong = try Outcome.of(["save", "packing", "t=@\(bad)"], script)
    #expect(wrong.errors == "scenectl: JSON in \(bad): expected an object, found an array\n")
    let missing = try Outcome.of(["save", "packing", "t=@/no/such/file"], script)
    #expect(missing.errors.contains("/no/such/file"))
    #expect(missing.code == .noSession)
  }

  @Test("clears, and saves for the scene it runs in")
  func ownSession() throws {
    let cleared = try Outcome.of(
      ["save", "packing", "--clear"],
      [result(1, resolved(packing)), result(2, #"{"generation":2}"#)])
    #expect(
      cleared.requests.last
        == #"session/saveActivity {"session":"\#(identifier(1))","activity":null}"#)
    let own = try Outcome.of(
      ["save", "t", "{}"], [result(1, resolved(packing)), result(2, #"{"generation":2}"#)],
      environment: ["SCENE_SESSION": "packing"])
    #expect(own.code == .success)
    let inOne = try Outcome.of(
      ["save", "t={}"], [result(1, resolved(packing)), result(2, #"{"generation":2}"#)],
      environment: ["SCENE_SESSION": "packing"])
    #expect(inOne.requests == own.requests)
    #expect(own.requests.first == #"session/resolve {"word":"packing"}"#)
  }

  @Test(
    "an activity may be one word, or the whole of it in JSON",
    arguments: [
      ["packing", "t", #"{"n": 1.0}"#], ["packing", #"t={"n": 1.0}"#],
      ["packing", #"t {"n": 1.0}"#],
      ["packing", #"{"activityType":"t","userInfo":{"n": 1.0}}"#],
    ], [nil, "other"])
  func spelled(words: [String], own: String?) throws {
    // Beside a session of its own, what begins as JSON is the userInfo of a type.
    guard own == nil || words.last?.hasPrefix("{") == false || words.count == 3 else { return }
    let outcome = try Outcome.of(
      ["save"] + words, [result(1, resolved(packing)), result(2, #"{"generation":1}"#)],
      environment: own.map { ["SCENE_SESSION": $0] } ?? [:])
    #expect(
      outcome.requests == [
        #"session/resolve {"word":"packing"}"#,
        #"session/saveActivity {"session":"\#(identifier(1))","#
          + #""activity":{"activityType":"t","userInfo":{"n": 1.0}}}"#,
      ])
  }

  @Test(
    "what is no object is bad data; too few words are a usage error",
    arguments: [
      (["save", "p", "t", "[1]"], .badData), (["save", "p", "t", "{"], .badData),
      (["save", "p", "t"], .usage), (["save", "p"], .usage), (["save"], .usage),
      (["save", "p", "t", "{}", "--clear"], .usage), (["call", "broker/ping", "3"], .badData),
      (["new", "--activity", "={}"], .badData), (["new", "--activity", "t"], .usage),
    ] as [([String], ExitCode)])
  func refuses(words: [String], code: ExitCode) throws {
    let outcome = try Outcome.of(words)
    #expect(outcome.code == code)
    #expect(outcome.requests.isEmpty)
  }

  @Test(
    "a verb that needs some time refuses a timeout without it",
    arguments: [["ping", "packing"], ["upgrade"], ["upgrade", "--dry-run"]], ["0", "999us", "2h"])
  func boundedTimeout(verb: [String], time: String) throws {
    let outcome = try Outcome.of(verb + ["--timeout", time])
    #expect(outcome.code == .usage)
    #expect(outcome.errors.contains("--timeout: expected a time from 1ms to 1h"))
    #expect(outcome.requests.isEmpty)
  }

  @Test("calls any method with any parameters, and prints the result as it came")
  func call() throws {
    let outcome = try Outcome.of(
      ["call", "some/thing", #"{ "a":1 }"#], [result(1, #"{ "b" : 2 }"#)])
    #expect(outcome.output == "{ \"b\" : 2 }\n")
    #expect(outcome.requests == [#"some/thing { "a":1 }"#])
  }

  @Test("SCENE_DEBUG=wire shows every frame")
  func debug() throws {
    let outcome = try Outcome.of(
      ["call", "broker/ping"], [result(1)], environment: ["SCENE_DEBUG": "wire"])
    #expect(outcome.output == "{}\n")
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.map { $0.first } == ["→", "→", "←", "←"])
    #expect(lines.last == "← \(result(1))")
  }
}
