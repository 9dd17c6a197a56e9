import SceneClient
import SceneJSON
import SceneModel
import Testing

@testable import SceneCommands

@Suite("Rules of a delegate in a shell")
struct DelegateRulesTests {
  private func text(_ answer: DelegateAnswer?) -> String {
    switch answer {
    case .carried(let object)?: "\(object.json)"
    case .launched(let accepted)?: accepted ? "accepted" : "declined"
    case .done?: "done"
    case .failed(let message)?: message
    case .configuration?: "a configuration"
    case nil: "open"
    }
  }

  @Test("without a rule the manifest decides, and the launch options are accepted")
  func defaults() {
    var rules = DelegateRules()
    #expect(text(rules.answer(1, .configurationForConnecting)) == "{}")
    #expect(text(rules.answer(2, .didFinishLaunching)) == "accepted")
    #expect(text(rules.answer(3, .willTerminate)) == "done")
  }

  @Test("a configuration is a name or a complete answer")
  func configuration() {
    var rules = DelegateRules()
    #expect(rules.take("configuration Note").chosen == "Note")
    #expect(text(rules.answer(1, .configurationForConnecting)) == #"{"configuration":"Note"}"#)
    let line = #"configuration {"configuration": "Draft", "userInfo": {"a": 1}}"#
    #expect(rules.take(line).chosen == "Draft")
    #expect(
      text(rules.answer(2, .configurationForConnecting))
        == #"{"configuration": "Draft", "userInfo": {"a": 1}}"#)
    #expect(rules.take("configuration {").problem != nil)
    #expect(rules.take("configuration").problem == nil)
    #expect(text(rules.answer(3, .configurationForConnecting)) == "{}")
  }

  @Test("decline and fail change the answers, and answer resets fail")
  func failures() {
    var rules = DelegateRules()
    #expect(rules.take("decline").problem == nil)
    #expect(text(rules.answer(1, .didFinishLaunching)) == "declined")
    #expect(rules.take("fail didFinishLaunching").problem == nil)
    #expect(text(rules.answer(2, .didFinishLaunching)).contains("fail"))
    #expect(text(rules.answer(3, .willTerminate)) == "done")
    #expect(rules.take("answer").answers.isEmpty)
    #expect(rules.take("accept").problem == nil)
    #expect(text(rules.answer(4, .didFinishLaunching)) == "accepted")
  }

  @Test("a rule without an argument refuses one", arguments: ["accept", "decline", "answer"])
  func excess(rule: String) {
    var rules = DelegateRules()
    let problem = rules.take("\(rule) x").problem
    #expect(problem?.hasPrefix("the rule \(rule) takes no argument; the rules are ") == true)
    #expect(rules.take(rule).problem == nil)
    #expect(rules.take("accepts").problem?.hasPrefix("unknown rule \"accepts\"; ") == true)
  }

  @Test("hang leaves questions open until answer; a new connection has none")
  func openQuestions() {
    var rules = DelegateRules()
    #expect(rules.take("hang").problem == nil)
    #expect(text(rules.answer(1, .willFinishLaunching)) == "open")
    #expect(text(rules.answer(2, .configurationForConnecting)) == "open")
    let answers = rules.take("answer").answers
    #expect(answers.map(\.number) == [1, 2])
    #expect(answers.map { text($0.answer) } == ["done", "{}"])
    #expect(rules.take("hang willTerminate").problem == nil)
    #expect(text(rules.answer(3, .willTerminate)) == "open")
    rules.forgetUnanswered()
    #expect(rules.take("answer").answers.isEmpty)
  }

  @Test("an unknown rule or callback is an error; an empty line has no effect")
  func errors() {
    var rules = DelegateRules()
    #expect(rules.take("").problem == nil)
    #expect(rules.take("  ").problem == nil)
    #expect(rules.take("help").problem == nil)
    #expect(rules.take("jump").problem?.hasPrefix("unknown rule \"jump\"; the rules are ") == true)
    #expect(
      rules.take("fail nothing").problem?.hasPrefix("unknown callback \"nothing\"; ") == true)
    #expect(rules.take("accept all").problem != nil)
  }
}
