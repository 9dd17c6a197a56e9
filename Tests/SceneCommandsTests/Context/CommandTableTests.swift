import Foundation
import SceneCommandLine
import Testing

@testable import SceneCommands

@Suite("The command table")
struct CommandTableTests {
  @Test("has no flaws, and every example parses")
  func flaws() {
    #expect(Scenectl.command(of: Verb.all).flaws() == [])
  }

  @Test("a verb has the name of its declaration, and an example", arguments: Verb.all)
  func names(verb: Verb) {
    let command = verb.command
    #expect(command.name == verb.name)
    #expect(!command.examples.isEmpty || command.verbs.allSatisfy { !$0.examples.isEmpty })
  }

  @Test("the list has each verb once, and every verb of the sources is in the list")
  func list() throws {
    #expect(Set(Verb.all.map(\.name)).count == Verb.all.count)
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/SceneCommands")
    let files = FileManager.default.enumerator(atPath: sources.path())?.compactMap { $0 as? String }
    var declared: [String] = []
    for file in files ?? [] where file.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      declared += text.matches(of: /= (?:Verb|mover)\(\s*"([\w-]+)"/).map { String($0.1) }
    }
    #expect(declared.sorted() == Verb.all.map(\.name).sorted())
  }

  @Test(
    "a table of a few verbs understands the same as the whole one",
    arguments: [
      [], ["--help"], ["status"], ["-a", "wait", "show"], ["--version"], ["shw"],
      ["show", "--help"],
      ["kill", "show", "save"], ["--help", "show"], ["background"], ["--nonsense", "show"],
    ])
  func reduced(words: [String]) {
    let whole = Result { try Scenectl.command(of: Verb.all).parse(words) }
    let reduced = Result { try Scenectl.parse(words) }
    #expect(shown(whole) == shown(reduced))
  }

  private func shown(_ result: Result<CommandRequest, any Error>) -> String {
    switch result {
    case .success(.run(let invocation)):
      "\(invocation.name) \(invocation.value("application") ?? "")"
    case .success(.print(let text)): text
    case .failure(let error): "\(error)"
    }
  }
}
