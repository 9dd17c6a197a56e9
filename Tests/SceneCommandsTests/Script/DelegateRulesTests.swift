import SceneClient
import SceneModel
import Testing

@testable import SceneCommands

@Suite("Rules of a delegate in a script")
struct DelegateRulesTests {
  private func text(_ answer: CallAnswer?) -> String {
    switch answer {
    case .carried(let object)?: "\(object.json)"
    case .launched(let accepted)?: accepted ? "accepted" : "declined"
    case .done?: "done"
    case .failed(let message)?: message
    case .configuration?, .activity?: "another answer"
    case nil: "open"
    }
  }

  @Test("each rule changes the answers; without a rule the manifest decides")
  func answers() throws {
    var rules = DelegateRules()
    func answer(_ line: String, _ kind: CallbackKind) throws -> String {
      #expect(try rules.take(line).isEmpty)
      return text(rules.answer(1, kind))
    }
    #expect(try answer("", .configurationForConnecting) == "{}")
    #expect(
      try answer("configuration Note", .configurationForConnecting) == #"{"configuration":"Note"}"#)
    let whole = #"{"configuration": "Draft", "userInfo": {"a": 1}}"#
    #expect(try answer("configuration \(whole)", .configurationForConnecting) == whole)
    #expect(try answer("configuration", .configurationForConnecting) == "{}")
    #expect(try answer("  ", .didFinishLaunching) == "accepted")
    #expect(try answer("decline", .didFinishLaunching) == "declined")
    #expect(try answer("fail didFinishLaunching", .didFinishLaunching).contains("fail"))
    #expect(try answer("help", .willTerminate) == "done")
    #expect(try answer("answer", .didFinishLaunching) == "declined")
    #expect(try answer("accept", .didFinishLaunching) == "accepted")
  }

  @Test("hang leaves questions open until answer; a new connection has none")
  func openQuestions() throws {
    var rules = DelegateRules()
    _ = try rules.take("hang")
    #expect(text(rules.answer(1, .willFinishLaunching)) == "open")
    #expect(text(rules.answer(2, .configurationForConnecting)) == "open")
    let answers = try rules.take("answer")
    #expect(answers.map(\.number) == [1, 2])
    #expect(answers.map { text($0.answer) } == ["done", "{}"])
    _ = try rules.take("hang willTerminate")
    #expect(text(rules.answer(3, .willTerminate)) == "open")
    rules.forgetUnanswered()
    #expect(try rules.take("answer").isEmpty)
  }

  @Test(
    "a wrong line is an error",
    arguments: [
      ("jump", "unknown rule \"jump\"; the rules are "),
      ("fail nothing", "unknown callback \"nothing\"; "),
      ("accept all", "the rule accept takes no argument; the rules are "),
      ("configuration {", "configuration: "),
    ])
  func errors(line: String, beginning: String) {
    var rules = DelegateRules()
    let error = #expect(throws: MemberError.self) { try rules.take(line) }
    #expect(error?.description.hasPrefix(beginning) == true, "\(line): \(error as Any)")
  }
}
